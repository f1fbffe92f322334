package script

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Step is one call of a function of the library.
type Step struct {
	Func string
	Args []string
}

// Call is a step.
func Call(function string, args ...string) Step { return Step{Func: function, Args: args} }

// File makes a file have a content. expected is the hash of the content that the plan saw, "absent" or "any".
func File(path, mode, expected, content string) Step {
	return Call("np_file", path, mode, expected, content)
}

// On is a step for some families of distributions alone.
func On(families string, s Step) Step {
	return Step{Func: "np_on", Args: append([]string{families, s.Func}, s.Args...)}
}

// String is the step as a line of shell.
func (s Step) String() string {
	words := []string{s.Func}
	for _, a := range s.Args {
		words = append(words, Quote(a))
	}
	return strings.Join(words, " ")
}

// Brief is the step on one line, with long arguments shortened.
func (s Step) Brief() string {
	words := []string{s.Func}
	for _, a := range s.Args {
		if n := strings.Count(a, "\n"); n > 0 {
			words = append(words, fmt.Sprintf("<%d lines>", n))
		} else {
			words = append(words, Quote(a))
		}
	}
	return strings.Join(words, " ")
}

// Quote makes a text one word of shell.
func Quote(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,+@%=") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Item is what one part of a host needs.
type Item struct {
	Key   string
	Needs []string // keys that must not have failed
	Steps []Step
	// Host marks what is nothing for a DaemonSet: packages, drivers, the kernel's command line.
	Host bool
	// Slow marks what may take minutes.
	Slow bool
}

// Options are what a script does besides its items.
type Options struct {
	// Profile identifies what is wanted; reboots are counted for it.
	Profile string
	// Facts are the functions that print the host's facts, and np_facts is called at the end. Empty: no facts.
	Facts string
}

// Body is a script without its carrier.
type Body struct{ text string }

// New puts a script together.
func New(items []Item, o Options) Body {
	var b strings.Builder
	speed := "fast"
	for i, item := range items {
		if item.Slow {
			speed = "slow"
		}
		if slices.ContainsFunc(item.Steps, func(s Step) bool { return strings.Contains(s.String(), "$") }) {
			b.WriteString("# shellcheck disable=SC2016 # files may hold dollar signs\n")
		}
		fmt.Fprintf(&b, "np_item_%d() {\n", i+1)
		for n, s := range item.Steps {
			b.WriteString("\t" + s.String())
			if n < len(item.Steps)-1 {
				b.WriteString(" || return")
			}
			b.WriteString("\n")
		}
		b.WriteString("}\n\n")
	}
	b.WriteString("np_items() {\n\t:\n")
	for i, item := range items {
		kind := "anywhere"
		if item.Host {
			kind = "host"
		}
		fmt.Fprintf(&b, "\tnp_run %s %s np_item_%d %s\n", Quote(item.Key), Quote(strings.Join(item.Needs, " ")), i+1, kind)
	}
	b.WriteString("}\n\n")
	b.WriteString(o.Facts)
	fmt.Fprintf(&b, "\nif [ \"${1:-}\" = here ]; then\n\tnp_apply_here %[1]s\nelse\n\tnp_apply %[1]s %[2]s\nfi\nnp_code=$?\n", Quote(o.Profile), speed)
	b.WriteString("if [ \"${np_self_reboot:-}\" = yes ]; then np_resume_unit; fi\n")
	if o.Facts != "" {
		b.WriteString("if [ \"${1:-}\" != here ]; then np_facts; fi\n")
	}
	// Before a node joins its cluster it is no failure: nodeadm waits for cloud-init to end well, and a node that lacks a
	// setting is better than none.
	b.WriteString("[ \"${np_mode:-}\" = user-data ] || [ \"$np_code\" = 0 ]\n")
	return Body{library().needed(b.String()) + b.String()}
}

// Reboot is a script that reboots a host for the reasons that the last run left.
func Reboot() Body {
	const call = "np_reboot_now\n"
	return Body{library().needed(call) + call}
}

// Revert is a script that undoes what a host was given.
func Revert() Body {
	const call = "np_revert\n"
	return Body{library().needed(call) + call}
}

// Of is the body of any other script, such as one that asks for facts.
func Of(text string) Body { return Body{text} }

// String is the body's text.
func (b Body) String() string { return b.text }

// Hash identifies the body.
func (b Body) Hash() string {
	sum := sha256.Sum256([]byte(strings.TrimRight(b.text, "\n")))
	return hex.EncodeToString(sum[:])
}

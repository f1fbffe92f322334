package inventory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

// Host is one host of an inventory.
type Host struct {
	// Name is what reports call it: as it was written, without the user.
	Name string
	// Pool is the pool that it belongs to; empty where hosts have none.
	Pool   string
	Target remote.Target
	// KnownHosts is the file with its key; empty: the user's own.
	KnownHosts string
	// Profile is what the host should be. One without a name is to be chosen elsewhere.
	Profile profile.Profile
}

// Pool is hosts that are reached and prepared the same way. Its JSON is an entry of a stack's output "pools".
type Pool struct {
	// Hosts are addresses or names, as [user@]host[:port].
	Hosts []string `json:"hosts"`
	// User and Port are those of hosts that name none.
	User string `json:"user,omitempty"`
	Port int    `json:"port,omitempty"`
	// KeyFile is a private key; empty: the agent's.
	KeyFile    string `json:"keyFile,omitempty"`
	KnownHosts string `json:"knownHosts,omitempty"`
	// Bastion is the way to the hosts: [user@]host[:port], several divided by commas, the first to be reached first.
	Bastion string `json:"bastion,omitempty"`
	// Profile is what the hosts should be. In JSON it may be the name of a built-in profile as well.
	Profile profile.Profile `json:"profile"`
}

// Output is the pool as a value of a stack's output.
func (p Pool) Output() map[string]any {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // texts and numbers
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err) // it was made a line above
	}
	return out
}

// UnmarshalJSON reads a pool. Keys that there are not are refused: one that is misspelt would be left out silently.
func (p *Pool) UnmarshalJSON(text []byte) error {
	type plain Pool
	in := struct {
		*plain
		Profile json.RawMessage `json:"profile"`
	}{plain: (*plain)(p)}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return err
	}
	if len(in.Profile) == 0 || string(in.Profile) == "null" {
		return nil
	}
	var name string
	if json.Unmarshal(in.Profile, &name) == nil {
		found, ok := profile.BuiltIn(name)
		if !ok {
			return fmt.Errorf("there is no built-in profile %q; there are %s", name, strings.Join(profile.Names(), ", "))
		}
		p.Profile = found
		return nil
	}
	return json.Unmarshal(in.Profile, &p.Profile)
}

// Where says what relative paths of files begin at: a folder, and the user's home for ~.
type Where struct{ Dir, Home string }

// path is a file of an inventory as the machine knows it.
func (w Where) path(name string) string {
	switch {
	case name == "":
		return ""
	case strings.HasPrefix(name, "~/"):
		return filepath.Join(w.Home, name[2:])
	case filepath.IsAbs(name):
		return name
	}
	return filepath.Join(w.Dir, name)
}

// list gives the hosts of a pool, and everything that is wrong with them.
func (p Pool) list(name string, w Where) ([]Host, error) {
	var hosts []Host
	var problems []error
	if p.Port < 0 || p.Port > 65535 {
		problems = append(problems, fmt.Errorf("port %d is no number from 1 to 65535", p.Port))
	}
	bastions, err := p.bastions(w)
	if err != nil {
		problems = append(problems, err)
	}
	for _, text := range p.Hosts {
		t, err := remote.ParseTarget(text)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if !namesPort(text) {
			t.Port = p.Port // 0 where none is named: an SSH configuration may know it
		}
		if t.User == "" {
			t.User = p.User
		}
		if p.KeyFile != "" {
			t.KeyFiles = []string{w.path(p.KeyFile)}
		}
		t.Bastions = bastions
		_, shown, found := strings.Cut(text, "@")
		if !found {
			shown = text
		}
		hosts = append(hosts, Host{Name: shown, Pool: name, Target: t, KnownHosts: w.path(p.KnownHosts), Profile: p.Profile})
	}
	return hosts, errors.Join(problems...)
}

// bastions are the pool's, with the key of its hosts where it has one: an inventory names a single one.
func (p Pool) bastions(w Where) ([]remote.Target, error) {
	if p.Bastion == "" {
		return nil, nil
	}
	var hops []remote.Target
	for text := range strings.SplitSeq(p.Bastion, ",") {
		hop, err := remote.ParseTarget(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("bastion: %w", err)
		}
		if hop.User == "" {
			hop.User = p.User
		}
		if p.KeyFile != "" {
			hop.KeyFiles = []string{w.path(p.KeyFile)}
		}
		hops = append(hops, hop)
	}
	return hops, nil
}

// namesPort says whether a host is written with its port; an address of IPv6 has colons of its own.
func namesPort(text string) bool {
	_, after, bracketed := strings.Cut(text, "]")
	if bracketed {
		return strings.HasPrefix(after, ":")
	}
	return strings.Count(text, ":") == 1
}

// unique refuses hosts that are reached at the same place by the same way.
func unique(hosts []Host) error {
	var problems []error
	seen := map[string]bool{}
	for _, h := range hosts {
		at := h.Target.Address()
		for _, hop := range h.Target.Bastions {
			at += " behind " + hop.Address()
		}
		if seen[at] {
			problems = append(problems, fmt.Errorf("%s is there twice", at))
		}
		seen[at] = true
	}
	return errors.Join(problems...)
}

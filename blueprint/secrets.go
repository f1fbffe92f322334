package blueprint

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// A sensitiveMark marks the value of a sensitive variable; cty carries it through every expression.
type sensitiveMark struct{}

// secrets remembers what must not be printed: the texts of sensitive values, and where their defaults stand in the
// source, since a drawn diagnostic shows source lines.
type secrets struct {
	texts  map[string]bool
	ranges []hcl.Range
}

func newSecrets() *secrets { return &secrets{texts: map[string]bool{}} }

// add remembers every string and number inside a sensitive value.
func (s *secrets) add(v cty.Value) {
	v, _ = v.UnmarkDeep()
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		if v.IsNull() || !v.IsKnown() {
			return false, nil
		}
		switch v.Type() {
		case cty.String:
			s.addText(v.AsString())
		case cty.Number:
			s.addText(v.AsBigFloat().Text('f', -1))
		}
		return true, nil
	})
}

// addText remembers a text. A very short one cannot be told from the words around it, so only the places that print
// values leave it out.
func (s *secrets) addText(text string) {
	if len(text) >= 3 {
		s.texts[text] = true
	}
}

// redact replaces every remembered text; longer ones first, since one may contain another.
func (s *secrets) redact(text string) string {
	if len(s.texts) == 0 {
		return text
	}
	longestFirst := slices.SortedFunc(maps.Keys(s.texts), func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	for _, secret := range longestFirst {
		text = strings.ReplaceAll(text, secret, redacted)
	}
	return text
}

// mask returns the files with every sensitive default overwritten, byte for byte, so that ranges still fit.
func (s *secrets) mask(files map[string]*hcl.File) map[string]*hcl.File {
	if len(s.ranges) == 0 {
		return files
	}
	out := maps.Clone(files)
	for _, at := range s.ranges {
		file := out[at.Filename]
		if file == nil || !at.CanSliceBytes(file.Bytes) {
			continue
		}
		masked := bytes.Clone(file.Bytes)
		for i := at.Start.Byte; i < at.End.Byte; i++ {
			if masked[i] != '\n' {
				masked[i] = '*'
			}
		}
		out[at.Filename] = &hcl.File{Body: file.Body, Bytes: masked, Nav: file.Nav}
	}
	return out
}

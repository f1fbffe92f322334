package nodeprep

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// hidden stands for a secret.
const hidden = "[secret]"

// Redactor takes secrets out of texts.
type Redactor struct{ secrets []string }

// NewRedactor knows a profile's secrets and any others, such as a passphrase.
func NewRedactor(p profile.Profile, others ...string) Redactor {
	secrets := others
	for _, i := range items() {
		for _, k := range i.Keys {
			if value := p.Values[k.Name]; k.Secret && value != "" {
				secrets = append(secrets, value)
			}
		}
	}
	secrets = slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(s) < 4 })
	// The longest first, or a secret that contains another would be left in pieces.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return Redactor{slices.Compact(secrets)}
}

// Text is a text without secrets. A secret that is broken over lines, or quoted for a shell, is one all the same.
func (r Redactor) Text(text string) string {
	for _, s := range r.secrets {
		text = strings.ReplaceAll(text, s, hidden)
		if q := strings.ReplaceAll(s, "'", `'\''`); q != s {
			text = strings.ReplaceAll(text, q, hidden)
		}
	}
	return text
}

// Error is an error whose text has no secrets; errors.Is and errors.As see through it.
func (r Redactor) Error(err error) error {
	if err == nil || r.Text(err.Error()) == err.Error() {
		return err
	}
	return &redactedError{text: r.Text(err.Error()), cause: err}
}

type redactedError struct {
	text  string
	cause error
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.cause }

package nodeprep

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// hidden stands for a secret.
const hidden = "[secret]"

// Redactor takes secrets out of texts.
type Redactor struct {
	spellings []string
	broken    []*regexp.Regexp // over lines
}

// NewRedactor knows a profile's secrets and any others, such as a passphrase.
func NewRedactor(p profile.Profile, others ...string) Redactor {
	secrets := slices.Clone(others)
	for _, i := range items() {
		for _, k := range i.Keys {
			if value := p.Values[k.Name]; k.Secret && value != "" {
				secrets = append(secrets, value)
			}
		}
	}
	var r Redactor
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, s := range secrets {
		if len(s) < shortest {
			continue
		}
		r.spellings = append(append(r.spellings, spellings(s)...), pieces(s)...)
		if len(s) <= longest && utf8.ValidString(s) {
			r.broken = append(r.broken, overLines(s))
		}
	}
	// The longest first, or a secret that contains another would be left in pieces.
	slices.SortFunc(r.spellings, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	r.spellings = slices.Compact(r.spellings)
	return r
}

// What is shorter is no secret, and what is longer is not looked for in pieces.
const (
	shortest      = 4
	longest       = 256
	shortestPiece = 8
)

// spellings are the ways in which a secret gets into a text: as it is, as an argument in a shell, in quotes of JSON and
// of Go, packed, and with blanks where a host takes line ends and tabs out.
func spellings(s string) []string {
	quoted := strconv.Quote(s)
	document, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string
	}
	return []string{
		s, strings.ReplaceAll(s, "'", `'\''`), quoted[1 : len(quoted)-1], string(document[1 : len(document)-1]),
		base64.StdEncoding.EncodeToString([]byte(s)), strings.NewReplacer("\n", " ", "\t", " ").Replace(s),
	}
}

// pieces are what is left of a secret where a message was cut off in the middle of it: at least half.
func pieces(s string) []string {
	var out []string
	for n := len(s) - 1; n >= max(shortestPiece, (len(s)+1)/2) && len(s) <= longest; n-- {
		out = append(out, s[:n], s[len(s)-n:])
	}
	return out
}

// overLines finds a secret that a tool has broken over lines.
func overLines(s string) *regexp.Regexp {
	var pattern []string
	for _, c := range s {
		pattern = append(pattern, regexp.QuoteMeta(string(c)))
	}
	return regexp.MustCompile(strings.Join(pattern, `(?:\r?\n[ \t]*)?`))
}

// Text is a text without secrets. A secret that is broken over lines, cut off, or quoted for a shell, is one all the same.
func (r Redactor) Text(text string) string {
	for _, b := range r.broken {
		text = b.ReplaceAllLiteralString(text, hidden)
	}
	for _, s := range r.spellings {
		text = strings.ReplaceAll(text, s, hidden)
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

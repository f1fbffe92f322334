package blueprint

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestNotPlainText holds a source that is no text to one diagnostic, at the byte that is wrong, which shows nothing raw.
func TestNotPlainText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src          string
		line, column int
	}{
		"not UTF-8":                  {"# é\nenvironment \"dev\" { region = \"us-\xff\" }\n", 2, 34},
		"UTF-16":                     {"\xff\xfee\x00n\x00v\x00", 1, 1},
		"NUL in a string":            {"locals {\n  a = \"x\x00y\"\n}\n", 2, 9},
		"carriage returns alone":     {"locals {\r  a = 1\r}\r", 1, 9},
		"escape in a comment":        {"# \x1b[2J\n", 1, 3},
		"behind good line ends":      {"locals {\r\n  a = 1\r\n}\r\n\x07", 4, 1},
		"behind a replacement mark":  {"# \uFFFD fine\n\x07", 2, 1},
		"two carriage returns a row": {"locals {\r\r\n}", 1, 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := Parse([]byte(c.src), "it.hcl", testOptions())
			list := diags.List()
			if len(list) != 1 || list[0].Summary != "Not plain text" {
				t.Fatalf("got %v, want one diagnostic, Not plain text", list)
			}
			if at := list[0].Subject.Start; at.Line != c.line || at.Column != c.column {
				t.Errorf("at %d:%d, want %d:%d", at.Line, at.Column, c.line, c.column)
			}
			if drawn := diags.Err().Error(); !utf8.ValidString(drawn) || strings.ContainsAny(drawn, "\x00\x07\x1b\r") {
				t.Errorf("raw bytes in %q", drawn)
			}
		})
	}
}

// TestLineEnds loads text that is only unusual.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	const src = "environment \"dev\" {\r\n\tregion = \"us-west-2\" # \uFFFD\r\n}\r\n"
	if _, diags := Parse([]byte(src), "it.hcl", testOptions()); diags.Errors() != 0 {
		t.Error(diags.Err())
	}
}

// TestEscapedControl holds a control character that a value spells out to an escape in the message.
func TestEscapedControl(t *testing.T) {
	t.Parallel()
	_, diags := Parse([]byte("environment \"dev\" { region = \"us\\u001b[2J\" }\n"), "it.hcl", testOptions())
	if drawn := diags.Err().Error(); strings.Contains(drawn, "\x1b") || !strings.Contains(drawn, `us\u001b[2J`) {
		t.Errorf("%q shows the control character raw", drawn)
	}
}

package blueprint

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// unreadable finds the first byte of a source that is no text: what is not UTF-8, a control character, a carriage
// return that ends no line. A parser would stumble over each in several places, and none can be shown.
func unreadable(src []byte) (hcl.Range, bool) {
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 || control(r) && !bytes.HasPrefix(src[at:], []byte("\r\n")) {
			before := src[:at]
			line := bytes.LastIndexByte(before, '\n') + 1
			pos := hcl.Pos{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[line:]), Byte: at}
			return hcl.Range{Start: pos, End: pos}, true
		}
		at += size
	}
	return hcl.Range{}, false
}

// control tells the control characters that no text needs from line feeds and tabs.
func control(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// printable writes control characters as escapes, so that a value can neither move the cursor nor hide in a message.
func printable(text string) string {
	if strings.IndexFunc(text, control) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if control(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

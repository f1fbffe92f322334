package blueprint

import (
	"bytes"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// widestLine is how many bytes of a line of source are drawn.
const widestLine = 240

// longWord is a word that fills several lines of a message.
var longWord = regexp.MustCompile(`\S{240,}`)

// cutWords shortens the words of a text that are too long to be read: values and names that it quotes.
func cutWords(text string) string {
	return longWord.ReplaceAllStringFunc(text, func(word string) string { return word[:wholeRune([]byte(word), widestLine/4)] + "…" })
}

// cutLine returns a diagnostic and the files to draw it with. Where a line that it would show is too long, that is a stand-in
// for its file, of nothing but the part of its first line around the mistake.
func cutLine(d *hcl.Diagnostic, files map[string]*hcl.File) (*hcl.Diagnostic, map[string]*hcl.File) {
	if d.Subject == nil || files[d.Subject.Filename] == nil {
		return d, files
	}
	file, shown := files[d.Subject.Filename], *d.Subject
	if d.Context != nil {
		shown = hcl.RangeOver(shown, *d.Context)
	}
	src := file.Bytes
	place := func(i int) int { return min(max(i, 0), len(src)) }
	long := func(line []byte) bool { return len(line) > widestLine }
	first := lineAround(src, place(shown.Start.Byte))
	last := lineAround(src, place(shown.End.Byte))
	if !slices.ContainsFunc(bytes.Split(src[first[0]:max(last[1], first[1])], []byte{'\n'}), long) {
		return d, files
	}
	start, line := place(d.Subject.Start.Byte), lineAround(src, place(d.Subject.Start.Byte))
	from := wholeRune(src, max(line[0], start-widestLine/4))
	to := wholeRune(src, min(line[1], from+widestLine))
	text := bytes.Repeat([]byte{'\n'}, max(d.Subject.Start.Line-1, 0))
	if from > line[0] {
		text = append(text, "…"...)
	}
	subject := *d.Subject
	shift := len(text) - from
	subject.Start.Byte, subject.End.Byte, subject.End.Line = start+shift, max(min(place(subject.End.Byte), to), start)+shift, subject.Start.Line
	text = append(text, src[from:to]...)
	if to < line[1] {
		text = append(text, "…"...)
	}
	cut := *d
	cut.Subject, cut.Context = &subject, nil
	return &cut, map[string]*hcl.File{subject.Filename: {Bytes: text, Nav: placed{file.Nav, start}}}
}

// lineAround is where the line around a place begins and ends.
func lineAround(src []byte, at int) [2]int {
	end := len(src)
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		end = at + i
	}
	return [2]int{bytes.LastIndexByte(src[:at], '\n') + 1, end}
}

// wholeRune is the nearest place before one that splits no character.
func wholeRune(src []byte, at int) int {
	for at > 0 && at < len(src) && !utf8.RuneStart(src[at]) {
		at--
	}
	return at
}

// placed answers as a file does, whatever the place, for one of the file.
type placed struct {
	nav any
	at  int
}

// ContextString names the block around the place, for the writer of diagnostics.
func (p placed) ContextString(int) string {
	if nav, ok := p.nav.(interface{ ContextString(int) string }); ok {
		return cutWords(nav.ContextString(p.at))
	}
	return ""
}

package main

import (
	"fmt"
	"io"
)

// statusLine is one line at the end of a terminal that is written over. A nil statusLine shows nothing.
type statusLine struct {
	out   io.Writer
	width int
	shown bool
}

func (s *statusLine) show(text string) {
	if s == nil {
		return
	}
	s.clear()
	if text == "" {
		return
	}
	if r := []rune(text); len(r) > s.width-1 {
		text = string(r[:s.width-1])
	}
	fmt.Fprintf(s.out, "\x1b[2m%s\x1b[0m", text)
	s.shown = true
}

func (s *statusLine) clear() {
	if s != nil && s.shown {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.shown = false
	}
}

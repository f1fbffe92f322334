package nodeprep

import (
	"fmt"
	"strings"
)

// Diff is a file change as a unified diff with three lines of context.
func (c FileChange) Diff() string {
	before, after := splitLines(c.Before), splitLines(c.After)
	edits := editScript(before, after)
	from := "a" + c.Path
	if c.Before == "" {
		from = "/dev/null"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ b%s\n", from, c.Path)
	for start := 0; start < len(edits); {
		if edits[start].kind == ' ' {
			start++
			continue
		}
		low := max(0, start-surrounding)
		end := hunkEnd(edits, start)
		writeHunk(&b, edits, low, end)
		start = end
	}
	return b.String()
}

// surrounding is how many equal lines surround a change.
const surrounding = 3

type edit struct {
	kind byte // ' ', '-' or '+'
	line string
}

func splitLines(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// editScript finds the longest common subsequence; files of nodeprep are short.
func editScript(a, b []string) []edit {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var edits []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			edits = append(edits, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			edits = append(edits, edit{'-', a[i]})
			i++
		default:
			edits = append(edits, edit{'+', b[j]})
			j++
		}
	}
	return edits
}

// hunkEnd is where the change that begins at start, with what is near, has its last line of context.
func hunkEnd(edits []edit, start int) int {
	last := start
	for n := start; n < len(edits) && n-last <= 2*surrounding; n++ {
		if edits[n].kind != ' ' {
			last = n
		}
	}
	return min(len(edits), last+1+surrounding)
}

func writeHunk(b *strings.Builder, edits []edit, low, end int) {
	oldStart, newStart := 1, 1
	for _, e := range edits[:low] {
		if e.kind != '+' {
			oldStart++
		}
		if e.kind != '-' {
			newStart++
		}
	}
	oldCount, newCount := 0, 0
	for _, e := range edits[low:end] {
		if e.kind != '+' {
			oldCount++
		}
		if e.kind != '-' {
			newCount++
		}
	}
	if oldCount == 0 {
		oldStart--
	}
	if newCount == 0 {
		newStart--
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", oldStart, oldCount, newStart, newCount)
	for _, e := range edits[low:end] {
		fmt.Fprintf(b, "%c%s\n", e.kind, e.line)
	}
}

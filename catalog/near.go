package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxNear is how many near names are suggested.
const maxNear = 3

// Near returns up to three of the names in from that are near name, best first, for a "did you mean".
//
// A name is near if few letters are missing, extra, wrong or swapped, or if it continues name. Case does not count. Of
// names equally far, the one that shares more of its beginning and end is nearer: "p5n.48xlarge" is p5en.48xlarge
// rather than p5e.48xlarge.
func Near(name string, from []string) []string {
	type candidate struct {
		name         string
		cost, shared int
	}
	typed := strings.ToLower(name)
	var near []candidate
	for _, known := range from {
		lower := strings.ToLower(known)
		longer := max(len(typed), len(lower))
		cost := editDistance(typed, lower)
		if len(typed) > 1 && strings.HasPrefix(lower, typed) {
			cost = min(cost, 1)
		}
		if cost <= max(1, longer/3) && cost < longer {
			near = append(near, candidate{known, cost, sharedEnds(typed, lower)})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(b.shared, a.shared), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, c := range near[:min(maxNear, len(near))] {
		names = append(names, c.name)
	}
	return names
}

// maxListed is how many names are listed where none is near.
const maxListed = 10

// Instead continues the sentence that there is no such name: ": did you mean A or B?" with the near names in known, or
// "; there are A, B and 12 more" without any, or nothing if nothing is known.
func Instead(name string, known []string) string {
	if near := Near(name, known); len(near) > 0 {
		return ": did you mean " + strings.Join(near, " or ") + "?"
	}
	switch n := len(known); {
	case n == 0:
		return ""
	case n == 1:
		return "; there is " + known[0]
	case n > maxListed:
		return fmt.Sprintf("; there are %s and %d more", strings.Join(known[:maxListed], ", "), n-maxListed)
	default:
		return "; there are " + strings.Join(known[:n-1], ", ") + " and " + known[n-1]
	}
}

// editDistance counts the letters to insert, delete, replace or swap with their neighbour to turn a into b (the
// optimal string alignment distance).
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// sharedEnds counts the letters that a and b share at their beginning and, apart from those, at their end.
func sharedEnds(a, b string) int {
	n := min(len(a), len(b))
	head := 0
	for head < n && a[head] == b[head] {
		head++
	}
	tail := 0
	for head+tail < n && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head + tail
}

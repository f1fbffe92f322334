package nodeprep

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// legal says what is wrong with a value by saying what is legal, or returns nothing.
type legal func(value string) string

// oneOf takes some words.
func oneOf(words ...string) legal {
	return func(value string) string {
		for _, w := range words {
			if w == value {
				return ""
			}
		}
		return "legal: " + strings.Join(words, ", ")
	}
}

// within takes whole numbers of a range.
func within(low, high int64) legal {
	return func(value string) string {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < low || n > high {
			return fmt.Sprintf("legal: a whole number from %d to %d", low, high)
		}
		return ""
	}
}

// matching takes what a pattern matches whole.
func matching(pattern, what string) legal {
	re := regexp.MustCompile(`^(?:` + pattern + `)$`)
	return func(value string) string {
		if re.MatchString(value) {
			return ""
		}
		return "legal: " + what
	}
}

// either takes what one of two takes.
func either(a, b legal) legal {
	return func(value string) string {
		first := a(value)
		second := b(value)
		if first == "" || second == "" {
			return ""
		}
		return first + ", or " + strings.TrimPrefix(second, "legal: ")
	}
}

// version takes the exact version of an upstream release.
var version = matching(`[0-9]{1,4}(\.[0-9]{1,4}){1,3}`, "an exact version such as 580.95.05")

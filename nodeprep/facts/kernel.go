package facts

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// NextKernel is the release that boots next: the newest that has an image. Where images are not known, it is the one
// that runs.
func (h *Host) NextKernel() string {
	var releases []string
	for file := range h.Kernel.Images {
		if release, found := strings.CutPrefix(path.Base(file), "vmlinuz-"); found && !strings.Contains(release, "rescue") {
			releases = append(releases, release)
		}
	}
	if len(releases) == 0 {
		return h.Kernel.Release
	}
	return slices.MaxFunc(releases, CompareReleases)
}

// CompareReleases compares releases as versions: numbers by size, the rest by letters.
func CompareReleases(a, b string) int {
	for a != "" && b != "" {
		wordA, restA := leading(a)
		wordB, restB := leading(b)
		numA, errA := strconv.Atoi(wordA)
		numB, errB := strconv.Atoi(wordB)
		c := cmp.Compare(wordA, wordB)
		if errA == nil && errB == nil {
			c = cmp.Compare(numA, numB)
		}
		if c != 0 {
			return c
		}
		a, b = restA, restB
	}
	return cmp.Compare(a, b)
}

// leading splits off the digits, or the other characters, that a text begins with.
func leading(text string) (word, rest string) {
	digit := unicode.IsDigit(rune(text[0]))
	i := strings.IndexFunc(text, func(r rune) bool { return unicode.IsDigit(r) != digit })
	if i < 0 {
		return text, ""
	}
	return text[:i], text[i:]
}

// KernelBefore says whether the running kernel is older than a release. A kernel that is not known is not.
func (h *Host) KernelBefore(major, minor int) bool {
	parts := strings.FieldsFunc(h.Kernel.Release, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(parts) < 2 {
		return false
	}
	have, _ := strconv.Atoi(parts[0])
	haveMinor, _ := strconv.Atoi(parts[1])
	return have < major || have == major && haveMinor < minor
}

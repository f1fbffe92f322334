package facts

import (
	"cmp"
	"path"
	"regexp"
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

// CompareReleases compares releases as packages' versions: numbers by size, and a number is newer than a word.
func CompareReleases(a, b string) int {
	segmentsA, segmentsB := segments(a), segments(b)
	for n := range min(len(segmentsA), len(segmentsB)) {
		numA, errA := strconv.Atoi(segmentsA[n])
		numB, errB := strconv.Atoi(segmentsB[n])
		c := 0
		switch {
		case errA == nil && errB == nil:
			c = cmp.Compare(numA, numB)
		case errA == nil:
			c = 1
		case errB == nil:
			c = -1
		default:
			c = cmp.Compare(segmentsA[n], segmentsB[n])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(segmentsA), len(segmentsB))
}

var segment = regexp.MustCompile(`[0-9]+|[A-Za-z]+`)

// segments are the numbers and words of a release.
func segments(release string) []string { return segment.FindAllString(release, -1) }

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

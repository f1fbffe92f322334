package pack

import (
	"regexp"
	"strings"
)

var chartVersionPinned = Policy{
	Name: "chart-version-pinned", Level: Mandatory, Area: Cluster,
	Summary: "Helm charts state one version.",
	Why:     "Without a version, or with a range, the next update installs whatever was published since, in the middle of another change.",
	Fix:     "Set `version` to one version. A chart from a folder needs none.",
	Tokens:  []string{tokenRelease, tokenChart},

	Resource: func(r *Resource, _ Config) []Finding {
		version := r.Get("version")
		text, ok := version.TextOr("")
		chart, known := r.Get("chart").Text()
		local := strings.HasPrefix(chart, "./") || strings.HasPrefix(chart, "../") || strings.HasPrefix(chart, "/") || strings.HasSuffix(chart, ".tgz")
		if !ok || !known || local || exactVersion.MatchString(text) {
			return nil
		}
		if text == "" {
			return one("The chart %s has no version.", r.Get("chart").Quote())
		}
		return one("The version of the chart %s is %s, which is not one version.", r.Get("chart").Quote(), version.Quote())
	},
}

// exactVersion matches one version of semantic versioning, and none that leaves a part open.
var exactVersion = regexp.MustCompile(`^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$`)

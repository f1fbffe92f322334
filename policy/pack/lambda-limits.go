package pack

import (
	"strings"
)

var lambdaLimits = Policy{
	Name: "lambda-limits", Level: Mandatory, Area: Serverless,
	Summary: "Timeout, memory and scratch space of functions are within Lambda's limits, and the timeout is stated.",
	Why: "Beyond a limit the update fails after everything else was made. The default timeout is 3 seconds, which a function that loads " +
		"a model never meets.",
	Fix: "Keep `timeout` within 1 to 900 seconds, `memorySize` within 128 to 10240 MB and `ephemeralStorage.size` within 512 to 10240 MB. " +
		"What needs more belongs on a node pool.",
	Tokens:   []string{tokenFunction},
	Resource: judgeLambdaLimits,
}

// lambdaRanges are Lambda's limits.
// Source: Lambda Developer Guide, "Lambda quotas".
var lambdaRanges = []struct {
	path      []string
	low, high float64
	unit      string
}{
	{[]string{"timeout"}, 1, 900, "seconds"},
	{[]string{"memorySize"}, 128, 10240, "MB"},
	{[]string{"ephemeralStorage", "size"}, 512, 10240, "MB"},
}

func judgeLambdaLimits(r *Resource, _ Config) []Finding {
	var findings []Finding
	for _, limit := range lambdaRanges {
		v := r.Get(limit.path...)
		if n, ok := v.Number(); ok && (n < limit.low || n > limit.high) {
			findings = append(findings, one("%s is %s, and %.0f to %.0f %s are possible.", strings.Join(limit.path, "."), v.Quote(), limit.low, limit.high, limit.unit)...)
		}
	}
	if r.Get("timeout").Absent() {
		findings = append(findings, one("timeout is left out, which means 3 seconds.")...)
	}
	return findings
}

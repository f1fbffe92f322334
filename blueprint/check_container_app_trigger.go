package blueprint

import (
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

var cronField = regexp.MustCompile(`^[0-9A-Za-z*/,-]+$`)

// checkContainerAppTrigger refuses settings of another trigger, and runs that their own settings end or never finish.
//
// Source: Azure Container Apps, "Jobs in Azure Container Apps" (five fields in UTC; parallelism and completions).
func checkContainerAppTrigger(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		var diags hcl.Diagnostics
		if a.Trigger != nil {
			diags = judgeTrigger(a.Trigger)
		}
		job := a.Trigger != nil && a.Trigger.Kind.Value != "http"
		switch {
		case !job && a.Timeout.IsSet():
			diags = append(diags, errorf(a.Timeout.Range, "Timeout without a job", "timeout ends a run of a job. Without a trigger of another kind than http this is an app, which answers requests."))
		case job && a.Ingress != nil:
			diags = append(diags, errorf(a.Ingress.Range, "Ingress of a job", "A job answers no requests: ingress belongs to trigger = { kind = \"http\" }."))
		case job && len(a.Probes) > 0:
			diags = append(diags, errorf(a.Probes[0].Range, "Probes of a job", "A job is judged by its exit code and timeout: probes belong to trigger = { kind = \"http\" }."))
		}
		if a.Completions.Value > a.Parallelism.Value {
			at := a.Completions.Range
			diags = append(diags, errorf(at, "More completions than replicas", "A run counts as done when %d replicas have succeeded, and %d work on it. Raise parallelism, or lower completions.", a.Completions.Value, a.Parallelism.Value))
		}
		if run := a.ExpectedRun; job && run.IsSet() && run.Value > a.Timeout.Value {
			diags = append(diags, errorf(run.Range, "Run beyond the timeout", "A run is expected to take %s, and timeout ends it after %s. Write timeout = %q.", formatDuration(run.Value), formatDuration(a.Timeout.Value), formatDuration(run.Value*3/2)))
		}
		return diags
	})
}

func judgeTrigger(t *Trigger) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if t.Length.IsSet() && t.Kind.Value != "queue" {
		diags = append(diags, errorf(t.Length.Range, "Length without a queue", `length belongs to kind = "queue".`))
	}
	if t.Concurrency.IsSet() && t.Kind.Value != "http" {
		diags = append(diags, errorf(t.Concurrency.Range, "Concurrency without requests", `concurrency belongs to kind = "http".`))
	}
	switch scheduled := t.Kind.Value == "schedule"; {
	case !scheduled && t.Schedule.IsSet():
		diags = append(diags, errorf(t.Schedule.Range, "Schedule of another trigger", `schedule belongs to kind = "schedule".`))
	case scheduled && !t.Schedule.failed && !isCron(t.Schedule.Value):
		at := t.Schedule.Range
		if t.Schedule.missing() {
			at = t.Kind.Range
		}
		diags = append(diags, errorf(at, "Illegal schedule", `A schedule has five cron fields, in UTC, such as schedule = "0 3 * * *".`))
	}
	return diags
}

// isCron says whether a text has the five fields of cron.
func isCron(text string) bool {
	fields := strings.Fields(text)
	for _, f := range fields {
		if !cronField.MatchString(f) {
			return false
		}
	}
	return len(fields) == 5
}

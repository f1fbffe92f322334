// Package check judges a plan by the policy pack without an engine: the JSON of `pulumi preview --json`, or of
// `pulumi stack export`. It reads, judges and renders; it starts nothing and asks nobody.
//
//	plan, err := check.Read(src)
//	settings, err := check.ReadSettings(config)
//	report := check.Judge(plan, settings, time.Now())
//	err = report.Markdown(w)
//
// It gives the answer that the engine gives for the same plan: remediations first, then resource policies on inputs,
// then stack policies on all resources, with the levels and exceptions of the same configuration file. What a plan does
// not hold, it says instead of guessing; see Plan.Notes.
package check

package blueprint

import (
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

var imageDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// checkServerless refuses combinations that Lambda and Container Apps refuse.
//
// Sources: Lambda API, CreateFunction (one image), PutProvisionedConcurrencyConfig (within the reserved one); Azure
// Container Apps, "Jobs" (a schedule has five fields) and "Workload profiles".
func checkServerless(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Serverless {
		if s.Lambda != nil {
			diags = append(diags, judgeLambda(s.Lambda)...)
		}
		if s.ContainerApp != nil && s.ContainerApp.Trigger != nil {
			diags = append(diags, judgeTrigger(s.ContainerApp.Trigger)...)
		}
	}
	return diags
}

func judgeLambda(f *Lambda) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if i := f.Image; i.Repository.IsSet() && i.Tag.missing() == i.Digest.missing() {
		diags = append(diags, errorf(i.Range, "Tag or digest", "An image is named by a tag or by a digest, by one of them."))
	} else if i.Digest.IsSet() && !imageDigest.MatchString(i.Digest.Value) {
		diags = append(diags, errorf(i.Digest.Range, "Illegal digest", "%q is no digest: sha256: and 64 hexadecimal digits.", i.Digest.String()))
	}
	if f.ReservedConcurrency.IsSet() && f.ProvisionedConcurrency.Value > f.ReservedConcurrency.Value {
		diags = append(diags, errorf(f.ProvisionedConcurrency.Range, "More copies warm than allowed", "%d copies are kept warm, and reserved_concurrency allows %d.", f.ProvisionedConcurrency.Value, f.ReservedConcurrency.Value))
	}
	if w := f.Weights; w != nil {
		if w.Source.IsSet() && !strings.HasPrefix(w.Source.Value, "s3://") {
			diags = append(diags, errorf(w.Source.Range, "Illegal source of weights", "Weights are fetched from an address such as s3://bucket/model.safetensors."))
		}
		if w.Path.IsSet() && !strings.HasPrefix(w.Path.Value, "/tmp/") {
			diags = append(diags, errorf(w.Path.Range, "Illegal path of weights", "A function can write below /tmp/ only."))
		}
	}
	return diags
}

func judgeTrigger(t *Trigger) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if t.Length.IsSet() && t.Kind.Value != "queue" {
		diags = append(diags, errorf(t.Length.Range, "Length without a queue", `length belongs to kind = "queue".`))
	}
	switch scheduled := t.Kind.Value == "schedule"; {
	case !scheduled && t.Schedule.IsSet():
		diags = append(diags, errorf(t.Schedule.Range, "Schedule of another trigger", `schedule belongs to kind = "schedule".`))
	case scheduled && !t.Schedule.failed && len(strings.Fields(t.Schedule.Value)) != 5:
		at := t.Schedule.Range
		if t.Schedule.missing() {
			at = t.Kind.Range
		}
		diags = append(diags, errorf(at, "Illegal schedule", `A schedule has five cron fields, such as schedule = "0 3 * * *".`))
	}
	return diags
}

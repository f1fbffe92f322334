package blueprint

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// checkLambdaConcurrency refuses numbers of copies that contradict each other.
//
// Sources: Lambda API, PutProvisionedConcurrencyConfig (within the reserved one); Application Auto Scaling API,
// RegisterScalableTarget and PutScheduledAction.
func checkLambdaConcurrency(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		var diags hcl.Diagnostics
		atMost := func(v Value[int], what string) {
			if f.ReservedConcurrency.IsSet() && v.IsSet() && v.Value > f.ReservedConcurrency.Value {
				diags = append(diags, errorf(v.Range, "More copies than reserved", "%s, and reserved_concurrency allows %d.", fmt.Sprintf(what, v.Value), f.ReservedConcurrency.Value))
			}
		}
		if p := f.ProvisionedConcurrency; f.ReservedConcurrency.IsSet() && p.Value > f.ReservedConcurrency.Value {
			diags = append(diags, errorf(p.Range, "More copies warm than allowed", "%d copies are kept warm, and reserved_concurrency allows %d.", p.Value, f.ReservedConcurrency.Value))
		}
		if f.Queue != nil {
			atMost(f.Queue.MaxConcurrency, "The queue calls %d copies at once")
		}
		if f.Scaling == nil {
			return diags
		}
		atMost(f.Scaling.Max, "Up to %d copies are kept warm")
		return append(diags, judgeScaling(f)...)
	})
}

func judgeScaling(f *Lambda) hcl.Diagnostics {
	var diags hcl.Diagnostics
	s := f.Scaling
	switch {
	case f.ProvisionedConcurrency.Value == 0:
		diags = append(diags, errorf(s.Range, "Nothing to scale", "scaling moves the number of warm copies, and provisioned_concurrency keeps none. Set provisioned_concurrency to the fewest."))
	case s.Max.IsSet() && s.Max.Value < f.ProvisionedConcurrency.Value:
		diags = append(diags, errorf(s.Max.Range, "Bounds in the wrong order", "At most %d copies are kept warm, and provisioned_concurrency says %d at least.", s.Max.Value, f.ProvisionedConcurrency.Value))
	}
	names := map[string]bool{}
	for _, at := range s.Schedules {
		if at.Cron.IsSet() && len(strings.Fields(at.Cron.Value)) != 6 {
			diags = append(diags, errorf(at.Cron.Range, "Illegal schedule", "A schedule has six cron fields, with the year last and one of the days as ?, such as 0 8 ? * MON-FRI *."))
		}
		if at.Min.IsSet() && at.Max.IsSet() && at.Min.Value > at.Max.Value {
			diags = append(diags, errorf(at.Min.Range, "Bounds in the wrong order", "min and max are %d and %d, and the first must not be larger.", at.Min.Value, at.Max.Value))
		}
		diags = append(diags, judgeScheduleName(at.Name, names)...)
	}
	return diags
}

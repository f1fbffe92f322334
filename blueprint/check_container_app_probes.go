package blueprint

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

// checkContainerAppProbes refuses probes beyond Azure's bounds.
//
// Source: Azure Container Apps API 2025-01-01, ContainerAppProbe.
func checkContainerAppProbes(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		var diags hcl.Diagnostics
		seconds := func(v Value[time.Duration], name string, most int) {
			if v.IsSet() && (v.Value < time.Second || v.Value > time.Duration(most)*time.Second) {
				diags = append(diags, errorf(v.Range, "Probe out of bounds", "%s is %s, and must lie between 1s and %ds. A start that takes longer is tolerated by more failures: 10 with a period of 240s are 40 minutes.", name, formatDuration(v.Value), most))
			}
		}
		for _, p := range a.Probes {
			seconds(p.InitialDelay, "initial_delay", 60)
			seconds(p.Period, "period", 240)
			seconds(p.Timeout, "timeout", 240)
			if n := p.Failures; n.IsSet() && (n.Value < 1 || n.Value > 10) {
				diags = append(diags, errorf(n.Range, "Probe out of bounds", "failures is %d, and must lie between 1 and 10.", n.Value))
			}
		}
		return diags
	})
}

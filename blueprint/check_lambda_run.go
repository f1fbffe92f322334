package blueprint

import (
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// nearTimeout is the run that leaves Lambda's limit too little room for a slow start and a retry.
const nearTimeout = 13 * time.Minute

// checkLambdaRun refuses calls that are expected to outlast their timeout, and warns of those near Lambda's own limit.
//
// Source: Lambda Developer Guide, "Lambda quotas" (15 minutes).
func checkLambdaRun(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		run := f.ExpectedRun
		switch {
		case !run.IsSet():
		case run.Value > catalog.LambdaTimeoutMax*time.Second:
			return hcl.Diagnostics{errorf(run.Range, "Run beyond Lambda's limit",
				`A call is expected to take %s, and Lambda ends it after 15m. A job takes as long as its timeout says: serverless "container_app" with timeout = %q and a trigger.`,
				formatDuration(run.Value), formatDuration(run.Value*3/2))}
		case run.Value > f.Timeout.Value:
			return hcl.Diagnostics{errorf(run.Range, "Run beyond the timeout", "A call is expected to take %s, and timeout ends it after %s.", formatDuration(run.Value), formatDuration(f.Timeout.Value))}
		case run.Value > nearTimeout:
			return hcl.Diagnostics{warnf(run.Range, "Run near Lambda's limit",
				`A call is expected to take %s, and Lambda ends it after 15m whatever it has done by then. serverless "container_app" with a trigger has no such limit.`, formatDuration(run.Value))}
		}
		return nil
	})
}

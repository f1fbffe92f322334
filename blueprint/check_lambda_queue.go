package blueprint

import (
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// longestVisibility is the longest time that SQS hides a message.
// Source: SQS API, SetQueueAttributes.
const longestVisibility = 12 * time.Hour

// checkLambdaQueue refuses a queue that hands a message out again while it is still being handled.
//
// Source: Lambda Developer Guide, "Creating and configuring an Amazon SQS event source mapping".
func checkLambdaQueue(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		if f.Queue == nil || !f.Queue.Visibility.IsSet() {
			return nil
		}
		if least := min(f.Timeout.Value*catalog.LambdaQueueTimeouts, longestVisibility); f.Queue.Visibility.Value < least {
			return hcl.Diagnostics{errorf(f.Queue.Visibility.Range, "Visibility too short",
				"A message is handed out again after %s. With a timeout of %s it must stay hidden for %s, six times as long, or two copies work on it at once. Leave visibility out to get that.",
				formatDuration(f.Queue.Visibility.Value), formatDuration(f.Timeout.Value), formatDuration(least))}
		}
		return nil
	})
}

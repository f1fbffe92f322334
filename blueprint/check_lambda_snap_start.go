package blueprint

import "github.com/hashicorp/hcl/v2"

// checkLambdaSnapStart refuses SnapStart, which functions from an image do not have.
//
// Source: Lambda Developer Guide, "Improving startup performance with Lambda SnapStart", "Supported features and
// limitations".
func checkLambdaSnapStart(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		if !f.SnapStart.Value {
			return nil
		}
		return hcl.Diagnostics{errorf(f.SnapStart.Range, "SnapStart with an image",
			"Lambda has SnapStart for functions from a zip archive only. A function from an image starts warm with provisioned_concurrency = 1.")}
	})
}

package blueprint

import "github.com/hashicorp/hcl/v2"

// checkLambdaGPU refuses GPUs, which functions do not have.
//
// Source: Lambda Developer Guide, "Lambda quotas": processors come with memory, and nothing else does.
func checkLambdaGPU(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		if f.GPU.Value == 0 {
			return nil
		}
		return hcl.Diagnostics{errorf(f.GPU.Range, "GPU on Lambda",
			`Lambda has no GPUs. serverless "container_app" has them, with workload_profile = "Consumption-GPU-NC8as-T4" (16 GiB) or "Consumption-GPU-NC24-A100" (80 GiB), and scales to zero as well; for longer work there are node pools.`)}
	})
}

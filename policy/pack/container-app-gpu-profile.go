package pack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

var containerAppGPUProfile = Policy{
	Name: "container-app-gpu-profile", Level: Mandatory, Area: Serverless,
	Summary: "Workload profiles are ones that Azure has, and serverless ones state no counts.",
	Why:     "Azure refuses an unknown profile, and counts on a serverless one, after the environment has been half made.",
	Fix: "Take `Consumption`, `Consumption-GPU-NC8as-T4`, `Consumption-GPU-NC24-A100`, or a dedicated profile (`D4` to `D32`, `E4` to " +
		"`E32`, `NC24-A100` to `NC96-A100`) with counts.",
	Tokens:   []string{tokenManagedEnvironment},
	Resource: judgeContainerAppGPUProfile,
}

// profiles are the workload profile types.
// Source: Azure Container Apps documentation, "Workload profiles in Azure Container Apps".
var profiles = []string{
	"Consumption", "Consumption-GPU-NC8as-T4", "Consumption-GPU-NC24-A100", "Flexible", "D4", "D8", "D16", "D32", "E4", "E8", "E16", "E32",
	"NC24-A100", "NC48-A100", "NC96-A100",
}

func judgeContainerAppGPUProfile(r *Resource, _ Config) []Finding {
	list, _ := r.Get("workloadProfiles").List()
	var findings []Finding
	for i, p := range list {
		kind := p.Get("workloadProfileType")
		text, ok := kind.Text()
		switch {
		case !ok || len(findings) == 20: // enough to see what is wrong; near names take time
		case !slices.Contains(profiles, text):
			message := fmt.Sprintf("workloadProfiles[%d] has the type %s, which Azure does not have.", i, kind.Quote())
			if near := catalog.Near(text, profiles); len(near) > 0 && !kind.Secret() {
				message += " Did you mean " + strings.Join(near, " or ") + "?"
			}
			findings = append(findings, Finding{Message: message})
		case strings.HasPrefix(text, "Consumption") && !(p.Get("minimumCount").Absent() && p.Get("maximumCount").Absent()):
			findings = append(findings, one("workloadProfiles[%d] of type %s has counts: Azure takes none for it.", i, kind.Quote())...)
		}
	}
	return findings
}

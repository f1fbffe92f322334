package blueprint

import (
	"regexp"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

var azureRegion = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ]{2,30}$`)

// checkContainerAppRegion refuses regions without the hardware.
//
// Source: see catalog.WorkloadProfile.
func checkContainerAppRegion(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		profile, ok := catalog.LookupWorkloadProfile(a.WorkloadProfile.Value)
		switch {
		case !a.Location.IsSet():
			return nil
		case !azureRegion.MatchString(a.Location.Value):
			return hcl.Diagnostics{errorf(a.Location.Range, "Illegal region", "%q is no Azure region such as swedencentral.", a.Location.String())}
		case !ok || profile.OfferedIn(a.Location.Value):
			return nil
		}
		return hcl.Diagnostics{errorf(a.Location.Range, "Profile not offered in region",
			"Azure has %s in %s, and not in %s. This was so when the list was read; `az containerapp env workload-profile list-supported --location %s` says what holds today.",
			profile.Name, strings.Join(profile.Regions, ", "), a.Location.String(), catalog.AzureRegion(a.Location.String()))}
	})
}

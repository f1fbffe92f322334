package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/gpuyard/gpuyard/blueprint"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// maxSetup is how long the script of a profile may be in a pool's user data. What is left of the template's room is for
// the node configuration and for the scripts that reserve huge pages and split GPUs.
const maxSetup = gpunodes.MaxUserData - 2*1024

// bootKeys are the keys of a host's profile that a node on EC2 gives itself as it boots. The image has its drivers and
// services, huge pages are reserved with kubelet's settings, and a node that joins at once cannot boot a second time.
func bootKeys() []string {
	return []string{"thp.", "sysctl.", "limits.", "nccl.", "cpu.governor", "storage.read_ahead_kib"}
}

// atBoot is the part of a host's profile that a node on EC2 gives itself.
func atBoot(p profile.Profile) profile.Profile {
	out := profile.Profile{Name: p.Name, Values: map[string]string{}}
	for key, value := range p.Values {
		if isBootKey(key) {
			out.Values[key] = value
		}
	}
	return out
}

func isBootKey(key string) bool {
	return slices.ContainsFunc(bootKeys(), func(k string) bool { return key == k || strings.HasSuffix(k, ".") && strings.HasPrefix(key, k) })
}

// planSystem works out how a pool's profile reaches its nodes on EC2, and says what of it cannot.
func planSystem(pool *blueprint.NodePool) (gpunodes.System, hcl.Diagnostics) {
	if pool.Profile == nil {
		return gpunodes.System{}, nil
	}
	host := HostProfile(pool.Profile)
	diags := append(driverOfImage(pool), settingsOfHosts(pool)...)
	if pool.OS.Value == "bottlerocket" {
		system, more := bottlerocketSystem(pool)
		return system, append(diags, more...)
	}
	p := atBoot(host)
	if pages := host.Values["hugepages.2Mi"]; pages != "" && splitsGPUs(pool) {
		p.Values["hugepages.2Mi"] = pages // a reboot to split GPUs would lose what is reserved for one boot
	}
	if len(p.Values) == 0 {
		return gpunodes.System{}, diags
	}
	body, err := nodeprep.Render(p)
	if err != nil {
		return gpunodes.System{}, append(diags, poolError(pool, err))
	}
	setup, err := body.UserData(script.UserDataOptions{Limit: maxSetup})
	if err != nil {
		return gpunodes.System{}, append(diags, poolError(pool, fmt.Errorf("node_profile %s: %w", p.Name, err)))
	}
	return gpunodes.System{Setup: setup}, diags
}

// splitsGPUs says whether the pool's nodes split their GPUs, for which some of them boot a second time.
func splitsGPUs(pool *blueprint.NodePool) bool {
	return pool.GPUSharing != nil && pool.GPUSharing.Kind.Value == "mig"
}

// kubeletHugepages are the huge pages that a pool reserves with kubelet's settings.
func kubeletHugepages(pool *blueprint.NodePool, p blueprint.Profile) map[string]int {
	if !splitsGPUs(pool) {
		return p.Hugepages
	}
	if n := p.Hugepages["1Gi"]; n > 0 {
		return map[string]int{"1Gi": n} // which the component refuses, and says why
	}
	return nil
}

// driverOfImage warns of a driver that a profile names for nodes whose image has its own.
func driverOfImage(pool *blueprint.NodePool) hcl.Diagnostics {
	named := pool.Profile.Resolved().NVIDIADriver
	nvidia := slices.ContainsFunc(pool.Types, hasNVIDIA)
	if named == "" || !nvidia {
		return nil
	}
	image, instead := "EKS's image", "Another image_release has another driver, and ami names an image of your own."
	if pool.AMI.Value != "" {
		image, instead = "an image of your own", "Build it with that driver."
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagWarning, Summary: "Driver of the image",
		Detail: fmt.Sprintf("The nodes of %s run %s, which brings its driver: nvidia_driver %s is for pools of hosts and is not applied. %s",
			pool.Name.Value, image, named, instead),
		Subject: placeOf(pool, "nvidia_driver").Ptr(),
	}}
}

// settingsOfHosts warns of the settings that a node on EC2 does not give itself as it boots.
func settingsOfHosts(pool *blueprint.NodePool) hcl.Diagnostics {
	var diags hcl.Diagnostics
	settings := pool.Profile.Resolved().Settings
	for _, key := range sortedKeys(settings) {
		if settings[key] == "" || isBootKey(key) {
			continue
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagWarning, Summary: "Setting of hosts",
			Detail: fmt.Sprintf("%s is for pools of hosts and is not applied to the nodes of %s: on EC2 drivers and services are the image's, and a node that joins at once cannot boot a second time.",
				key, pool.Name.Value),
			Subject: placeOf(pool, key).Ptr(),
		})
	}
	return diags
}

// bottlerocketSystem maps a profile to Bottlerocket's settings, and refuses what has none.
func bottlerocketSystem(pool *blueprint.NodePool) (gpunodes.System, hcl.Diagnostics) {
	p := pool.Profile.Resolved()
	var diags hcl.Diagnostics
	refuse := func(key, why string) {
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Not on Bottlerocket",
			Detail:  fmt.Sprintf(`The nodes of %s run Bottlerocket, which has no setting for %s: %s. Take it out of the profile, or write os = "al2023".`, pool.Name.Value, key, why),
			Subject: placeOf(pool, key).Ptr(),
		})
	}
	for _, key := range sortedKeys(p.NCCL) {
		refuse("nccl."+key, "it has no /etc/nccl.conf, so set NCCL_"+strings.ToUpper(key)+" in the jobs")
	}
	if p.Hugepages["1Gi"] > 0 {
		refuse("hugepages.1Gi", "it reserves those of 2Mi")
	}
	for _, key := range sortedKeys(p.Settings) {
		if p.Settings[key] != "" && isBootKey(key) {
			refuse(key, "its own settings are all that it has")
		}
	}
	system := gpunodes.System{TransparentHugepages: p.THP, Sysctl: p.Sysctl, Limits: p.Limits}
	for _, key := range sortedKeys(p.Limits) {
		if !slices.Contains(gpunodes.BottlerocketLimits(), key) {
			refuse("limits."+key, "it limits containers by "+strings.Join(gpunodes.BottlerocketLimits(), ", "))
		}
	}
	return system, diags
}

package blueprint

import (
	"slices"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// known is what rules may know besides the blueprint.
type known struct {
	catalog *catalog.Catalog
	now     time.Time
	name    string // what the environment should be called, if anything
}

// A check is one judgement that needs no cloud. Its name is the diagnostics' rule, and what silences its warnings.
type check struct {
	name RuleName
	run  func(*Blueprint, known) hcl.Diagnostics
}

// checks lists every rule in the order of the reference.
func checks() []check {
	return []check{
		{"names", checkNames},
		{"region", checkRegion},
		{"kubernetes-version", checkKubernetesVersion},
		{"silence", checkSilence},
		{"tags", checkTags},
		{"budget", checkBudget},
		{"cidr", checkCIDR},
		{"network-overlap", checkNetworkOverlap},
		{"zones", checkZones},
		{"zone-of-network", checkZoneOfNetwork},
		{"zone-offers-type", checkZoneOffersType},
		{"addresses", checkAddresses},
		{"nat", checkNAT},
		{"endpoint", checkEndpoint},
		{"pool-source", checkPoolSource},
		{"instance-type", checkInstanceType},
		{"pool-types", checkPoolTypes},
		{"order", checkOrder},
		{"fabric", checkFabric},
		{"single-zone", checkSingleZone},
		{"capacity", checkCapacity},
		{"schedules", checkSchedules},
		{"timezones", checkTimezones},
		{"spot-fabric", checkSpotFabric},
		{"image", checkImage},
		{"os", checkOS},
		{"rename", checkRename},
		{"update", checkUpdate},
		{"gpu-sharing", checkGPUSharing},
		{"local-storage", checkLocalStorage},
		{"labels", checkLabels},
		{"taints", checkTaints},
		{"system-pool", checkSystemPool},
		{"hosts", checkHosts},
		{"profile-extends", checkProfileExtends},
		{"profile-values", checkProfileValues},
		{"storage-disks", checkStorageDisks},
		{"disk-owner", checkDiskOwner},
		{"ceph-nodes", checkCephNodes},
		{"ceph-devices", checkCephDevices},
		{"ceph-memory", checkCephMemory},
		{"snapshots", checkSnapshots},
		{"default-class", checkDefaultClass},
		{"cache-nodes", checkCacheNodes},
		{"cache-memory", checkCacheMemory},
		{"cache-disks", checkCacheDisks},
		{"lustre", checkLustre},
		{"lustre-size", checkLustreSize},
		{"bucket-ages", checkBucketAges},
		{"express-zone", checkExpressZone},
		{"small-files", checkSmallFiles},
		{"shards", checkShards},
		{"checkpoints", checkCheckpoints},
		{"lambda-image", checkLambdaImage},
		{"lambda-snap-start", checkLambdaSnapStart},
		{"lambda-gpu", checkLambdaGPU},
		{"lambda-run", checkLambdaRun},
		{"lambda-concurrency", checkLambdaConcurrency},
		{"lambda-weights", checkLambdaWeights},
		{"lambda-queue", checkLambdaQueue},
		{"lambda-url", checkLambdaURL},
		{"lambda-vpc", checkLambdaVPC},
		{"lambda-registry", checkLambdaRegistry},
		{"container-app-region", checkContainerAppRegion},
		{"container-app-nodes", checkContainerAppNodes},
		{"container-app-size", checkContainerAppSize},
		{"container-app-disk", checkContainerAppDisk},
		{"container-app-gpu", checkContainerAppGPU},
		{"container-app-trigger", checkContainerAppTrigger},
		{"container-app-probes", checkContainerAppProbes},
		{"container-app-volumes", checkContainerAppVolumes},
		{"container-app-registry", checkContainerAppRegistry},
		{"platform", checkPlatform},
	}
}

// Rules returns the names of all rules, in the order of the reference.
func Rules() []string {
	var out []string
	for _, c := range checks() {
		out = append(out, string(c.name))
	}
	return out
}

// runChecks runs every rule, whatever the others found. A rule skips what is in error already: such a value is not set.
func runChecks(b *Blueprint, k known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, c := range checks() {
		diags = append(diags, named(c.name, c.run(b, k))...)
	}
	return diags
}

// silenced leaves out the warnings of the named rules. Errors cannot be silenced.
func silenced(diags hcl.Diagnostics, rules []Value[string]) hcl.Diagnostics {
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool {
		return d.Severity == hcl.DiagWarning && slices.ContainsFunc(rules, func(r Value[string]) bool { return r.Value == RuleOf(d) })
	})
}

package gpunodes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/tags"
)

// Labels that every pool carries, so that a job can ask for hardware without naming an instance type.
const (
	// LabelPool holds the name of the pool.
	LabelPool = "gpuyard.dev/pool"
	// LabelFabric holds "efa" or "none".
	LabelFabric = "gpuyard.dev/fabric"
	// LabelAccelerator holds the accelerator's name in lower case, "h100" say. A pool of mixed accelerators has none.
	LabelAccelerator = "gpuyard.dev/accelerator"
	// LabelAcceleratorCount holds how many whole accelerators a node has, where all types of the pool agree.
	LabelAcceleratorCount = "gpuyard.dev/accelerator-count"
	// LabelGPUSharing holds how GPUs are shared: "mig", "time_slicing" or "mps". A pool of whole GPUs has none, so that
	// a job which needs whole ones can ask for its absence.
	LabelGPUSharing = "gpuyard.dev/gpu-sharing"
	// LabelLocalStorage holds "raw" where the local disks are left to a storage system, which finds them by it.
	LabelLocalStorage = "gpuyard.dev/local-storage"

	// labelGPUPresent lets the NVIDIA plugin onto the node. Its chart accepts labels of Node Feature Discovery or
	// this one; the images set it only from Kubernetes 1.35 on, and the autoscaler sees only the node group's.
	// Source: k8s-device-plugin 0.19.3, values.yaml, affinity; nodeadm, kubelet labels.
	//
	// Nodes of Bottlerocket do not have it: their image runs a plugin of its own.
	labelGPUPresent = "nvidia.com/gpu.present"
	// labelPluginConfig names the NVIDIA plugin's configuration for a node.
	labelPluginConfig = "nvidia.com/device-plugin.config"
	// labelMPSCapable lets the MPS daemon of the NVIDIA plugin's chart onto a node.
	labelMPSCapable = "nvidia.com/mps.capable"
	// labelMIGConfig states how GPUs are split, to NVIDIA's MIG manager.
	labelMIGConfig = "nvidia.com/mig.config"
)

// Taint is a Kubernetes taint. Effect is NoSchedule, PreferNoSchedule or NoExecute.
type Taint struct {
	Key    string `pulumi:"key"`
	Value  string `pulumi:"value,optional"`
	Effect string `pulumi:"effect"`
}

// DefaultTaints returns the taints that keep pods which ask for no accelerator off accelerated nodes. The keys are
// the resources' own names, as the ExtendedResourceToleration admission plugin and upstream charts expect them.
func DefaultTaints(types []*catalog.InstanceType) []Taint {
	keys := map[catalog.Maker]string{
		catalog.MakerNVIDIA: resourceGPU,
		catalog.MakerHabana: resourceGaudi,
		catalog.MakerNeuron: resourceNeuron,
	}
	var taints []Taint
	for _, t := range types {
		if t.Accelerator == nil || keys[t.Accelerator.Maker] == "" {
			continue
		}
		taint := Taint{Key: keys[t.Accelerator.Maker], Value: "present", Effect: "NoSchedule"}
		if !slices.Contains(taints, taint) {
			taints = append(taints, taint)
		}
	}
	return taints
}

// DefaultLabels returns the labels of a pool's nodes. A label on which the types disagree is left out.
func DefaultLabels(pool string, types []*catalog.InstanceType, fabric catalog.Fabric) map[string]string {
	labels := map[string]string{LabelPool: pool, LabelFabric: string(fabric)}
	if name, ok := common(types, acceleratorName); ok && name != "" {
		labels[LabelAccelerator] = name
	}
	if count, ok := common(types, acceleratorCount); ok && count > 0 {
		labels[LabelAcceleratorCount] = strconv.Itoa(count)
	}
	if fewest(types, nvidiaGPUs) > 0 {
		labels[labelGPUPresent] = "true"
	}
	return labels
}

// labelsOf returns the labels of a pool that follow from its arguments.
func (p *poolPlan) labelsOf(name string) map[string]string {
	labels := tags.Over(DefaultLabels(name, p.types, catalog.Fabric(p.args.Fabric)), p.args.GPUSharing.labels())
	if p.args.LocalStorage == "raw" {
		labels[LabelLocalStorage] = "raw"
	}
	if p.args.OS == osBottlerocket {
		delete(labels, labelGPUPresent)
	}
	return tags.Over(labels, p.args.Labels)
}

// acceleratorName returns the accelerator's name as a label value: "RTX PRO Server 6000" becomes
// "rtx-pro-server-6000". The card of a Gaudi is left out: "Gaudi HL-205" becomes "gaudi".
func acceleratorName(t *catalog.InstanceType) string {
	if t.Accelerator == nil {
		return ""
	}
	if t.Accelerator.Maker == catalog.MakerHabana {
		generation, _, _ := strings.Cut(strings.ToLower(t.Accelerator.Name), " ")
		return generation
	}
	return strings.ReplaceAll(strings.ToLower(t.Accelerator.Name), " ", "-")
}

// acceleratorCount returns how many whole accelerators a node has.
func acceleratorCount(t *catalog.InstanceType) int {
	if t.Accelerator == nil {
		return 0
	}
	return t.Accelerator.Count
}

// common returns the value on which all types agree.
func common[V comparable](types []*catalog.InstanceType, of func(*catalog.InstanceType) V) (value V, ok bool) {
	for i, t := range types {
		if i > 0 && of(t) != value {
			return value, false
		}
		value = of(t)
	}
	return value, len(types) > 0
}

// mergeTaints returns the defaults and the given taints; a given one replaces the default of its key and effect.
func mergeTaints(defaults, given []Taint) []Taint {
	merged := slices.DeleteFunc(slices.Clone(defaults), func(d Taint) bool {
		return slices.ContainsFunc(given, func(g Taint) bool { return g.Key == d.Key && g.Effect == d.Effect })
	})
	return append(merged, given...)
}

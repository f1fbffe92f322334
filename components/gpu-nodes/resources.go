package gpunodes

import (
	"strconv"

	"github.com/gpuyard/gpuyard/catalog"
)

// Names of the extended resources that device plugins and kubelet offer.
const (
	resourceGPU          = "nvidia.com/gpu"
	resourceGaudi        = "habana.ai/gaudi"
	resourceNeuron       = "aws.amazon.com/neuron"
	resourceNeuronCore   = "aws.amazon.com/neuroncore"
	resourceEFA          = "vpc.amazonaws.com/efa"
	resourceHugepages2Mi = "hugepages-2Mi"
	resourceHugepages1Gi = "hugepages-1Gi"
)

// autoscalerResource prefixes a node group tag that tells the cluster autoscaler what a node of an empty group
// will offer. Without it a pool at zero is never scaled up for a pod that asks for EFA or huge pages, which the
// autoscaler cannot guess from the instance type.
//
// Labels and taints need no such tags: of a managed node group the autoscaler asks EKS for labels, taints and tags, and
// tags of a node group do not reach its Auto Scaling group anyway. It needs the permission eks:DescribeNodegroup.
// Source: cluster-autoscaler, cloud provider AWS, managed_nodegroup_cache.go and buildNodeFromTemplate.
const autoscalerResource = "k8s.io/cluster-autoscaler/node-template/resources/"

// Resources returns what every node of a pool offers to pods beyond CPU, memory and disk, as Kubernetes
// quantities. Where the types of a pool differ, it is what the smallest of them offers. GPUs are whole ones: sharing
// puts parts or shares in their place.
func Resources(types []*catalog.InstanceType, plan catalog.InterfacePlan, hugepages map[string]int) map[string]string {
	offered := map[string]string{}
	if gpus := fewest(types, nvidiaGPUs); gpus > 0 {
		offered[resourceGPU] = strconv.Itoa(gpus)
	}
	if devices := fewest(types, devicesOf(catalog.MakerHabana)); devices > 0 {
		offered[resourceGaudi] = strconv.Itoa(devices)
	}
	if devices := fewest(types, devicesOf(catalog.MakerNeuron)); devices > 0 {
		offered[resourceNeuron] = strconv.Itoa(devices)
		offered[resourceNeuronCore] = strconv.Itoa(fewest(types, neuronCores))
	}
	if efas := plan.EFAs(); efas > 0 {
		offered[resourceEFA] = strconv.Itoa(efas)
	}
	if pages := max(catalog.Hugepages2Mi(plan), hugepages["2Mi"]); pages > 0 {
		offered[resourceHugepages2Mi] = strconv.Itoa(2*pages) + "Mi"
	}
	if pages := hugepages["1Gi"]; pages > 0 {
		offered[resourceHugepages1Gi] = strconv.Itoa(pages) + "Gi"
	}
	return offered
}

// nvidiaGPUs returns how many devices the NVIDIA plugin finds. A type with a fraction of a GPU shows one device.
func nvidiaGPUs(t *catalog.InstanceType) int {
	if t.Accelerator == nil || t.Accelerator.Maker != catalog.MakerNVIDIA {
		return 0
	}
	return max(t.Accelerator.Count, 1)
}

// devicesOf returns a function that counts the whole devices of a maker.
func devicesOf(maker catalog.Maker) func(*catalog.InstanceType) int {
	return func(t *catalog.InstanceType) int {
		if t.Accelerator == nil || t.Accelerator.Maker != maker {
			return 0
		}
		return t.Accelerator.Count
	}
}

// neuronCores returns how many cores the Neuron plugin offers. Trainium2 joins its eight cores in pairs unless told
// otherwise, and offers four.
// Source: AWS Neuron documentation, "NeuronCore Architecture" and "Logical NeuronCore configuration".
func neuronCores(t *catalog.InstanceType) int {
	perDevice := map[string]int{"Inferentia": 4, "Inferentia2": 2, "Trainium": 2, "Trainium2": 4}
	return devicesOf(catalog.MakerNeuron)(t) * perDevice[t.Accelerator.Name]
}

// fewest returns the smallest count over the types of a pool.
func fewest(types []*catalog.InstanceType, count func(*catalog.InstanceType) int) int {
	if len(types) == 0 {
		return 0
	}
	least := count(types[0])
	for _, t := range types[1:] {
		least = min(least, count(t))
	}
	return least
}

package gpunodes

import (
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// PoolArgs describes a node pool. What decides which resources exist is plain; what may come from another resource
// is an input.
type PoolArgs struct {
	// ClusterName is the EKS cluster that the nodes join.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`
	// KubernetesVersion is the cluster's, "1.35" say; it selects the image when ImageRelease is empty.
	KubernetesVersion string `pulumi:"kubernetesVersion"`
	// NodeRoleARN is the nodes' IAM role.
	NodeRoleARN pulumi.StringInput `pulumi:"nodeRoleArn"`
	// SubnetIDs are where nodes are placed: private subnets, and exactly one for a pool with EFA.
	SubnetIDs pulumi.StringArrayInput `pulumi:"subnetIds"`
	// ClusterSecurityGroupID is the group that EKS made for the cluster. EKS does not add it to nodes of a template
	// that names any group, so it is always named.
	ClusterSecurityGroupID pulumi.StringInput `pulumi:"clusterSecurityGroupId"`

	// InstanceTypes are the types that EKS may choose from, preferred first.
	InstanceTypes []string `pulumi:"instanceTypes"`
	// Fabric is "none", the default, or "efa".
	Fabric string `pulumi:"fabric,optional"`
	// FabricSecurityGroupID is the group of the EFA fabric; needed with EFA.
	FabricSecurityGroupID pulumi.StringInput `pulumi:"fabricSecurityGroupId,optional"`
	// PlacementGroupName is a cluster placement group; nil for none.
	PlacementGroupName pulumi.StringInput `pulumi:"placementGroupName,optional"`

	// Capacity is "on_demand", the default, or "spot".
	Capacity string `pulumi:"capacity,optional"`
	// Size is how many nodes the pool has.
	Size Size `pulumi:"size"`

	// Labels are added to DefaultLabels.
	Labels map[string]string `pulumi:"labels,optional"`
	// Taints are added to DefaultTaints; one with the key and effect of a default replaces it.
	Taints []Taint `pulumi:"taints,optional"`
	// NoDefaultTaints leaves DefaultTaints out.
	NoDefaultTaints bool `pulumi:"noDefaultTaints,optional"`

	// LocalStorage is "none", the default, "raid0" for one volume of all local disks that containers and pods use,
	// or "raw" to leave the disks to a storage system.
	LocalStorage string `pulumi:"localStorage,optional"`
	// RootVolumeGiB is the size of the encrypted root volume, 100 when it is 0.
	RootVolumeGiB int `pulumi:"rootVolumeGiB,optional"`
	// ImageRelease is the release of the EKS image, "1.35.2-20261110" say. When empty, the newest release is looked
	// up as the pool is made, and kept from then on.
	ImageRelease string `pulumi:"imageRelease,optional"`
	// Kubelet says how kubelet hands out CPUs, memory and huge pages.
	Kubelet Kubelet `pulumi:"kubelet,optional"`

	// Tags are put on the template, the node group, and the instances, volumes and interfaces of the nodes.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Size is how many nodes a pool has.
type Size struct {
	Min     int `pulumi:"min"`
	Desired int `pulumi:"desired"`
	Max     int `pulumi:"max"`
}

// resolved returns the arguments with defaults filled in.
func (a PoolArgs) resolved() PoolArgs {
	a.Fabric = fabricOrNone(a.Fabric)
	if a.Capacity == "" {
		a.Capacity = "on_demand"
	}
	if a.LocalStorage == "" {
		a.LocalStorage = "none"
	}
	if a.RootVolumeGiB == 0 {
		a.RootVolumeGiB = 100
	}
	return a
}

// fabricOrNone returns the fabric, "none" when it is left out.
func fabricOrNone(fabric string) string {
	if fabric == "" {
		return string(catalog.FabricNone)
	}
	return fabric
}

// inputs returns the arguments as the component's own inputs, for policies to judge.
func (a PoolArgs) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"clusterName":            a.ClusterName,
		"kubernetesVersion":      pulumi.String(a.KubernetesVersion),
		"nodeRoleArn":            a.NodeRoleARN,
		"subnetIds":              a.SubnetIDs,
		"clusterSecurityGroupId": a.ClusterSecurityGroupID,
		"instanceTypes":          pulumi.ToStringArray(a.InstanceTypes),
		"fabric":                 pulumi.String(a.Fabric),
		"capacity":               pulumi.String(a.Capacity),
		"size":                   pulumi.ToIntMap(map[string]int{"min": a.Size.Min, "desired": a.Size.Desired, "max": a.Size.Max}),
		"localStorage":           pulumi.String(a.LocalStorage),
		"rootVolumeGiB":          pulumi.Int(a.RootVolumeGiB),
		"noDefaultTaints":        pulumi.Bool(a.NoDefaultTaints),
		"labels":                 pulumi.ToStringMap(a.Labels),
		"taints":                 taintInputs(a.Taints),
		"tags":                   pulumi.ToStringMap(a.Tags),
	}
	if a.FabricSecurityGroupID != nil {
		inputs["fabricSecurityGroupId"] = a.FabricSecurityGroupID
	}
	if a.PlacementGroupName != nil {
		inputs["placementGroupName"] = a.PlacementGroupName
	}
	if a.ImageRelease != "" {
		inputs["imageRelease"] = pulumi.String(a.ImageRelease)
	}
	if !a.Kubelet.isZero() {
		inputs["kubelet"] = pulumi.Map{
			"cpuManager":      pulumi.String(a.Kubelet.CPUManager),
			"topologyManager": pulumi.String(a.Kubelet.TopologyManager),
			"memoryManager":   pulumi.String(a.Kubelet.MemoryManager),
			"hugepages":       pulumi.ToIntMap(a.Kubelet.Hugepages),
		}
	}
	return inputs
}

// taintInputs returns taints as component inputs.
func taintInputs(taints []Taint) pulumi.MapArray {
	list := pulumi.MapArray{}
	for _, t := range taints {
		list = append(list, pulumi.Map{
			"key": pulumi.String(t.Key), "value": pulumi.String(t.Value), "effect": pulumi.String(t.Effect),
		})
	}
	return list
}

package gpunodes

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

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
	a.addImageInputs(inputs)
	a.addCapacityInputs(inputs)
	if len(a.Schedules) > 0 {
		inputs["schedules"] = scheduleInputs(a.Schedules)
	}
	if a.FabricSecurityGroupID != nil {
		inputs["fabricSecurityGroupId"] = a.FabricSecurityGroupID
	}
	if a.PlacementGroupName != nil {
		inputs["placementGroupName"] = a.PlacementGroupName
	}
	if a.NodeRepair {
		inputs["nodeRepair"] = pulumi.Bool(true)
	}
	if a.Update != (Update{MaxUnavailable: 1}) {
		inputs["update"] = pulumi.ToIntMap(map[string]int{
			"maxUnavailable": a.Update.MaxUnavailable, "maxUnavailablePercentage": a.Update.MaxUnavailablePercentage,
		})
	}
	if a.RenamedFrom != "" {
		inputs["renamedFrom"] = pulumi.String(a.RenamedFrom)
	}
	if a.GPUSharing != nil {
		inputs["gpuSharing"] = a.GPUSharing.inputs()
	}
	if !a.Kubelet.isZero() {
		inputs["kubelet"] = pulumi.Map{
			"cpuManager":      pulumi.String(a.Kubelet.CPUManager),
			"topologyManager": pulumi.String(a.Kubelet.TopologyManager),
			"memoryManager":   pulumi.String(a.Kubelet.MemoryManager),
			"hugepages":       pulumi.ToIntMap(a.Kubelet.Hugepages),
		}
	}
	if !a.System.isZero() {
		inputs["system"] = a.System.inputs()
	}
	return inputs
}

// addImageInputs adds what is said about the image.
func (a PoolArgs) addImageInputs(inputs pulumi.Map) {
	if a.OS != osAL2023 {
		inputs["os"] = pulumi.String(a.OS)
	}
	if a.ImageRelease != "" {
		inputs["imageRelease"] = pulumi.String(a.ImageRelease)
	}
	if a.AMI != "" {
		inputs["ami"] = pulumi.String(a.AMI)
		inputs["bootstrap"] = pulumi.Map{
			"clusterEndpoint": a.Bootstrap.ClusterEndpoint, "clusterCa": a.Bootstrap.ClusterCA, "serviceCidr": a.Bootstrap.ServiceCIDR,
		}
	}
}

// addCapacityInputs adds what is said about reserved capacity.
func (a PoolArgs) addCapacityInputs(inputs pulumi.Map) {
	if a.Reservation != "" {
		inputs["reservation"] = pulumi.String(a.Reservation)
	}
	if len(a.Reservations) > 0 {
		inputs["reservations"] = pulumi.ToStringArray(a.Reservations)
	}
	if a.CapacityWindow != (Window{}) {
		inputs["capacityWindow"] = pulumi.ToStringMap(map[string]string{"start": a.CapacityWindow.Start, "end": a.CapacityWindow.End})
	}
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

package gpunodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// hostsPlan is what follows from the arguments of Hosts.
type hostsPlan struct {
	name  string
	args  *HostsArgs
	types []*catalog.InstanceType
}

// HostType is a server with accelerators as an instance type of the catalogue would say it, so that labels, taints and
// plugins follow from it as they do on EC2. It has no name: its nodes carry no label of an instance type. Without
// accelerators it has none, and a kind that is not known is an error.
func HostType(accelerator string, count int) (*catalog.InstanceType, error) {
	if accelerator == "" {
		return &catalog.InstanceType{}, nil
	}
	maker := catalog.MakerNVIDIA
	switch {
	case strings.HasPrefix(accelerator, "gaudi"):
		maker = catalog.MakerHabana
	case !slices.Contains([]string{"a100", "h100", "h200", "b200", "b300", "l40s"}, accelerator):
		return nil, fmt.Errorf("%q is no accelerator of hosts: it may be gaudi2, gaudi3, a100, h100, h200, b200, b300 or l40s", accelerator)
	}
	if count < 1 {
		return nil, fmt.Errorf("a host with %s has one at least", accelerator)
	}
	return &catalog.InstanceType{Accelerator: &catalog.Accelerator{Maker: maker, Name: accelerator, Count: count, Fraction: 1}}, nil
}

// planHosts judges the arguments of Hosts. Its error holds all that is wrong.
func planHosts(name string, args *HostsArgs) (*hostsPlan, error) {
	check := argument.For(TypeHosts, name)
	if args == nil {
		check.Failf("args", "they are missing")
		return nil, check.Err()
	}
	plan := &hostsPlan{name: name, args: args}
	if len(args.Addresses) == 0 {
		check.Failf("addresses", "there are none")
	}
	for i, address := range args.Addresses {
		if address == "" || slices.Contains(args.Addresses[:i], address) {
			check.Failf("addresses", "%q is empty, or there twice", address)
		}
	}
	if fabricOrNone(args.Fabric) != "none" && args.Fabric != "roce" {
		check.Failf("fabric", "%q is not a fabric of hosts: it may be roce or none", args.Fabric)
	}
	for what, missing := range map[string]bool{
		"clusterName": args.ClusterName == nil, "roleName": args.RoleName == nil, "clusterArn": args.ClusterARN == nil,
		"kubernetesVersion": args.KubernetesVersion == "", "region": args.Region == "",
	} {
		if missing {
			check.Failf(what, "it is not given, and a host joins a cluster")
		}
	}
	for key := range args.Profile {
		if strings.HasPrefix(key, "cluster.") || key == "containerd" {
			check.Failf("profile", "%s follows from the pool and cannot be given", key)
		}
	}
	checkTaints(check, "taints", args.Taints)
	checkLabels(check, args.Labels)
	kind, err := HostType(args.Accelerator, args.AcceleratorCount)
	if err != nil {
		check.Failf("accelerator", "%v", err)
	} else {
		plan.types = []*catalog.InstanceType{kind}
	}
	return plan, check.Err()
}

// resources is what each node offers to pods.
func (p *hostsPlan) resources() map[string]string {
	return Resources(p.types, nil, nil)
}

// nodeLabels are the labels that a host registers with, in a fixed order.
func (p *hostsPlan) nodeLabels() string {
	labels := tags.Over(DefaultLabels(p.name, p.types, catalog.Fabric(fabricOrNone(p.args.Fabric))), p.args.Labels)
	var list []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		list = append(list, key+"="+labels[key])
	}
	return strings.Join(list, ",")
}

// nodeTaints are the taints that a host registers with.
func (p *hostsPlan) nodeTaints() string {
	var list []string
	for _, t := range mergeTaints(DefaultTaints(p.types), p.args.Taints) {
		list = append(list, fmt.Sprintf("%s=%s:%s", t.Key, t.Value, t.Effect))
	}
	return strings.Join(list, ",")
}

// inputs returns the arguments as the component's own inputs, for policies to judge.
func (p *hostsPlan) inputs() pulumi.Map {
	a := p.args
	inputs := pulumi.Map{
		"addresses": pulumi.ToStringArray(a.Addresses), "profile": pulumi.ToStringMap(a.Profile), "fabric": pulumi.String(fabricOrNone(a.Fabric)),
		"labels": pulumi.ToStringMap(a.Labels), "taints": taintInputs(a.Taints), "clusterName": a.ClusterName,
		"kubernetesVersion": pulumi.String(a.KubernetesVersion), "region": pulumi.String(a.Region), "roleName": a.RoleName,
		"clusterArn": a.ClusterARN, "tags": pulumi.ToStringMap(a.Tags),
	}
	if a.RenamedFrom != "" {
		inputs["renamedFrom"] = pulumi.String(a.RenamedFrom)
	}
	addAccess(inputs, a)
	return inputs
}

// addAccess adds how hosts are reached and what they hold, where it is given.
func addAccess(inputs pulumi.Map, a *HostsArgs) {
	for key, value := range map[string]string{
		"user": a.User, "keyFile": a.KeyFile, "knownHosts": a.KnownHosts, "bastion": a.Bastion, "reboot": a.Reboot,
		"onDestroy": a.OnDestroy, "accelerator": a.Accelerator,
	} {
		if value != "" {
			inputs[key] = pulumi.String(value)
		}
	}
	for key, value := range map[string]int{"port": a.Port, "acceleratorCount": a.AcceleratorCount} {
		if value != 0 {
			inputs[key] = pulumi.Int(value)
		}
	}
}

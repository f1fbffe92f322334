package blueprint

import (
	"fmt"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/cidr"
	"github.com/hashicorp/hcl/v2"
)

// forControlPlane is how many addresses of each subnet are left to the control plane and load balancers.
//
// Source: EKS User Guide, networking requirements: six at least, sixteen recommended.
const forControlPlane = 16

// checkAddresses refuses a network whose private subnets cannot hold all pools at their maximum, with every pod a node
// may run. A pool without a zone spreads evenly.
func checkAddresses(b *Blueprint, _ known) hcl.Diagnostics {
	n := b.Network
	if n == nil || len(n.Zones) == 0 || len(n.Zones) > cidr.MaxZones {
		return nil
	}
	vpc, ok := prefixOf(n.CIDR)
	if !ok {
		return nil
	}
	layout, err := cidr.Plan(vpc, len(n.Zones))
	if err != nil {
		return nil // checkCIDR says so
	}
	needed := map[string]int{}
	uses, users := map[string][]string{}, map[string]int{}
	for _, p := range b.NodePools {
		each := nodeAddresses(p)
		zones := p.Zones(n)
		if each == 0 || len(zones) == 0 {
			continue
		}
		nodes := (max(p.Size.Max.Value, 0) + len(zones) - 1) / len(zones)
		for _, z := range zones {
			needed[z] += nodes * each
			if users[z]++; users[z] <= mostShown {
				uses[z] = append(uses[z], fmt.Sprintf("%s %d nodes × %d", p.Name.Value, nodes, each))
			}
		}
	}
	var diags hcl.Diagnostics
	for i, z := range n.Zones {
		have := cidr.Usable(layout.Private[i]) - forControlPlane
		if needed[z.Value] > have {
			diags = append(diags, errorf(n.CIDR.Range, "Too few addresses",
				"The private subnet of %s, %s, has %d addresses for nodes and pods, and the pools at their maximum take %d: %s. Use a larger network, lower a maximum, or spread a pool over more zones.",
				z, layout.Private[i], have, needed[z.Value], shortened(uses[z.Value], users[z.Value])))
		}
	}
	return diags
}

// nodeAddresses is how many addresses a node of a pool takes with all its pods: one for each pod, and one for each
// interface that holds them. The largest of the pool's types counts.
//
// Source: amazon-vpc-cni-k8s, README, "ENI Allocation".
func nodeAddresses(p *NodePool) int {
	most := 0
	for _, t := range p.Types {
		plan, err := t.InterfacePlan(catalog.Fabric(p.Fabric.Value))
		if err != nil {
			continue // checkFabric or another rule says so
		}
		pods := t.MaxPods(plan)
		perInterface := max(t.IPv4PerInterface-1, 1)
		most = max(most, pods+(pods+perInterface-1)/perInterface)
	}
	return most
}

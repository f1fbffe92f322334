package blueprint

import "github.com/hashicorp/hcl/v2"

// checkSystemPool warns when no pool takes pods that tolerate nothing: DNS and controllers would wait for ever, and the
// cluster with them. Pools of accelerators get taints of their own.
func checkSystemPool(b *Blueprint, _ known) hcl.Diagnostics {
	if b.Network == nil {
		return nil
	}
	for _, p := range b.NodePools {
		if p.takesSystemPods() {
			return nil
		}
	}
	return hcl.Diagnostics{warnf(b.Network.Range, "No pool for system pods",
		`Every pool is tainted, or has accelerators and is tainted by default, so DNS and controllers have nowhere to run. Add a pool such as node_pool "system" { instance_types = ["m7i.xlarge"] … }.`)}
}

// takesSystemPods reports whether a pod without tolerations can run on the pool. A type that is in error or not known
// gets the benefit of the doubt: another rule reports it.
func (p *NodePool) takesSystemPods() bool {
	if p.Hosts != nil {
		return false
	}
	for _, t := range p.Taints {
		if t.Effect.Value != "PreferNoSchedule" {
			return false
		}
	}
	for _, t := range p.Types {
		if t.Accelerator != nil {
			return false
		}
	}
	return true
}

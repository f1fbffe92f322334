package blueprint

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// checkSystemPool warns when no pool takes pods that tolerate nothing, or none of those that do keeps a node: DNS and
// controllers would wait for ever, and the cluster with them. Pools of accelerators get taints of their own.
func checkSystemPool(b *Blueprint, _ known) hcl.Diagnostics {
	if b.Network == nil {
		return nil
	}
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if !p.takesSystemPods() {
			continue
		}
		at, when := p.withoutNode()
		if when == "" {
			return nil
		}
		diags = append(diags, warnf(at, "No node for system pods",
			"DNS and controllers run in pools without taints, and none of these always has a node: node_pool %q has none %s. Without one they wait, and what is being brought up waits for them. Keep a node or more.", p.Name.Value, when))
	}
	if len(diags) > 0 {
		return diags
	}
	return hcl.Diagnostics{warnf(b.Network.Range, "No pool for system pods",
		`Every pool is tainted, or has accelerators and is tainted by default, so DNS and controllers have nowhere to run. Add a pool such as node_pool "system" { instance_types = ["m7i.xlarge"] … }.`)}
}

// withoutNode says where and when a pool has no node; when is empty if it always has one. What is in error gets the
// benefit of the doubt.
func (p *NodePool) withoutNode() (at hcl.Range, when string) {
	if d := p.Size.Desired; d.IsSet() && d.Value == 0 {
		return d.Range, "to begin with"
	}
	for _, s := range p.Schedules {
		if d := s.Desired; d.IsSet() && d.Value == 0 {
			return d.Range, fmt.Sprintf("from the schedule %q on", s.Name)
		}
	}
	return hcl.Range{}, ""
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

package blueprint

import "github.com/hashicorp/hcl/v2"

// checkOrder refuses bounds in the wrong order, wherever a blueprint has two.
func checkOrder(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	judge := func(low, high Value[int], names string) {
		if low.IsSet() && high.IsSet() && low.Value > high.Value {
			diags = append(diags, errorf(low.Range, "Bounds in the wrong order", "%s are %d and %d, and the first must not be larger.", names, low.Value, high.Value))
		}
	}
	for _, p := range b.NodePools {
		s := p.Size
		judge(s.Min, s.Desired, "min and desired")
		judge(s.Desired, s.Max, "desired and max")
		if s.Max.IsSet() && s.Max.Value < 1 {
			diags = append(diags, errorf(s.Max.Range, "Pool that is always empty", "max is %d, and must be at least 1. To stop using a pool, write min = 0 and desired = 0, or remove the block.", s.Max.Value))
		}
	}
	for _, s := range b.Serverless {
		if s.ContainerApp != nil {
			judge(s.ContainerApp.Scale.Min, s.ContainerApp.Scale.Max, "min and max")
		}
	}
	if p := b.Platform; p != nil && p.Training != nil && p.Training.Elastic != nil {
		judge(p.Training.Elastic.MinNodes, p.Training.Elastic.MaxNodes, "min_nodes and max_nodes")
	}
	if p := b.Platform; p != nil && p.Autoscaling != nil && p.Autoscaling.SMActivity != nil {
		judge(p.Autoscaling.SMActivity.Below, p.Autoscaling.SMActivity.Above, "below and above")
	}
	return diags
}

package blueprint

import "github.com/hashicorp/hcl/v2"

// mostTaints is EKS's bound for a node group.
const mostTaints = 50

// checkTaints refuses taints that Kubernetes or EKS refuses.
//
// Sources: Kubernetes, "Taints and Tolerations"; EKS User Guide, "Recipe: Prevent pods from being scheduled on specific
// nodes" (50 taints).
func checkTaints(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		seen := map[[2]string]bool{}
		for _, t := range p.Taints {
			identity := [2]string{t.Key.Value, t.Effect.Value}
			switch {
			case !t.Key.IsSet() || !t.Effect.IsSet():
			case qualifiedNameProblem(t.Key.Value) != "":
				diags = append(diags, errorf(t.Key.Range, "Illegal taint", "%q is no key of a taint: %s.", t.Key.String(), qualifiedNameProblem(t.Key.Value)))
			case t.Value.Value != "" && !labelName.MatchString(t.Value.Value):
				diags = append(diags, errorf(t.Value.Range, "Illegal taint", "%q is no value of a taint: up to 63 letters, digits, dashes, underscores and dots, beginning and ending with a letter or digit.", t.Value.String()))
			case seen[identity]:
				diags = append(diags, errorf(t.Key.Range, "Duplicate taint", "%s with effect %s is there already; a node has one value for both.", t.Key, t.Effect))
			}
			seen[identity] = true
		}
		if len(p.Taints) > mostTaints {
			diags = append(diags, errorf(p.Taints[mostTaints].Range, "Too many taints", "An EKS node group takes at most %d.", mostTaints))
		}
	}
	return diags
}

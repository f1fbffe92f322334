package catalog

// PodFormula says how many pods the addresses of a node suffice for: every interface that card 0 holds carries pods
// with all its addresses but the primary one, and two pods on the host network are added. An EFA-only interface on
// card 0 takes the place of one that would carry pods.
//
// Source: amazon-eks-ami, max-pods-calculator (formula); EKS User Guide, "Run machine learning training on Amazon EKS
// with Elastic Fabric Adapter" (EFA-only interfaces have no addresses).
func (t *InstanceType) PodFormula(p InterfacePlan) int {
	onCard0 := t.Cards[0].MaxInterfaces - p.count(func(i Interface) bool { return i.Card == 0 && i.Kind == KindEFAOnly })
	return onCard0*(t.IPv4PerInterface-1) + 2
}

// MaxPods says how many pods a node runs at most: PodFormula, and no more than EKS allows a managed node group.
//
// Source: EKS User Guide, "Choose an optimal Amazon EC2 node instance type": 110 below 30 vCPUs, otherwise 250.
func (t *InstanceType) MaxPods(p InterfacePlan) int {
	limit := 250
	if t.VCPUs < 30 {
		limit = 110
	}
	return min(t.PodFormula(p), limit)
}

// Hugepages2Mi says how many huge pages of 2 MiB a node with the plan reserves for the EFA driver stack.
//
// Source: EKS User Guide, "Run machine learning training on Amazon EKS with Elastic Fabric Adapter".
func Hugepages2Mi(p InterfacePlan) int {
	if p.EFAs() > 0 {
		return 5128
	}
	return 0
}

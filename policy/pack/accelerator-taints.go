package pack

var acceleratorTaints = Policy{
	Name: "accelerator-taints", Level: Advisory, Area: Nodes,
	Summary: "Pools of accelerated nodes are tainted.",
	Why: "Without a taint the scheduler fills the nodes with pods that need no accelerator. Those keep the autoscaler from removing the " +
		"node, and take the memory that the next job needs.",
	Fix:      "Give the group a taint such as `nvidia.com/gpu=present:NO_SCHEDULE`, which jobs that ask for the resource tolerate.",
	Tokens:   []string{tokenNodeGroup},
	Resource: judgeAcceleratorTaints,
}

func judgeAcceleratorTaints(r *Resource, _ Config) []Finding {
	t := accelerated(typesAt(r))
	taints, ok := r.Get("taints").List()
	if t == nil || !ok {
		return nil
	}
	for _, taint := range taints {
		if effect, known := taint.Get("effect").Text(); !known || effect == "NO_SCHEDULE" || effect == "NO_EXECUTE" {
			return nil
		}
	}
	return one("The pool of %s has no taint that keeps other pods away.", t.Name)
}

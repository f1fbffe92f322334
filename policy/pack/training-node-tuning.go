package pack

import (
	"strings"
)

var trainingNodeTuning = Policy{
	Name: "training-node-tuning", Level: Advisory, Area: Nodes,
	Summary: "The user data of nodes with EFA sets locked memory, huge pages, NUMA balancing and the listen queue.",
	Why: "RDMA registers memory and fails at the default limit for locked memory. Transparent huge pages and NUMA balancing move pages " +
		"under a running collective, which shows as jitter. A rendezvous of a thousand ranks overflows the default listen queue.",
	Fix: "Set `RLIMIT_MEMLOCK`, `transparent_hugepage`, `kernel.numa_balancing` and `net.core.somaxconn` in the user data, or in whatever " +
		"prepares the nodes later; then set this policy to `disabled`.",
	Tokens:   []string{tokenLaunchTemplate},
	Resource: judgeTrainingNodeTuning,
}

// tuning is what a training node sets, and the word that shows it in user data of any form.
var tuning = []struct{ what, word string }{
	{"locked memory (RLIMIT_MEMLOCK)", "memlock"},
	{"transparent huge pages", "transparent_hugepage"},
	{"NUMA balancing", "numa_balancing"},
	{"net.core.somaxconn", "somaxconn"},
}

func judgeTrainingNodeTuning(r *Resource, _ Config) []Finding {
	text, ok := userData(r)
	if !ok || len(efas(r)) == 0 {
		return nil
	}
	text = strings.ToLower(text)
	var missing []string
	for _, item := range tuning {
		if !strings.Contains(text, item.word) {
			missing = append(missing, item.what)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return one("The user data sets no %s.", strings.Join(missing, ", no "))
}

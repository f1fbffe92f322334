package pack

import (
	"slices"
	"strings"
)

var trainingNodeTuning = Policy{
	Name: "training-node-tuning", Level: Advisory, Area: Nodes,
	Summary: "The user data of nodes with EFA, and the profile of hosts with accelerators, set locked memory, huge pages, NUMA balancing and the listen queue.",
	Why: "RDMA registers memory and fails at the default limit for locked memory. Transparent huge pages and NUMA balancing move pages " +
		"under a running collective, which shows as jitter. A rendezvous of a thousand ranks overflows the default listen queue.",
	Fix: "Set `RLIMIT_MEMLOCK`, `transparent_hugepage`, `kernel.numa_balancing` and `net.core.somaxconn` in the user data, or in whatever " +
		"prepares the nodes later; then set this policy to `disabled`. For hosts, extend the profile `training` or `gaudi-training`.",
	Tokens:   []string{tokenLaunchTemplate, tokenHost},
	Resource: judgeTrainingNodeTuning,
}

// tuning is what a training node sets, what shows it in user data of any form, and the key of a host's profile.
var tuning = []struct {
	what  string
	words []string
	key   string
}{
	{"locked memory (RLIMIT_MEMLOCK)", []string{"memlock", "max-locked-memory"}, "limits.memlock"},
	{"transparent huge pages", []string{"transparent_hugepage"}, "thp.enabled"},
	{"NUMA balancing", []string{"numa_balancing"}, "sysctl.kernel.numa_balancing"},
	{"net.core.somaxconn", []string{"somaxconn"}, "sysctl.net.core.somaxconn"},
}

func judgeTrainingNodeTuning(r *Resource, _ Config) []Finding {
	if r.Type == tokenHost {
		return judgeHostTuning(r)
	}
	text, ok := userData(r)
	if !ok || len(efas(r)) == 0 {
		return nil
	}
	text = strings.ToLower(text)
	var missing []string
	for _, item := range tuning {
		if !slices.ContainsFunc(item.words, func(word string) bool { return strings.Contains(text, word) }) {
			missing = append(missing, item.what)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return one("The user data sets no %s.", strings.Join(missing, ", no "))
}

// judgeHostTuning judges a host that is prepared over SSH. A profile that is not known is left alone.
func judgeHostTuning(r *Resource) []Finding {
	if kind, ok := r.Get("accelerator").Text(); !ok || kind == "" {
		return nil
	}
	var missing []string
	for _, item := range tuning {
		if r.Get("profile", item.key).Absent() {
			missing = append(missing, item.what)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return one("The profile sets no %s.", strings.Join(missing, ", no "))
}

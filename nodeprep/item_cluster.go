package nodeprep

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const nodeConfigFile = "/etc/gpuyard/nodeconfig.yaml"

// clusterJoin makes a host a hybrid node of an EKS cluster: nodeadm install with containerd as it is, then init.
//
// init succeeds where install never ran, so kubelet is looked at afterwards. The activation is a secret and is in the
// configuration file alone. Source: EKS User Guide, "Connect hybrid nodes", and eks-hybrid, cmd/nodeadm/init.
func clusterJoin() item {
	return item{
		Key: "cluster_join", Title: "Node of an EKS cluster",
		Keys: []key{
			{Name: "cluster.name", Legal: matching(`[A-Za-z0-9][A-Za-z0-9_-]{0,99}`, "the name of an EKS cluster")},
			{Name: "cluster.region", Legal: matching(`[a-z]{2}(-[a-z]+)+-[0-9]`, "a region such as us-west-2")},
			{Name: "cluster.version", Legal: matching(`1\.[0-9]{2}`, "a version of Kubernetes such as 1.35")},
			{Name: "cluster.activation_id", Legal: matching(`[0-9a-f-]{36}`, "the id of an SSM activation")},
			{Name: "cluster.labels", Legal: matching(`[A-Za-z0-9./_-]+=[A-Za-z0-9._-]*(,[A-Za-z0-9./_-]+=[A-Za-z0-9._-]*)*`, "labels of the node such as a=b,c=d")},
			{Name: "cluster.taints", Legal: matching(`[A-Za-z0-9./_-]+=[A-Za-z0-9._-]*:[A-Za-z]+(,[A-Za-z0-9./_-]+=[A-Za-z0-9._-]*:[A-Za-z]+)*`, "taints of the node such as a=b:NoSchedule,c=:NoExecute")},
			{Name: "cluster.activation_code", Legal: matching(`[A-Za-z0-9+/=]{20,250}`, "the code of an SSM activation"), Secret: true},
		},
		Needs: []string{"containerd", "swap", "nvidia_driver", "habana_driver", "container_toolkit", "limits"},
		Host:  true, Slow: true,
		Assess: assessJoin,
		Steps: func(w want) []script.Step {
			return []script.Step{script.Call("np_join", nodeConfigFile, nodeConfig(w), w.get("cluster.version"), w.get("cluster.region"))}
		},
		Files: func(want) []string { return []string{nodeConfigFile} },
	}
}

// nodeConfig is what nodeadm reads. Labels and taints count when the node registers: later ones are the cluster's to set.
//
// Source: EKS User Guide, "Hybrid nodes nodeadm reference", node.eks.aws/v1alpha1.
func nodeConfig(w want) string {
	var flags strings.Builder
	for _, f := range []struct{ flag, key string }{{"node-labels", "labels"}, {"register-with-taints", "taints"}} {
		if value := w.get("cluster." + f.key); value != "" {
			fmt.Fprintf(&flags, "      - --%s=%s\n", f.flag, value)
		}
	}
	kubelet := ""
	if flags.Len() > 0 {
		kubelet = "  kubelet:\n    flags:\n" + flags.String()
	}
	return fmt.Sprintf(`# How this host joins its cluster, kept by gpuyard. It holds a secret.
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: %s
    region: %s
  hybrid:
    ssm:
      activationCode: %s
      activationId: %s
`, w.get("cluster.name"), w.get("cluster.region"), w.get("cluster.activation_code"), w.get("cluster.activation_id")) + kubelet
}

func assessJoin(w want, h *facts.Host) []Setting {
	s := Setting{Name: "cluster", Wanted: w.get("cluster.name"), Live: unset}
	var missing []string
	for _, k := range []string{"name", "region", "version", "activation_id", "activation_code"} {
		if !w.has("cluster." + k) {
			missing = append(missing, "cluster."+k)
		}
	}
	virtual := h.Virtualization == "amazon"
	switch {
	case len(missing) > 0:
		return []Setting{blocked(s, "the profile lacks "+strings.Join(missing, ", "))}
	case virtual:
		return []Setting{blocked(s, "an EC2 instance cannot be a hybrid node: make it part of a node group")}
	case h.OS.Family == facts.Debian || h.OS.Family == facts.Unknown:
		return []Setting{blocked(s, "nodeadm supports Ubuntu, Red Hat and Amazon Linux 2023, and not "+orUnset(h.OS.Name))}
	case h.OS.Family == facts.Amazon && h.BareMetal():
		return []Setting{blocked(s, "Amazon Linux 2023 is supported as a hybrid node in virtual machines only")}
	case !h.Has("nodeadm"):
		return []Setting{blocked(s, "nodeadm for hybrid nodes is not installed (the nodeadm of EC2 images is another program)")}
	}
	s.OnDisk = onDisk(h, nodeConfigFile, nodeConfig(w), s.Wanted)
	if h.Units["kubelet.service"].Active == "active" {
		s.Live = s.OnDisk
	}
	return []Setting{judged(s)}
}

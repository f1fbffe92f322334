package kubernetes

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// kubeconfig is the part of a kubeconfig file that says which cluster is meant and who asks.
// Source: Kubernetes, "kubeconfig (v1)".
type kubeconfig struct {
	CurrentContext string `yaml:"current-context"`
	Contexts       []struct {
		Name    string `yaml:"name"`
		Context struct {
			Cluster string `yaml:"cluster"`
			User    string `yaml:"user"`
		} `yaml:"context"`
	} `yaml:"contexts"`
	Clusters []struct {
		Name    string `yaml:"name"`
		Cluster struct {
			Server    string `yaml:"server"`
			Authority string `yaml:"certificate-authority-data"`
		} `yaml:"cluster"`
	} `yaml:"clusters"`
	Users []struct {
		Name string `yaml:"name"`
		User struct {
			Exec struct {
				Command string   `yaml:"command"`
				Args    []string `yaml:"args"`
			} `yaml:"exec"`
			Token string `yaml:"token"`
		} `yaml:"user"`
	} `yaml:"users"`
}

// target is the cluster that a provider's configuration points at.
type target struct {
	server    string
	authority string
	cluster   string // the name that credentials are asked for; empty when they are no `aws eks get-token`
}

// targetOf reads the kubeconfig of a provider's configuration.
func targetOf(cfg engine.Props) (target, error) {
	text := cfg.Str("kubeconfig")
	if text == "" {
		return target{}, engine.Invalid("kubeconfig", "missing: give the provider the text of a kubeconfig; the embedded cloud reads no files")
	}
	var k kubeconfig
	if err := yaml.Unmarshal([]byte(text), &k); err != nil {
		return target{}, engine.Invalid("kubeconfig", "is not the text of a kubeconfig: %v", err)
	}
	name := k.CurrentContext
	if given := cfg.Str("context"); given != "" {
		name = given
	}
	for _, c := range k.Contexts {
		if c.Name == name {
			return k.target(c.Context.Cluster, c.Context.User)
		}
	}
	return target{}, engine.Invalid("kubeconfig", "its current context %q is not among its contexts", name)
}

func (k kubeconfig) target(cluster, user string) (target, error) {
	var t target
	for _, c := range k.Clusters {
		if c.Name == cluster {
			t.server, t.authority = c.Cluster.Server, c.Cluster.Authority
		}
	}
	if t.server == "" {
		return t, engine.Invalid("kubeconfig", "its cluster %q has no server", cluster)
	}
	for _, u := range k.Users {
		if u.Name != user {
			continue
		}
		args := u.User.Exec.Args
		if i := slices.Index(args, "--cluster-name"); i >= 0 && i+1 < len(args) {
			t.cluster = args[i+1]
		}
		return t, nil
	}
	return t, engine.Invalid("kubeconfig", "its user %q is not among its users", user)
}

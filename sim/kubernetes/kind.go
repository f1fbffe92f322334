package kubernetes

import (
	"slices"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// kind is a kind of object that nothing in the cloud changes by itself.
type kind struct {
	apiVersion, name string
	args             any
	global           bool // lives in no namespace
	replace          []string
	plan, apply      []engine.Rule
	keep             []engine.Rule
}

// token returns the type token of a kind: kubernetes:core/v1:ConfigMap.
func (k kind) token() string {
	if k.apiVersion == "v1" {
		return "kubernetes:core/v1:" + k.name
	}
	return "kubernetes:" + k.apiVersion + ":" + k.name
}

// resource returns the kind as a resource type.
func (k kind) resource() *engine.Resource {
	replace := append([]string{"metadata.name"}, k.replace...)
	apply := []engine.Rule{reachable}
	if !k.global {
		replace = append(replace, "metadata.namespace")
		apply = append(apply, namespaceExists)
	}
	return &engine.Resource{
		Token: k.token(), Args: k.args, State: k.args, Replace: replace, DeleteFirst: true,
		Fills: metadataFills, Moves: []string{"metadata"},
		Plan: slices.Concat([]engine.Rule{isOf(k.apiVersion, k.name), named}, k.plan), Apply: slices.Concat(apply, k.apply), Keep: k.keep,
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			cl, _ := clusterOf(c)
			c.ComeWith(clusterToken, cl.ID)
			uid, err := uidOf(c)
			id := c.In.Str("metadata.name")
			if !k.global {
				id = namespace(c) + "/" + id
			}
			return id, engine.Outputs{"apiVersion": k.apiVersion, "kind": k.name, "metadata": metadata(c, uid, 1, k.global)}, err
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			generation, _ := c.Was.Int("metadata.generation")
			return engine.Outputs{"metadata": metadata(c, c.Was.Str("metadata.uid"), generation+1, k.global)}, nil
		},
	}
}

// releasesOf returns the releases of a chart in the cluster that a call is about.
func releasesOf(c *engine.Call, chart string) []engine.Item {
	return slices.DeleteFunc(c.All(releaseToken), func(i engine.Item) bool { return i.In.Str("chart") != chart || i.ID == c.ID && c.ID != "" })
}

// hasAddon says whether the cluster that a call is about has an EKS add-on.
func hasAddon(c *engine.Call, name string) bool {
	cl, err := clusterOf(c)
	if err != nil {
		return false
	}
	_, ok := c.Get("aws:eks/addon:Addon", cl.ID+":"+name)
	return ok
}

package kubernetes

import (
	"errors"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// customArgs are the arguments of a custom resource: its specification is judged by its definition.
type customArgs struct {
	APIVersion *string        `pulumi:"apiVersion"`
	Kind       *string        `pulumi:"kind"`
	Metadata   *objectMeta    `pulumi:"metadata"`
	Spec       map[string]any `pulumi:"spec"`
}

// customKinds are the kinds of custom resources that programs register themselves. A CephCluster is made by its chart.
func customKinds() []kind {
	var all []kind
	for _, d := range definitions() {
		if d.Kind == "CephCluster" {
			continue
		}
		k := kind{apiVersion: d.APIVersion, name: d.Kind, args: customArgs{}, global: !d.Namespaced, plan: []engine.Rule{legal(d)}, apply: []engine.Rule{defined(d)}}
		switch {
		case d.APIVersion == apiCeph:
			k.apply = append(k.apply, inCephCluster)
		case d.Kind == "AlluxioRuntime" || d.Kind == "DataLoad":
			k.apply = append(k.apply, ofDataset)
		}
		if d.Kind == "AlluxioRuntime" {
			k.plan = append(k.plan, tiersFit)
		}
		all = append(all, k)
	}
	return all
}

const (
	apiCeph  = "ceph.rook.io/v1"
	apiFluid = "data.fluid.io/v1alpha1"
)

// legal is the rule that a custom resource fits its definition.
func legal(d definition) engine.Rule {
	return engine.Rule{
		Name: "legal-spec", Says: "the specification fits the kind's definition, and has no field that the definition does not know", Source: "the definitions in sim/kubernetes/crds",
		Judge: func(c *engine.Call) error {
			spec, ok := c.In["spec"]
			if !ok {
				spec = resource.NewProperty(resource.PropertyMap{})
			}
			return errors.Join(d.Spec.check("spec", spec)...)
		},
	}
}

// defined is the rule that a chart brought the definition before.
func defined(d definition) engine.Rule {
	return engine.Rule{
		Name: "kind-defined", Says: "the chart that brings the kind's definition is installed: " + d.Chart, Source: "Kubernetes, \"Custom Resources\"",
		Judge: func(c *engine.Call) error {
			if len(releasesOf(c, d.Chart)) == 0 {
				return engine.Refuse("NotFound", "no matches for kind %q in version %q: make it depend on the release of the chart %s", d.Kind, d.APIVersion, d.Chart)
			}
			return nil
		},
	}
}

var inCephCluster = engine.Rule{
	Name: "in-ceph-cluster", Says: "a Ceph cluster is in the namespace", Source: "Rook, \"CephBlockPool CRD\": the namespace is the cluster's",
	Judge: func(c *engine.Call) error {
		for _, r := range releasesOf(c, "rook-ceph-cluster") {
			if r.In.Str("namespace") == namespace(c) {
				return nil
			}
		}
		return engine.Refuse("NotReady", "there is no Ceph cluster in the namespace %s: make it depend on the release of the chart rook-ceph-cluster", namespace(c))
	},
}

var ofDataset = engine.Rule{
	Name: "of-dataset", Says: "the data set is there: a runtime has its name and namespace, a load names it", Source: "Fluid 1.0.8, api/v1alpha1",
	Judge: func(c *engine.Call) error {
		name, in := c.In.Str("metadata.name"), namespace(c)
		if c.In.Has("spec.dataset.name") {
			name = c.In.Str("spec.dataset.name")
		}
		if _, ok := c.Get("kubernetes:"+apiFluid+":Dataset", in+"/"+name); !ok {
			return engine.Refuse("NotFound", "datasets.data.fluid.io %q not found in the namespace %s", name, in)
		}
		return nil
	},
}

var tiersFit = engine.Rule{
	Name: "tiers-fit", Says: "a level has a path and a quota, and the worker's memory limit holds the level of memory", Source: "Fluid 1.0.8, pkg/ddc/alluxio/transform_resources.go",
	Judge: func(c *engine.Call) error {
		var errs []error
		limit := c.In.Str("spec.worker.resources.limits.memory")
		for i, level := range c.In.Blocks("spec.tieredstore.levels[*]") {
			at := engine.Props(level)
			if !at.Has("path") || !at.Has("quota") && !at.Has("quotaList") {
				errs = append(errs, engine.Invalid("spec.tieredstore.levels", "level %d lacks a path or a quota", i))
			}
			if at.Str("mediumtype") == "MEM" && limit != "" && mebibytes(at.Str("quota")) > mebibytes(limit) {
				errs = append(errs, engine.Invalid("spec.worker.resources.limits.memory", "got %s: the memory tiered store's size %s is greater", limit, at.Str("quota")))
			}
		}
		return errors.Join(errs...)
	},
}

// mebibytes reads a quantity in Mi or Gi; every other is 0.
func mebibytes(quantity string) int {
	n := 0
	for i, r := range quantity {
		if r < '0' || r > '9' {
			if i := slices.Index([]string{"Mi", "Gi"}, quantity[i:]); i == 1 {
				return n * 1024
			} else if i == 0 {
				return n
			}
			return 0
		}
		n = n*10 + int(r-'0')
	}
	return 0
}

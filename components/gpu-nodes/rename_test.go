package gpunodes

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// renamed registers a pool under a new name. It has a child of every kind.
func renamed(t *testing.T) *pulumitest.Graph {
	t.Helper()
	args := reserved("capacity_block", "p5.48xlarge")
	args.CapacityWindow, args.RenamedFrom = Window{"2026-12-01T11:30:00Z", "2026-12-08T11:30:00Z"}, "pool"
	args.Now = "2026-11-30T10:00:00Z"
	return pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "train", args)
		return err
	}, world())
}

// A pool that is renamed goes on running: the engine must know every one of its resources by the former name.
func TestRenamedPoolIsKnownByItsFormerName(t *testing.T) {
	t.Parallel()
	graph := renamed(t)
	if len(graph.Resources) != 5 {
		t.Errorf("there are %d resources, want the pool, its template, its group and two actions", len(graph.Resources))
	}
	for _, r := range graph.Resources {
		former := strings.Replace(r.Name, "train", "pool", 1)
		if !slices.ContainsFunc(r.Options, func(o string) bool { return o == "alias: "+former }) {
			t.Errorf("%s %s has the options %v and not the alias %s", r.Type, r.Name, r.Options, former)
		}
	}
}

// Names in AWS cannot be changed, only replaced; and a template that differs in a tag rolls every node.
func TestRenamedPoolKeepsWhatItIsCalledInAWS(t *testing.T) {
	t.Parallel()
	args := reserved("capacity_block", "p5.48xlarge")
	args.CapacityWindow = Window{"2026-12-01T11:30:00Z", "2026-12-08T11:30:00Z"}
	args.Now = "2026-11-30T10:00:00Z"
	before, after := runPool(t, args), renamed(t)

	template := after.Get(t, tokenTemplate, "train-template")
	if old := before.Get(t, tokenTemplate, "pool-template").Inputs; !template.Inputs.DeepEquals(old) {
		t.Errorf("the template was\n%v\nand is\n%v", old, template.Inputs)
	}
	group := after.Get(t, tokenNodeGroup, "train-group")
	for _, key := range []string{"nodeGroupNamePrefix", "tags", "capacityType", "subnetIds", "nodeRoleArn", "clusterName", "amiType"} {
		old := before.Get(t, tokenNodeGroup, "pool-group").Inputs[resource.PropertyKey(key)]
		if !group.Inputs[resource.PropertyKey(key)].DeepEquals(old) {
			t.Errorf("%s was %v and is %v", key, old, group.Inputs[resource.PropertyKey(key)])
		}
	}
	for token, kept := range map[string]string{tokenTemplate + " train-template": "namePrefix", tokenNodeGroup + " train-group": "nodeGroupNamePrefix"} {
		kind, name, _ := strings.Cut(token, " ")
		if options := after.Get(t, kind, name).Options; !slices.ContainsFunc(options, func(o string) bool {
			return strings.HasPrefix(o, "ignoreChanges") && strings.Contains(o, kept)
		}) {
			t.Errorf("after a second renaming %s would be replaced for its %s: %v", name, kept, options)
		}
	}
	if got := group.Inputs["labels"].ObjectValue()[LabelPool].StringValue(); got != "train" {
		t.Errorf("the nodes are labelled %s, want the new name", got)
	}
}

// With an image of one's own the labels are in the user data, which must not change with the name.
func TestRenamingKeepsTheUserDataOfANamedImage(t *testing.T) {
	t.Parallel()
	args := namedImage(poolArgs("g6.xlarge"))
	before := poolTemplate(t, args)["userData"].StringValue()
	args.RenamedFrom = "pool"
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "train", args)
		return err
	}, world())
	if after := graph.Get(t, tokenTemplate, "train-template").Inputs["userData"].StringValue(); after != before {
		t.Errorf("the user data was\n%s\nand is\n%s", before, after)
	}
}

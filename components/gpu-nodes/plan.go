package gpunodes

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// poolPlan is everything about a pool that its plain arguments decide.
type poolPlan struct {
	args       PoolArgs // resolved
	types      []*catalog.InstanceType
	interfaces catalog.InterfacePlan
	amiType    string // empty with an image of one's own
	spec       NodeSpec
	labels     map[string]string
	taints     []Taint
	resources  map[string]string
}

// planPool judges the arguments of a pool. Its error holds all that is wrong.
func planPool(name string, args *PoolArgs) (*poolPlan, error) {
	c := argument.For(TypePool, name)
	if args == nil {
		c.Failf("args", "they are missing")
		return nil, c.Err()
	}
	p := &poolPlan{args: args.resolved()}
	checkName(c, "name", name)
	checkInputs(c, &p.args)
	checkSizes(c, &p.args)
	checkSchedules(c, &p.args)
	checkTaints(c, "taints", p.args.Taints)
	checkLabels(c, p.args.Labels)
	checkEFA(c, &p.args)
	checkImage(c, &p.args)
	checkUpdate(c, p.args.Update)
	checkSharingFits(c, &p.args)
	switch p.args.RenamedFrom {
	case "":
	case name:
		c.Failf("renamedFrom", "%s is the pool's name: it is the former one that is wanted", name)
	default:
		checkName(c, "renamedFrom", p.args.RenamedFrom)
	}
	if p.types = lookUp(c, p.args.Catalog, "instanceTypes", p.args.InstanceTypes); len(p.types) > 0 {
		p.derive(c, name)
	}
	return p, c.Err()
}

// derive fills in what follows from the instance types.
func (p *poolPlan) derive(c *argument.Checker, name string) {
	fabric := catalog.Fabric(p.args.Fabric)
	checkCapacity(c, &p.args, p.types)
	checkPlacement(c, &p.args, p.types)
	checkSharing(c, "gpuSharing", p.args.GPUSharing, p.types)

	var err error
	if p.args.AMI != "" {
		err = checkNamedImage(p.types)
	} else {
		p.amiType, err = poolAMIType(p.args.OS, p.types)
	}
	if err != nil {
		c.Failf("instanceTypes", "%v", err)
	}
	if p.interfaces, err = poolInterfaces(p.types, fabric); err != nil {
		c.Failf("fabric", "%v", err)
		return
	}
	for _, err := range checkLocalStorage(p.args.LocalStorage, p.types) {
		c.Failf("localStorage", "%v", err)
	}
	for _, err := range p.args.Kubelet.check(p.types) {
		c.Failf("kubelet", "%v", err)
	}
	for _, err := range p.args.System.check(p.args.OS) {
		c.Failf("system", "%v", err)
	}
	p.spec = NodeSpec{
		Types: p.types, Plan: p.interfaces, Kubelet: p.args.Kubelet, System: p.args.System, LocalStorage: p.args.LocalStorage, OS: p.args.OS,
	}
	if p.args.OS == osBottlerocket {
		for _, err := range checkBottlerocket(p.spec) {
			c.Failf("kubelet", "%v", err)
		}
	}
	if p.args.GPUSharing.isMIG() {
		p.spec.MIGProfile = p.args.GPUSharing.Profile
	}
	if c.Err() == nil {
		// What a node of an image of one's own is told of its cluster takes no more room than what EKS would tell it.
		if err := checkUserData(userData(p.spec), false); err != nil {
			c.Failf("system", "%v", err)
		}
	}
	p.labels = p.labelsOf(name)
	p.resources = Resources(p.types, p.interfaces, p.args.Kubelet.Hugepages)
	p.args.GPUSharing.offer(p.resources, p.types)
	p.taints = slices.Clone(p.args.Taints)
	if !p.args.NoDefaultTaints {
		p.taints = mergeTaints(DefaultTaints(p.types), p.args.Taints)
	}
}

// lookUp finds instance types in the catalog.
func lookUp(c *argument.Checker, cat *catalog.Catalog, arg string, names []string) []*catalog.InstanceType {
	if len(names) == 0 || len(names) > 20 {
		c.Failf(arg, "%d are given: EKS takes 1 to 20", len(names))
	}
	var types []*catalog.InstanceType
	for i, name := range names {
		t, err := cat.Lookup(name)
		switch {
		case err != nil:
			c.Failf(arg, "%v", err)
		case slices.Contains(names[:i], name):
			c.Failf(arg, "%s is given twice", name)
		default:
			types = append(types, t)
		}
	}
	return types
}

// poolInterfaces returns the one interface plan that all types of a pool share.
func poolInterfaces(types []*catalog.InstanceType, fabric catalog.Fabric) (catalog.InterfacePlan, error) {
	if fabric == catalog.FabricRoCE {
		return nil, errors.New(`"roce" is for servers prepared over SSH: EC2 instances have "efa"`)
	}
	var shared catalog.InterfacePlan
	for i, t := range types {
		plan, err := t.InterfacePlan(fabric)
		if err != nil {
			return nil, err
		}
		if i > 0 && !slices.Equal(plan, shared) {
			return nil, fmt.Errorf("%s takes the interfaces %s but %s takes %s: a launch template has one set of "+
				"interfaces, so put them into two pools", types[0].Name, shared, t.Name, plan)
		}
		shared = plan
	}
	return shared, nil
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

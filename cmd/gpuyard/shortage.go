package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/stacks"
)

// insufficient is how EC2 says that it has no instances of a type in a zone.
const insufficient = "InsufficientInstanceCapacity"

// shortage says of an error what can be done about it, if it is that AWS has no instances for a pool, and nothing of others.
// A pool with several zones meets this only when all of them are out: EC2 Auto Scaling then tries the others.
// Source: EC2 Auto Scaling User Guide, "Availability Zone distribution".
func shortage(plan *stacks.Plan, urn, text string) string {
	if !strings.Contains(text, insufficient) {
		return ""
	}
	i := slices.IndexFunc(plan.Pools, func(p stacks.PoolPlan) bool {
		return nameOf(urn) == plan.Blueprint.Environment.Name.Value+"-"+p.Pool.Name.Value+"-group"
	})
	if i < 0 {
		return ""
	}
	p := plan.Pools[i]
	advice := fmt.Sprintf("\nnode_pool %q: AWS has no %s to give in %s at present. What was made is kept, and the next `gpuyard up` tries again. Otherwise:",
		p.Pool.Name.Value, strings.Join(p.TypeNames(), " or "), strings.Join(p.Zones, ", "))
	for _, option := range alternatives(plan, p) {
		advice += "\n  - " + option
	}
	return advice
}

// alternatives are what can be written in the blueprint for a pool that gets no instances.
func alternatives(plan *stacks.Plan, p stacks.PoolPlan) []string {
	var options, elsewhere []string
	for _, zone := range plan.Blueprint.Network.Zones {
		if !slices.Contains(p.Zones, zone.Value) {
			elsewhere = append(elsewhere, zone.Value)
		}
	}
	reserved := p.Pool.Capacity.Kind.Value == "reservation" || p.Pool.Capacity.Kind.Value == "capacity_block"
	if len(elsewhere) > 0 && !reserved {
		options = append(options, "another zone: the network has "+strings.Join(elsewhere, " and "))
	}
	if !reserved {
		options = append(options, "more types in instance_types, alike in architecture and accelerator")
	}
	if p.Pool.Capacity.Kind.Value == "spot" {
		options = append(options, `capacity of kind "on_demand", of which there may be some`)
	}
	if p.Pool.Size.Desired.Value > 1 {
		options = append(options, fmt.Sprintf("fewer nodes than %d to begin with", p.Pool.Size.Desired.Value))
	}
	if !reserved {
		options = append(options, `capacity of kind "reservation" or "capacity_block", which is bought beforehand and then there`)
	}
	return options
}

package pulumitest

import (
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// Resource is a resource as a program registered it.
type Resource struct {
	// Type is the type token and Name the logical name.
	Type, Name string
	// Custom tells a provider's resource from a component.
	Custom bool
	// ReadID is the id of a resource that is read or imported.
	ReadID string
	// Parent is the type and name of the parent, and empty below the stack.
	Parent string
	// Provider is the name of an explicit provider.
	Provider string
	// Inputs are the inputs, unknowns and secrets kept.
	Inputs resource.PropertyMap
	// Dependencies are the types and names of what the resource waits for, through inputs or options.
	Dependencies []string
	// Options are the resource options that are set, as text.
	Options []string
}

// Call is an invoke that a program made.
type Call struct {
	Token    string
	Args     resource.PropertyMap
	Provider string
}

// Graph is what a program registered.
type Graph struct {
	// Resources are sorted by type and name.
	Resources []Resource
	// Calls are sorted by token and arguments.
	Calls []Call
}

func newGraph(resources []Resource, calls []Call) *Graph {
	slices.SortFunc(resources, func(a, b Resource) int {
		return strings.Compare(a.Type+" "+a.Name+" "+a.Parent, b.Type+" "+b.Name+" "+b.Parent)
	})
	slices.SortFunc(calls, func(a, b Call) int {
		return strings.Compare(callText(a), callText(b))
	})
	return &Graph{Resources: resources, Calls: calls}
}

// Get returns the resource of a type and name, and fails the test when there is none.
func (g *Graph) Get(t testing.TB, typ, name string) Resource {
	t.Helper()
	for _, r := range g.Resources {
		if r.Type == typ && r.Name == name {
			return r
		}
	}
	t.Fatalf("no %s %s is registered, only:\n%s", typ, name, strings.Join(g.names(), "\n"))
	return Resource{}
}

// OfType returns the resources of a type.
func (g *Graph) OfType(typ string) []Resource {
	var found []Resource
	for _, r := range g.Resources {
		if r.Type == typ {
			found = append(found, r)
		}
	}
	return found
}

func (g *Graph) names() []string {
	var names []string
	for _, r := range g.Resources {
		names = append(names, r.Type+" "+r.Name)
	}
	return names
}

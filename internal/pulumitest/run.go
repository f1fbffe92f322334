package pulumitest

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Names of the project and the stack that programs run in.
const (
	Project = "project"
	Stack   = "stack"
)

// CallFunc answers an invoke.
type CallFunc func(args resource.PropertyMap) (resource.PropertyMap, error)

// OutputFunc gives the outputs of a custom resource that a provider would add to its inputs.
type OutputFunc func(name string, inputs resource.PropertyMap) resource.PropertyMap

// Options says how the world answers a program.
type Options struct {
	// Calls answers invokes, by token, such as aws:index/getPartition:getPartition.
	Calls map[string]CallFunc
	// Outputs adds outputs to custom resources, by type token.
	Outputs map[string]OutputFunc
	// Preview runs the program as a preview: ids and outputs that a provider would give are unknown.
	Preview bool
}

// Run runs a program that is expected to succeed and returns what it registered.
func Run(t testing.TB, program func(*pulumi.Context) error, opts Options) *Graph {
	t.Helper()
	graph, err := RunErr(t, program, opts)
	if err != nil {
		t.Fatalf("running the program: %v", err)
	}
	return graph
}

// RunErr runs a program and returns what it registered and the error it ended with.
func RunErr(t testing.TB, program func(*pulumi.Context) error, opts Options) (*Graph, error) {
	t.Helper()
	r := &recorder{t: t, opts: opts, seen: map[string]bool{}}
	err := pulumi.RunErr(program, pulumi.WithMocks(Project, Stack, r), func(info *pulumi.RunInfo) {
		info.DryRun = opts.Preview
	})
	return r.graph(), err
}

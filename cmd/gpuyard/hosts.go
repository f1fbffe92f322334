package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"

	"github.com/gpuyard/gpuyard/internal/rack"
	"github.com/gpuyard/gpuyard/provider"
)

// hostToken is the type of the resource that is a prepared host.
const hostToken = "gpuyard:nodeprep:Host"

// serveProvider serves the provider to the engine that started this process under its name, and returns the exit code.
func serveProvider() int {
	if err := provider.Main(context.Background(), provider.Options{}); err != nil {
		fmt.Fprintln(os.Stderr, "gpuyard provider:", err)
		return exitFailed
	}
	return exitOK
}

// attachHosts serves the provider in this process, and returns what tells the engine so, and how to end it. It reaches
// real hosts, whose files relative paths begin at the project's folder; with a folder for simulated ones, those in it.
func attachHosts(ctx context.Context, root, simulated string) (string, func(), error) {
	options := provider.Options{Dir: root}
	closeRack := func() {}
	if simulated != "" {
		r, err := rack.Open(simulated)
		if err != nil {
			return "", nil, err
		}
		// A simulated host is this machine, which may be busy with all the others.
		options.Deadline = 10 * time.Minute
		options.Redirect, options.Notice, closeRack = r.Redirect, "simulation, a host in "+relative(simulated), r.Close
	}
	// Like the embedded cloud, it outlives an interrupt.
	endpoint, err := provider.Attach(context.WithoutCancel(ctx), options)
	if err != nil {
		closeRack()
		return "", nil, err
	}
	return endpoint.DebugProviders(), func() {
		endpoint.Close()
		closeRack()
	}, nil
}

// hostsBelow is where the simulated hosts of a local stack are.
func hostsBelow(dir string) string { return filepath.Join(dir, "hosts") }

// hostChanges names the items of a host that differ, and other arguments by their paths.
func hostChanges(m apitype.StepEventMetadata) string {
	var names []string
	for path := range m.DetailedDiff {
		if item, ok := strings.CutPrefix(path, `items["`); ok {
			path = strings.TrimSuffix(item, `"]`)
		}
		names = append(names, path)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

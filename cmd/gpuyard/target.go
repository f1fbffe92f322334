package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/pace"
	"github.com/gpuyard/gpuyard/stacks"
)

// targetFlags are the flags of every command that runs the engine.
type targetFlags struct {
	local bool
	yes   bool
	// settles says that what an earlier run left open is resolved before this one begins.
	settles bool
	// undescribed is what to say of a stack without a blueprint that is not there either. Nil makes a stack that is not there.
	undescribed error
	// faults go wrong on demand in the embedded cloud, which takes its time at this pace.
	faults []sim.Fault
	pace   pace.Pace
}

func (f *targetFlags) add(cmd *cobra.Command, confirms bool) {
	cmd.Flags().BoolVar(&f.local, "local", false, "use the embedded cloud: a simulation that needs no account")
	if confirms {
		cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask before changing anything")
	}
}

// absent says of a stack that has no blueprint and is not there that there is no such environment. Other errors stay.
func (f *targetFlags) absent(err error) error {
	if f.undescribed != nil && auto.IsSelectStack404Error(err) {
		return f.undescribed
	}
	return err
}

// cloudDir is where the embedded cloud of a local stack keeps its data.
func cloudDir(root, stack string) string { return cloudBelow(engine.LocalDir(root, stack)) }

func cloudBelow(dir string) string { return filepath.Join(dir, "cloud") }

// judging finds the policy pack that judges a run, given the project's folder.
type judging func(root string) (engine.Policy, error)

// unjudged is for what changes nothing in the cloud, or removes it.
func unjudged(string) (engine.Policy, error) { return engine.Policy{}, nil }

// open opens the stack on the embedded cloud or on the real one, judged by a policy pack if there is one. The returned
// function closes it.
func (a *app) open(ctx context.Context, stack string, target targetFlags, policy judging) (*engine.Workspace, func(), error) {
	root, err := a.root()
	if err != nil {
		return nil, nil, err
	}
	cli, err := engine.FindCLI(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	a.cli.Store(cli)
	judge, err := policy(root)
	if err != nil {
		return nil, nil, err
	}
	options := engine.Options{
		Root: root, Stack: stack, CLI: cli, Policy: judge, Program: stacks.Program(filepath.Join(root, "stacks")),
		Dir: engine.LocalDir(root, stack), Existing: target.undescribed != nil,
	}
	if target.local {
		return a.openLocal(ctx, options, target)
	}
	hosts, closeHosts, err := attachHosts(ctx, root, "")
	if err != nil {
		return nil, nil, err
	}
	w, err := engine.Cloud(ctx, options, engineEnv(root, hosts))
	if err == nil && target.settles {
		err = a.settle(ctx, w, nil)
	}
	err = target.absent(err)
	if err != nil {
		closeHosts()
	}
	return w, closeHosts, err
}

func (a *app) openLocal(ctx context.Context, options engine.Options, target targetFlags) (*engine.Workspace, func(), error) {
	cat, err := a.hardware()
	if err != nil {
		return nil, nil, err
	}
	cloud, err := sim.NewCloud(sim.Options{Dir: cloudBelow(options.Dir), Catalog: cat, Faults: target.faults, Pace: target.pace})
	var system syscall.Errno // such as a folder that cannot be written to
	switch {
	case errors.Is(err, sim.ErrBusy) || errors.As(err, &system):
		return nil, nil, err
	case err != nil:
		return nil, nil, fmt.Errorf("%w. If it is damaged, remove %s, which holds nothing real, and bring the environment up again", err, options.Dir)
	}
	// The cloud outlives an interrupt: the engine still has to finish what it is doing there.
	endpoint, err := cloud.Serve(context.WithoutCancel(ctx))
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("starting the embedded cloud: %w", err), cloud.Close())
	}
	hosts, closeHosts, err := attachHosts(ctx, options.Root, hostsBelow(options.Dir))
	if err != nil {
		endpoint.Close()
		return nil, nil, errors.Join(err, cloud.Close())
	}
	w, err := engine.Local(ctx, options, engineEnv(options.Root, endpoint.DebugProviders()+","+hosts))
	closeAll := func() {
		closeHosts()
		endpoint.Close()
		if err := errors.Join(cloud.Close(), w.Close()); err != nil {
			a.say("gpuyard: closing the embedded cloud: %v\n", err)
		}
	}
	err = target.absent(err)
	if err == nil && target.settles {
		err = a.settle(ctx, w, cloud)
	}
	if err != nil {
		closeAll()
		return nil, nil, err
	}
	return w, closeAll, nil
}

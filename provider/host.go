package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

// HostState is a host as it was last looked at.
type HostState struct {
	HostArgs
	// System is the operating system.
	System string `pulumi:"system"`
}

// Annotate describes the outputs in the package's schema.
func (s *HostState) Annotate(an infer.Annotator) {
	an.Describe(&s.System, "The host's operating system.")
}

// Host is a Linux host that is prepared over SSH. It exists already and goes on to exist: to create the resource is to
// prepare the host, and to delete it leaves the host as it is, or gives it back what it had.
type Host struct {
	reach *reach
	// turn is had by the one host that may reboot.
	turn chan struct{}
}

var (
	_ infer.CustomCheck[HostArgs]             = (*Host)(nil)
	_ infer.CustomDiff[HostArgs, HostState]   = (*Host)(nil)
	_ infer.CustomRead[HostArgs, HostState]   = (*Host)(nil)
	_ infer.CustomUpdate[HostArgs, HostState] = (*Host)(nil)
	_ infer.CustomDelete[HostState]           = (*Host)(nil)
)

func newHost(o Options) *Host {
	return &Host{reach: &reach{o: o, dialers: map[string]*remote.Dialer{}}, turn: make(chan struct{}, 1)}
}

// Annotate names the resource.
func (h *Host) Annotate(an infer.Annotator) {
	an.SetToken("nodeprep", "Host")
	an.Describe(&h, "A Linux host that is prepared over SSH. It exists already and goes on to exist: to create the resource "+
		"is to prepare the host, and to delete it leaves the host as it is, unless onDestroy says otherwise.")
}

// Diff compares the host, as it was looked at before this preview or update, with what it should be.
func (h *Host) Diff(_ context.Context, req infer.DiffRequest[HostArgs, HostState]) (infer.DiffResponse, error) {
	diff := differences(req.State, req.Inputs)
	return p.DiffResponse{HasChanges: len(diff) > 0, DetailedDiff: diff}, nil
}

// Create prepares a host. A preview looks at it and says what would be done.
func (h *Host) Create(ctx context.Context, req infer.CreateRequest[HostArgs]) (infer.CreateResponse[HostState], error) {
	if req.DryRun {
		return infer.CreateResponse[HostState]{Output: h.preview(ctx, HostState{HostArgs: req.Inputs})}, nil
	}
	state, err := h.prepare(ctx, HostState{HostArgs: req.Inputs})
	return infer.CreateResponse[HostState]{ID: req.Inputs.Address, Output: state}, err
}

// Update brings a host to what it should be.
func (h *Host) Update(ctx context.Context, req infer.UpdateRequest[HostArgs, HostState]) (infer.UpdateResponse[HostState], error) {
	state := HostState{HostArgs: req.Inputs, System: req.State.System}
	if req.DryRun {
		return infer.UpdateResponse[HostState]{Output: h.preview(ctx, state)}, nil
	}
	state, err := h.prepare(ctx, state)
	var failed infer.ResourceInitFailedError
	if err != nil && !errors.As(err, &failed) {
		// Nothing was done: the state goes on to say what the host was found to be.
		return infer.UpdateResponse[HostState]{Output: req.State}, err
	}
	return infer.UpdateResponse[HostState]{Output: state}, err
}

// Read looks at a host. One that cannot be looked at stays in the state as it was, and the engine warns of it.
func (h *Host) Read(ctx context.Context, req infer.ReadRequest[HostArgs, HostState]) (infer.ReadResponse[HostArgs, HostState], error) {
	if req.Inputs.Address == "" {
		return infer.ReadResponse[HostArgs, HostState]{}, errors.New("a host cannot be imported: declare it, and `pulumi up` finds it as it is")
	}
	out := infer.ReadResponse[HostArgs, HostState](req)
	plan, system, err := h.look(ctx, req.State.HostArgs)
	if err != nil {
		return out, infer.ResourceInitFailedError{Reasons: []string{err.Error()}}
	}
	out.State.Items, out.State.System = verdicts(plan), system
	return out, nil
}

// Delete leaves the host as it is, unless it is to be reverted.
func (h *Host) Delete(ctx context.Context, req infer.DeleteRequest[HostState]) (infer.DeleteResponse, error) {
	if req.State.OnDestroy == destroyReverts {
		return infer.DeleteResponse{}, h.revert(ctx, req.State)
	}
	text := "the host is left as it is, with everything that was prepared on it"
	if req.State.Profile["cluster.name"] != "" {
		text += ". It is still set up as a node of the cluster " + req.State.Profile["cluster.name"] + ": `nodeadm uninstall` on it ends that"
	}
	h.say(ctx, "%s", text)
	return infer.DeleteResponse{}, nil
}

// revert gives a host back what it had before. If that fails the resource stays, and the next update goes on from there.
func (h *Host) revert(ctx context.Context, state HostState) error {
	runner, err := h.reach.runner(state.HostArgs)
	if err != nil {
		return err
	}
	defer runner.Close() //nolint:errcheck // what it was for is done
	results, err := nodeprep.Revert(ctx, runner, state.profile())
	if err != nil {
		return fmt.Errorf("reverting %s: %w; with onDestroy = %q the host would be left as it is", state.Address, err, destroyLeaves)
	}
	if len(results) == 0 {
		h.say(ctx, "the host has kept nothing that it was given, so it is left as it is")
		return nil
	}
	text := fmt.Sprintf("the host has what it had before (%d things); packages stay installed, and what the kernel took at boot counts until the next one", len(results))
	for _, r := range results {
		if r.Status == "kept" {
			text += fmt.Sprintf("\n%s is kept: %s", r.Key, r.Detail)
		}
	}
	h.say(ctx, "%s", text)
	return nil
}

// say tells something about a host.
func (h *Host) say(ctx context.Context, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if h.reach.o.Notice != "" {
		text = h.reach.o.Notice + ": " + text
	}
	p.GetLogger(ctx).Info(text)
}

// preview looks at a host and tells what an update would do there.
func (h *Host) preview(ctx context.Context, state HostState) HostState {
	plan, system, err := h.look(ctx, state.HostArgs)
	if err != nil {
		p.GetLogger(ctx).Warningf("what an update would do is not known: %v", err)
		return state
	}
	text := "to do: " + changes(plan)
	if _, left := state.known(); len(left) > 0 {
		text += "\nbesides what is known only when it is done: " + strings.Join(left, ", ")
	}
	h.say(ctx, "%s", text)
	state.Items, state.System = verdicts(plan), system
	return state
}

// look asks a host what it is, within a time, and compares it with what it should be.
func (h *Host) look(ctx context.Context, args HostArgs) (*nodeprep.Plan, string, error) {
	wanted, _ := args.known()
	runner, err := h.reach.runner(args)
	if err != nil {
		return nil, "", err
	}
	defer runner.Close() //nolint:errcheck // it has been asked, and the answer is there
	host, err := h.gather(ctx, runner, args, wanted)
	if err != nil {
		return nil, "", err
	}
	plan, err := nodeprep.NewPlan(wanted, host)
	return plan, host.OS.Name, nodeprep.NewRedactor(wanted).Error(err)
}

func (h *Host) gather(ctx context.Context, runner *remote.Runner, args HostArgs, wanted profile.Profile) (*facts.Host, error) {
	ctx, cancel := h.reach.within(ctx, args)
	defer cancel()
	host, err := nodeprep.Gather(ctx, runner, wanted)
	if err != nil {
		return nil, err
	}
	return host, holds(args, host)
}

// holds says whether a host holds the accelerators that it is said to hold.
func holds(args HostArgs, host *facts.Host) error {
	if args.Accelerator == "" {
		return nil
	}
	found := len(host.GPUs())
	if strings.HasPrefix(args.Accelerator, "gaudi") {
		found = len(host.Gaudis())
	}
	if found != args.AcceleratorCount {
		return fmt.Errorf("%s should hold %d × %s, and shows %d on its PCI bus: another host answers, or a device is gone",
			args.Address, args.AcceleratorCount, args.Accelerator, found)
	}
	return nil
}

// prepare brings a host to what it should be. Its error is an infer.ResourceInitFailedError if the host is not right
// afterwards: the state then says what is not, and the next update goes on from there.
func (h *Host) prepare(ctx context.Context, state HostState) (HostState, error) {
	wanted := state.profile()
	runner, err := h.reach.runner(state.HostArgs)
	if err != nil {
		return state, err
	}
	defer runner.Close() //nolint:errcheck // what it was for is done
	host, err := h.gather(ctx, runner, state.HostArgs, wanted)
	if err != nil {
		return state, err
	}
	state.System = host.OS.Name
	report, err := nodeprep.Apply(ctx, runner, wanted, nodeprep.ApplyOptions{MayReboot: h.mayReboot(state.Reboot)})
	plan := report.After
	if plan == nil {
		plan = report.Before
	}
	if plan == nil {
		return state, err // it was lost before anything was done
	}
	state.Items = verdicts(plan)
	reasons := blocked(plan)
	if err != nil {
		reasons = append([]string{err.Error()}, reasons...)
	}
	if len(reasons) > 0 {
		return state, infer.ResourceInitFailedError{Reasons: reasons}
	}
	if report.Waiting {
		p.GetLogger(ctx).Warningf("%s is right after a reboot, which this update may not do (reboot is %s)", state.Address, state.Reboot)
	}
	return state, nil
}

// mayReboot lets one host reboot at a time, if they may at all.
func (h *Host) mayReboot(reboot string) func(context.Context) (func(), error) {
	if reboot != rebootNeeded {
		return nil
	}
	return func(ctx context.Context) (func(), error) {
		select {
		case h.turn <- struct{}{}:
			return func() { <-h.turn }, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

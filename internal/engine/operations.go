package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optrefresh"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
)

// Watcher is told everything that happens in the engine, in order, from one goroutine.
type Watcher func(events.EngineEvent)

// packs and configs are what judges an operation. One with targets is not judged: the engine shows a pack the new
// resources outside of them without their inputs. Preview the whole stack first, which is judged.
func (w *Workspace) packs(targets []string) []string {
	if len(targets) > 0 {
		return nil
	}
	return given(w.policy.Pack)
}

func (w *Workspace) configs(targets []string) []string {
	if len(targets) > 0 {
		return nil
	}
	return given(w.policy.Config)
}

// Up makes the environment what its blueprint says, and returns the stack's outputs. With targets, it changes those
// resources only, by URN.
func (w *Workspace) Up(ctx context.Context, watch Watcher, targets ...string) (auto.OutputMap, error) {
	var outputs auto.OutputMap
	err := w.run(watch, func(ch chan events.EngineEvent) error {
		result, err := w.stack.Up(ctx, optup.EventStreams(ch), optup.SuppressProgress(), optup.ErrorProgressStreams(io.Discard),
			optup.Target(targets), optup.PolicyPacks(w.packs(targets)...), optup.PolicyPackConfigs(w.configs(targets)...))
		outputs = result.Outputs
		return err
	})
	return outputs, err
}

// Refresh reads what exists into the state. Creations that were cut off are adopted under the ids that made says, by URN;
// with forget, the others are taken not to have happened.
func (w *Workspace) Refresh(ctx context.Context, watch Watcher, made map[string]string, forget bool) error {
	return w.run(watch, func(ch chan events.EngineEvent) error {
		opts := []optrefresh.Option{
			optrefresh.EventStreams(ch), optrefresh.SuppressProgress(), optrefresh.ErrorProgressStreams(io.Discard),
		}
		var creates []optrefresh.PendingCreate
		for _, urn := range slices.Sorted(maps.Keys(made)) {
			creates = append(creates, optrefresh.PendingCreate{URN: urn, ID: made[urn]})
		}
		if len(creates) > 0 {
			opts = append(opts, optrefresh.ImportPendingCreates(creates))
		}
		if forget {
			opts = append(opts, optrefresh.ClearPendingCreates())
		}
		_, err := w.stack.Refresh(ctx, opts...)
		return err
	})
}

// Destroy removes everything that the state holds.
func (w *Workspace) Destroy(ctx context.Context, watch Watcher) error {
	return w.run(watch, func(ch chan events.EngineEvent) error {
		_, err := w.stack.Destroy(ctx, optdestroy.EventStreams(ch), optdestroy.SuppressProgress(),
			optdestroy.ErrorProgressStreams(io.Discard))
		return err
	})
}

// Protected returns the URNs of what the state protects: the engine removes none of it, but finds that out after it has
// removed other things.
func (w *Workspace) Protected(ctx context.Context) ([]string, error) {
	s, err := w.state(ctx)
	if err != nil {
		return nil, err
	}
	return s.protected(), nil
}

// Outputs returns the stack's outputs as they are in the state.
func (w *Workspace) Outputs(ctx context.Context) (auto.OutputMap, error) {
	outputs, err := w.stack.Outputs(ctx)
	return outputs, explain(err)
}

// Export returns the stack's state as `pulumi stack export` writes it.
func (w *Workspace) Export(ctx context.Context) ([]byte, error) {
	deployment, err := w.stack.Export(ctx)
	if err != nil {
		return nil, explain(err)
	}
	text, err := json.Marshal(deployment)
	if err != nil {
		return nil, fmt.Errorf("encoding the state: %w", err)
	}
	return text, nil
}

// run starts op with a stream of events and hands them on until op is over. The stream is closed by the Automation API
// only if the executable got as far as opening it.
func (w *Workspace) run(watch Watcher, op func(chan events.EngineEvent) error) error {
	ch, over, done := make(chan events.EngineEvent), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case event, open := <-ch:
				if !open {
					return
				}
				if event.Error == nil && watch != nil {
					watch(event)
				}
			case <-over:
				return
			}
		}
	}()
	err := op(ch)
	close(over)
	<-done
	return explain(err)
}

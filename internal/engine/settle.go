package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/auto/optrefresh"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// Cut is an operation that a run began, and that was cut off with it: whether the cloud did it, nobody knows.
type Cut struct {
	// URN is the resource, and Doing what was done to it: creating, updating, deleting or reading.
	URN, Doing string
}

// Creates says whether the operation may have made something that no state knows.
func (c Cut) Creates() bool { return c.Doing == string(apitype.OperationTypeCreating) }

// Found is a resource that a cloud has, for one that can say so.
type Found struct {
	// Type and ID are what it is, and URN the resource of the stack that it was made for.
	Type, ID, URN string
	// Names are the texts in its arguments, in which other resources may be named.
	Names []string
}

// Settled says what became of what an earlier run left open.
type Settled struct {
	// Cut are the operations that were cut off.
	Cut []Cut
	// Adopted are the resources that the cloud had, and now the state has too.
	Adopted []Found
	// Left are those that could not be adopted, because the state has no provider to ask for them.
	Left []Found
}

// Nothing says whether nothing was left open.
func (s Settled) Nothing() bool { return len(s.Cut)+len(s.Adopted)+len(s.Left) == 0 }

// Cut returns the operations in the stack's state that were cut off.
func (w *Workspace) Cut(ctx context.Context) ([]Cut, error) {
	s, err := w.state(ctx)
	if err != nil {
		return nil, err
	}
	return s.cuts(), nil
}

func (s *state) cuts() []Cut {
	var cuts []Cut
	for _, e := range s.cut {
		cuts = append(cuts, Cut{URN: e.URN, Doing: string(e.doing)})
	}
	return cuts
}

// Settle brings the state and the cloud together after a run that was killed, given everything that the cloud has. What
// was made and the state does not know of is put into the state, so that it is neither orphaned nor made twice. What was
// cut off otherwise is read from the cloud. A state that knows everything is not touched.
func (w *Workspace) Settle(ctx context.Context, all []Found) (Settled, error) {
	s, err := w.state(ctx)
	if err != nil {
		return Settled{}, err
	}
	// An operation on a component is nothing in the cloud, and would stay open for ever.
	if settled := s.settle(all); settled.Nothing() && s.open == 0 && len(s.uncertain(settled)) == 0 {
		return settled, nil
	}
	exported, err := w.stack.Export(ctx)
	if err != nil {
		return Settled{}, explain(err)
	}
	if s, err = readState(exported.Deployment); err != nil {
		return Settled{}, err
	}
	settled := s.settle(all)
	exported.Deployment = s.deployment()
	if err := w.stack.Import(ctx, exported); err != nil {
		return Settled{}, explain(fmt.Errorf("writing what was found into the state: %w", err))
	}
	targets := s.uncertain(settled)
	if len(targets) == 0 {
		return settled, nil
	}
	if _, err := w.stack.Refresh(ctx, optrefresh.Target(targets), optrefresh.SuppressProgress()); err != nil {
		return Settled{}, explain(fmt.Errorf("reading what was found: %w", err))
	}
	return settled, nil
}

// settle adopts what the state does not know, and says what was left open.
func (s *state) settle(all []Found) Settled {
	settled := Settled{Cut: s.cuts()}
	unknown := slices.DeleteFunc(slices.Clone(all), func(f Found) bool { return s.knows(f.Type, f.ID) })
	for _, f := range inOrder(unknown) {
		if s.adopt(f) {
			settled.Adopted = append(settled.Adopted, f)
		} else {
			settled.Left = append(settled.Left, f)
		}
	}
	return settled
}

// inOrder puts resources behind those that they name.
func inOrder(left []Found) []Found {
	var ordered []Found
	for len(left) > 0 {
		awaited := map[string]bool{}
		for _, f := range left {
			awaited[f.ID] = true
		}
		var later []Found
		for _, f := range left {
			if slices.ContainsFunc(f.Names, func(name string) bool { return name != f.ID && awaited[name] }) {
				later = append(later, f)
			} else {
				ordered = append(ordered, f)
			}
		}
		if len(later) == len(left) { // they name each other
			return append(ordered, later...)
		}
		left = later
	}
	return ordered
}

// uncertain returns the URNs of a settled state whose properties have to be read, also those that an earlier run adopted and
// did not get to read.
func (s *state) uncertain(settled Settled) []string {
	var urns []string
	add := func(urn string) {
		if slices.ContainsFunc(s.resources, func(e entry) bool { return e.URN == urn }) && !slices.Contains(urns, urn) {
			urns = append(urns, urn)
		}
	}
	for _, f := range settled.Adopted {
		add(f.URN)
	}
	for _, c := range settled.Cut {
		add(c.URN)
	}
	for _, e := range s.resources {
		if e.unread() {
			add(e.URN)
		}
	}
	return urns
}

// state reads the stack's state: from its file where it is on disk here, which is much faster, else from the backend.
func (w *Workspace) state(ctx context.Context) (*state, error) {
	if w.file == "" {
		exported, err := w.stack.Export(ctx)
		if err != nil {
			return nil, explain(err)
		}
		return readState(exported.Deployment)
	}
	text, err := os.ReadFile(w.file)
	if errors.Is(err, fs.ErrNotExist) {
		return &state{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the local state: %w", err)
	}
	var file struct {
		Checkpoint struct {
			Latest json.RawMessage `json:"latest"`
		} `json:"checkpoint"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("reading the local state: %w", err)
	}
	return readState(file.Checkpoint.Latest)
}

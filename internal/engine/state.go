package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// state is a deployment as the engine writes it, read as far as it is edited here. What is not touched stays as it was
// written, so that nothing is lost that a newer engine put there.
type state struct {
	whole     map[string]json.RawMessage
	resources []entry
	cut       []entry // the resources of operations of which nobody knows how they ended
	open      int     // how many operations are open, those of components too
}

// entry is a resource of a state.
type entry struct {
	URN                string `json:"urn"`
	ID                 string `json:"id"`
	Type               string `json:"type"`
	Provider           string `json:"provider"`
	Custom             bool   `json:"custom"`
	Delete             bool   `json:"delete"`
	Protect            bool   `json:"protect"`
	PendingReplacement bool   `json:"pendingReplacement"`
	Outputs            *struct {
		ARN any `json:"arn"`
	} `json:"outputs"` // nil: it was never read
	doing apitype.OperationType // of a cut entry
	raw   json.RawMessage
}

// readState reads a deployment.
func readState(deployment json.RawMessage) (*state, error) {
	s := &state{}
	if len(deployment) == 0 || string(deployment) == "null" {
		return s, nil
	}
	var parts struct {
		Resources []json.RawMessage `json:"resources"`
		Pending   []struct {
			Resource json.RawMessage       `json:"resource"`
			Type     apitype.OperationType `json:"type"`
		} `json:"pending_operations"`
	}
	if err := json.Unmarshal(deployment, &s.whole); err != nil {
		return nil, fmt.Errorf("reading the state: %w", err)
	}
	if err := json.Unmarshal(deployment, &parts); err != nil {
		return nil, fmt.Errorf("reading the state: %w", err)
	}
	for _, raw := range parts.Resources {
		e, err := readEntry(raw, "")
		if err != nil {
			return nil, err
		}
		s.resources = append(s.resources, e)
	}
	s.open = len(parts.Pending)
	for _, op := range parts.Pending {
		e, err := readEntry(op.Resource, op.Type)
		if err != nil {
			return nil, err
		}
		if e.Custom { // a component is nothing in the cloud
			s.cut = append(s.cut, e)
		}
	}
	return s, nil
}

func readEntry(raw json.RawMessage, doing apitype.OperationType) (entry, error) {
	e := entry{raw: raw, doing: doing}
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, fmt.Errorf("reading a resource of the state: %w", err)
	}
	return e, nil
}

// with returns the entry with a property set, nil taking it away.
func (e entry) with(property string, value any) entry {
	var all map[string]any
	must(json.Unmarshal(e.raw, &all))
	if value == nil {
		delete(all, property)
	} else {
		all[property] = value
	}
	raw, err := json.Marshal(all)
	must(err)
	changed, err := readEntry(raw, e.doing)
	must(err)
	return changed
}

// must panics: what was read as JSON is written as JSON.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// deployment writes the state, without operations.
func (s *state) deployment() json.RawMessage {
	raws := []json.RawMessage{}
	for _, e := range s.resources {
		raws = append(raws, e.raw)
	}
	text, err := json.Marshal(raws)
	must(err)
	s.whole["resources"] = text
	delete(s.whole, "pending_operations")
	text, err = json.Marshal(s.whole)
	must(err)
	return text
}

// protected returns the URNs of the custom resources that are protected.
func (s *state) protected() []string {
	var urns []string
	for _, e := range s.resources {
		if e.Protect && e.Custom {
			urns = append(urns, e.URN)
		}
	}
	return urns
}

// knows says whether the state has a resource. It goes by what the cloud calls it: a resource that was renamed by an
// alias has another URN than it was made under.
func (s *state) knows(typ, id string) bool {
	return slices.ContainsFunc(s.resources, func(e entry) bool { return e.Type == typ && e.ID == id })
}

// adopt puts a resource into the state that the cloud has and the state has not, and reports false where there is no
// provider to ask it of. What the cut operation said of it is kept; its properties are read by the refresh that follows.
//
// A live resource of the same URN is what it was to replace, and goes with the next update, as it would have.
func (s *state) adopt(f Found) bool {
	e, ok := s.takeCut(f.URN)
	if !ok {
		if e, ok = s.made(f); !ok {
			return false
		}
	}
	e = e.with("id", f.ID)
	at := slices.IndexFunc(s.resources, func(old entry) bool { return old.URN == f.URN && !old.Delete })
	switch {
	case at < 0:
		s.resources = append(s.resources, e)
	case s.resources[at].PendingReplacement: // it is gone already
		s.resources[at] = e
	default:
		s.resources[at] = s.resources[at].with("delete", true)
		s.resources = slices.Insert(s.resources, at, e)
	}
	return true
}

// takeCut returns the resource of a creation that was cut off.
func (s *state) takeCut(urn string) (entry, bool) {
	i := slices.IndexFunc(s.cut, func(e entry) bool { return e.URN == urn && e.doing == apitype.OperationTypeCreating })
	if i < 0 {
		return entry{}, false
	}
	e := s.cut[i]
	s.cut = slices.Delete(s.cut, i, i+1)
	return e, true
}

// made returns a resource of which the state says nothing at all, with the provider that made its like, and with what its
// arguments name as what it depends on, so that a destroy removes it before those. The next update puts down the rest.
func (s *state) made(f Found) (entry, bool) {
	provider := s.providerOf(f.Type)
	if provider == "" {
		return entry{}, false
	}
	dependencies := []string{}
	for _, e := range s.resources {
		if e.isNamed(f.Names) {
			dependencies = append(dependencies, e.URN)
		}
	}
	raw, err := json.Marshal(map[string]any{
		"urn": f.URN, "type": f.Type, "custom": true, "id": f.ID, "provider": provider, "dependencies": dependencies,
	})
	must(err)
	e, err := readEntry(raw, "")
	must(err)
	return e, true
}

// isNamed says whether a resource is named by its id or ARN.
func (e entry) isNamed(names []string) bool {
	if e.ID == "" || e.Delete || strings.HasPrefix(e.Type, "pulumi:") {
		return false
	}
	if slices.Contains(names, e.ID) {
		return true
	}
	if e.Outputs == nil {
		return false
	}
	arn, _ := e.Outputs.ARN.(string)
	return arn != "" && slices.Contains(names, arn)
}

// unread says whether a resource was adopted by a run that ended before it was read.
func (e entry) unread() bool {
	return e.Custom && e.ID != "" && e.Outputs == nil && !strings.HasPrefix(e.Type, "pulumi:")
}

// providerOf returns a reference to the provider of a type's package: the one that made resources, else the one that the
// state has last.
func (s *state) providerOf(typ string) string {
	pkg, _, _ := strings.Cut(typ, ":")
	last := ""
	for _, e := range s.resources {
		if e.Type == "pulumi:providers:"+pkg && !e.Delete {
			last = e.URN + "::" + e.ID
		}
	}
	for _, e := range s.resources {
		if strings.HasPrefix(e.Type, pkg+":") && e.Provider != "" && !e.Delete {
			return e.Provider
		}
	}
	return last
}

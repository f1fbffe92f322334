package aws_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

// refusal is something that a rule refuses. That the rule lets other things pass is shown by lives, which differ from
// it only by the change.
type refusal struct {
	token string
	rule  string // empty: not a rule, but something that the resource itself finds while it is made
	in    m      // what is changed in good arguments, or in those of the resource that is updated
	want  string // part of the error

	update  string                               // update this resource of the standard environment instead
	delete  string                               // delete it instead
	crowd   crowd                                // fill the account first
	prepare func(t *testing.T, w *simtest.World) // do something first
}

// crowd is a number of resources like one of the standard environment.
type crowd struct {
	like string
	n    int
}

func refusals() []refusal {
	return slices.Concat(networkRefusals(), groupRefusals(), templateRefusals(), identityRefusals(), clusterRefusals(), nodeRefusals(), reservationRefusals(), joinRefusals(), scheduleRefusals(), poolRefusals(), flowRefusals(), accessRefusals(), everywhereRefusals(), bucketRefusals(), lifecycleRefusals(), lustreRefusals(), linkRefusals(), serverlessRefusals())
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, r := range refusals() {
		t.Run(r.token+"/"+r.rule, func(t *testing.T) {
			t.Parallel()
			w := simtest.LoadCrowded(t, state(t), r.crowd.like, r.crowd.n, bought)
			if r.prepare != nil {
				r.prepare(t, w)
			}
			before := len(w.Cloud.Resources())
			err := r.attempt(w)
			if err == nil {
				t.Fatal("it was accepted")
			}
			if !strings.Contains(err.Error(), w.Expand(r.want)) {
				t.Errorf("the error does not contain %q:\n%v", w.Expand(r.want), err)
			}
			if n := len(w.Cloud.Resources()); n != before {
				t.Errorf("the refused operation changed the number of resources by %d", n-before)
			}
		})
	}
}

func (r refusal) attempt(w *simtest.World) error {
	switch {
	case r.delete != "":
		return w.Delete(w.Made[r.delete])
	case r.update != "":
		_, err := w.Update(w.Made[r.update], simtest.With(standardInputs(r.update), r.in))
		return err
	default:
		_, err := w.Create("refused", r.token, simtest.With(good(r.token), r.in))
		return err
	}
}

// generic are the rules that judged adds to all resources; one case for each of them is enough.
var generic = []string{"legal-tags", "name-length"}

func TestEveryRuleRefusesSomething(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{}
	for _, r := range refusals() {
		covered[r.token+" "+r.rule] = true
		if slices.Contains(generic, r.rule) {
			covered[r.rule] = true
		}
	}
	for _, res := range aws.Provider(aws.Account{}).Resources {
		for _, rule := range slices.Concat(res.Plan, res.Apply, res.Keep) {
			key := res.Token + " " + rule.Name
			if slices.Contains(generic, rule.Name) {
				key = rule.Name
			}
			if !covered[key] {
				t.Errorf("no case shows that %s refuses anything", key)
			}
			delete(covered, res.Token+" ")
		}
	}
}

func TestEveryRuleSaysWhatItIs(t *testing.T) {
	t.Parallel()
	for _, res := range aws.Provider(aws.Account{}).Resources {
		for _, rule := range slices.Concat(res.Plan, res.Apply, res.Keep) {
			if rule.Name == "" || rule.Says == "" || rule.Source == "" {
				t.Errorf("%s: rule %+v lacks a name, a sentence or a source", res.Token, rule)
			}
		}
	}
}

// TestReferencesAreFollowed makes each resource with each of its references leading nowhere.
func TestReferencesAreFollowed(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, res := range aws.Provider(aws.Account{}).Resources {
		for _, ref := range res.Refs {
			in := simtest.SetPath(w.Props(good(res.Token)), ref.Path, "nowhere-0123")
			_, err := w.CreateUnchecked("dangling", res.Token, in)
			if err == nil || !strings.Contains(err.Error(), ref.Code) || !strings.Contains(err.Error(), "'nowhere-0123' does not exist") {
				t.Errorf("%s with a dangling %s: got %v, want %s", res.Token, ref.Path, err, ref.Code)
			}
		}
	}
}

// TestReferencesHold deletes what resources of the standard environment refer to.
func TestReferencesHold(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, res := range aws.Provider(aws.Account{}).Resources {
		for _, ref := range res.Refs {
			if !ref.Holds {
				continue
			}
			held := heldBy(w, res.Token, ref)
			if len(held) == 0 {
				t.Errorf("nothing in the standard environment holds a %s by %s of %s", ref.To, ref.Path, res.Token)
			}
			for _, target := range held {
				if err := w.Delete(target); err == nil || !strings.Contains(err.Error(), "DependencyViolation") {
					t.Errorf("%s %s: deleted although %s of a %s names it: %v", target.Token, target.ID, ref.Path, res.Token, err)
				}
			}
		}
	}
}

// heldBy returns what resources of a type hold by a reference.
func heldBy(w *simtest.World, token string, ref engine.Ref) []simtest.Made {
	var held []simtest.Made
	for _, holder := range w.Made {
		for _, value := range engine.Props(holder.Inputs).Strs(ref.Path) {
			for _, target := range w.Made {
				named := slices.ContainsFunc(ref.By, func(by string) bool {
					return by == "id" && target.ID == value || by != "id" && engine.Props(target.Outputs).Str(by) == value
				})
				if holder.Token == token && target.Token == ref.To && named {
					held = append(held, target)
				}
			}
		}
	}
	return held
}

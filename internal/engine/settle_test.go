package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const (
	vpcURN    = "urn:pulumi:dev::gpuyard::gpuyard:network:VPC$aws:ec2/vpc:Vpc::dev"
	subnetURN = "urn:pulumi:dev::gpuyard::gpuyard:network:VPC$aws:ec2/subnet:Subnet::dev-a"
	routeURN  = "urn:pulumi:dev::gpuyard::gpuyard:network:VPC$aws:ec2/route:Route::dev-r"
	awsURN    = "urn:pulumi:dev::gpuyard::pulumi:providers:aws::aws"
)

// deployment is a state with a VPC, and with operations that were cut off.
func deployment(t *testing.T, cut string) *state {
	t.Helper()
	s, err := readState(json.RawMessage(`{"manifest": {"version": "v9"}, "ours_alone": 1, "resources": [
		{"urn": "` + awsURN + `", "type": "pulumi:providers:aws", "custom": true, "id": "1"},
		{"urn": "` + vpcURN + `", "type": "aws:ec2/vpc:Vpc", "custom": true, "id": "vpc-1", "provider": "` + awsURN + `::1", "new_key": true,
		 "outputs": {"arn": "arn:vpc-1"}}], "pending_operations": [` + cut + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func operation(doing, urn, typ string) string {
	return `{"type": "` + doing + `", "resource": {"urn": "` + urn + `", "type": "` + typ + `", "custom": true, "provider": "` + awsURN + `::1", "protect": true}}`
}

// resources are the resources of a written state, as "URN ID delete".
func resources(t *testing.T, s *state) []string {
	t.Helper()
	var written struct {
		Resources []struct {
			URN, ID string
			Delete  bool
		}
		Pending json.RawMessage `json:"pending_operations"`
		Kept    int             `json:"ours_alone"`
	}
	if err := json.Unmarshal(s.deployment(), &written); err != nil {
		t.Fatal(err)
	}
	if written.Pending != nil || written.Kept != 1 {
		t.Errorf("operations are left, or something is lost: %s", s.deployment())
	}
	var all []string
	for _, r := range written.Resources[1:] { // the first is the provider
		text := r.URN[strings.LastIndex(r.URN, ":")+1:] + " " + r.ID
		if r.Delete {
			text += " to delete"
		}
		all = append(all, text)
	}
	return all
}

func TestProtected(t *testing.T) {
	t.Parallel()
	if got := deployment(t, "").protected(); len(got) != 0 {
		t.Errorf("%v are protected, and nothing says so", got)
	}
	s, err := readState(json.RawMessage(`{"resources": [
		{"urn": "` + awsURN + `", "type": "pulumi:providers:aws", "custom": true},
		{"urn": "urn:pulumi:dev::gpuyard::gpuyard:network:VPC::dev", "type": "gpuyard:network:VPC", "protect": true},
		{"urn": "` + vpcURN + `", "type": "aws:ec2/vpc:Vpc", "custom": true, "protect": true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.protected(); !reflect.DeepEqual(got, []string{vpcURN}) {
		t.Errorf("%v are protected, want %s", got, vpcURN)
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	vpc := Found{Type: "aws:ec2/vpc:Vpc", ID: "vpc-1", URN: vpcURN}
	second := Found{Type: "aws:ec2/vpc:Vpc", ID: "vpc-2", URN: vpcURN}
	subnet := Found{Type: "aws:ec2/subnet:Subnet", ID: "subnet-1", URN: subnetURN, Names: []string{"vpc-1", "10.0.0.0/24"}}
	for name, c := range map[string]struct {
		cut     string
		found   []Found
		want    []string
		adopted int
		read    []string
	}{
		"nothing is open":        {"", []Found{vpc}, []string{"dev vpc-1"}, 0, nil},
		"a rename":               {"", []Found{{Type: vpc.Type, ID: vpc.ID, URN: "urn:pulumi:dev::gpuyard::aws:ec2/vpc:Vpc::old"}}, []string{"dev vpc-1"}, 0, nil},
		"a creation happened":    {operation("creating", subnetURN, subnet.Type), []Found{vpc, subnet}, []string{"dev vpc-1", "dev-a subnet-1"}, 1, []string{subnetURN}},
		"a creation did not":     {operation("creating", subnetURN, subnet.Type), []Found{vpc}, []string{"dev vpc-1"}, 0, nil},
		"the state knew nothing": {"", []Found{vpc, subnet}, []string{"dev vpc-1", "dev-a subnet-1"}, 1, []string{subnetURN}},
		"it knew nothing of two": {"", []Found{{Type: "aws:ec2/route:Route", ID: "r-1", URN: routeURN, Names: []string{"subnet-1"}}, vpc, subnet},
			[]string{"dev vpc-1", "dev-a subnet-1", "dev-r r-1"}, 2, []string{subnetURN, routeURN}},
		"a replacement happened": {operation("creating", vpcURN, vpc.Type), []Found{vpc, second}, []string{"dev vpc-2", "dev vpc-1 to delete"}, 1, []string{vpcURN}},
		"an update is open":      {operation("updating", vpcURN, vpc.Type), []Found{vpc}, []string{"dev vpc-1"}, 0, []string{vpcURN}},
		"a component is nothing": {`{"type": "creating", "resource": {"urn": "` + subnetURN + `", "type": "gpuyard:network:VPC"}}`, []Found{vpc}, []string{"dev vpc-1"}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := deployment(t, c.cut)
			settled := s.settle(c.found)
			if got := resources(t, s); !reflect.DeepEqual(got, c.want) {
				t.Errorf("the state has %v, want %v", got, c.want)
			}
			if len(settled.Adopted) != c.adopted || len(settled.Left) != 0 {
				t.Errorf("adopted %v, left %v", settled.Adopted, settled.Left)
			}
			if got := s.uncertain(settled); !reflect.DeepEqual(got, c.read) {
				t.Errorf("it reads %v, want %v", got, c.read)
			}
			if !strings.Contains(string(s.deployment()), `"new_key":true`) {
				t.Error("what was not touched is changed")
			}
		})
	}
}

// What the engine knew of a resource is kept, and what nobody knew is made up from its arguments.
func TestSettledResources(t *testing.T) {
	t.Parallel()
	subnet := Found{Type: "aws:ec2/subnet:Subnet", ID: "subnet-1", URN: subnetURN, Names: []string{"arn:vpc-1"}}
	known := deployment(t, operation("creating", subnetURN, subnet.Type))
	known.settle([]Found{subnet})
	if text := string(known.resources[2].raw); !strings.Contains(text, `"protect":true`) || !strings.Contains(text, `"id":"subnet-1"`) {
		t.Errorf("got %s", text)
	}
	unknown := deployment(t, "")
	unknown.settle([]Found{subnet})
	if text := string(unknown.resources[2].raw); !strings.Contains(text, `"dependencies":["`+vpcURN+`"]`) || unknown.resources[2].Provider != awsURN+"::1" {
		t.Errorf("got %s", text)
	}
	nobody, err := readState(nil)
	if err != nil {
		t.Fatal(err)
	}
	if settled := nobody.settle([]Found{subnet}); len(settled.Left) != 1 {
		t.Errorf("without a provider it is not left: %+v", settled)
	}
}

// A run that adopts a resource and ends before it is read leaves one of which a diff would say that everything changes.
func TestWhatWasNotReadIsReadLater(t *testing.T) {
	t.Parallel()
	s := deployment(t, "")
	subnet := Found{Type: "aws:ec2/subnet:Subnet", ID: "subnet-1", URN: subnetURN}
	s.settle([]Found{subnet})
	again := s.settle([]Found{subnet})
	if !again.Nothing() {
		t.Errorf("it is adopted twice: %+v", again)
	}
	if got := s.uncertain(again); !reflect.DeepEqual(got, []string{subnetURN}) {
		t.Errorf("it reads %v, want %s", got, subnetURN)
	}
}

func TestAReplacedResourceThatIsGoneIsNotKept(t *testing.T) {
	t.Parallel()
	s := deployment(t, "")
	s.resources[1] = s.resources[1].with("pendingReplacement", true)
	s.settle([]Found{{Type: "aws:ec2/vpc:Vpc", ID: "vpc-2", URN: vpcURN}})
	if got := resources(t, s); !reflect.DeepEqual(got, []string{"dev vpc-2"}) {
		t.Errorf("got %v", got)
	}
}

// TestSettleClosesWhatIsNothingInTheCloud has a real state with a component whose registration was cut off, and nothing else
// open: the engine would carry the operation along for ever.
func TestSettleClosesWhatIsNothingInTheCloud(t *testing.T) {
	t.Parallel()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cli, err := FindCLI(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(*pulumi.Context) error { return nil }
	w, err := Local(t.Context(), Options{Root: project(t), Stack: "prod", CLI: cli, Program: nothing}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if _, err := w.Up(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	openOperation(t, w.file, `{"type": "creating", "resource": {"urn": "urn:pulumi:prod::gpuyard::gpuyard:network:VPC::dev", "type": "gpuyard:network:VPC"}}`)
	if s, err := w.state(t.Context()); err != nil || s.open != 1 {
		t.Fatalf("it begins with %+v, %v", s, err)
	}
	settled, err := w.Settle(t.Context(), nil)
	if err != nil || !settled.Nothing() {
		t.Fatalf("it settled %+v, %v", settled, err)
	}
	if s, err := w.state(t.Context()); err != nil || s.open != 0 {
		t.Errorf("it ends with %+v, %v", s, err)
	}
}

// openOperation writes an operation into the file of a state, as a run that is killed leaves it there.
func openOperation(t *testing.T, file, operation string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	whole["checkpoint"].(map[string]any)["latest"].(map[string]any)["pending_operations"] = []any{json.RawMessage(operation)}
	if text, err = json.Marshal(whole); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

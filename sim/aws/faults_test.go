package aws_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

// faulty is a copy of the standard environment in which things go wrong.
func faulty(t *testing.T, texts ...string) *simtest.World {
	t.Helper()
	var faults []sim.Fault
	for _, text := range texts {
		f, err := sim.ParseFault(text)
		if err != nil {
			t.Fatal(err)
		}
		faults = append(faults, f)
	}
	return simtest.Load(t, state(t), bought, func(o *sim.Options) { o.Faults = faults })
}

// unnamed are the resource types of which the real cloud makes a second one when nobody knows of the first: it tells
// them apart by identifiers of its own.
var unnamed = map[string]bool{
	"aws:ec2/vpc:Vpc": true, "aws:ec2/eip:Eip": true, "aws:ec2/routeTable:RouteTable": true,
	"aws:kms/key:Key": true, "aws:ec2/launchTemplate:LaunchTemplate": true, "aws:ec2/securityGroup:SecurityGroup": true,
}

// TestEveryFaultAtEveryResource strikes the creation of each resource type by each kind of fault in turn: the next run
// converges, and what exists twice is only what would in the real cloud, and is marked.
func TestEveryFaultAtEveryResource(t *testing.T) {
	t.Parallel()
	for _, l := range lives() {
		t.Run(l.token, func(t *testing.T) {
			t.Parallel()
			w := faulty(t, "throttle@"+l.token, "crash@"+l.token+",from=2", "timeout@"+l.token, "crash-after@"+l.token+",from=2")
			l.strikeBefore(t, w, "ThrottlingException: Rate exceeded", "Limit", "Throttling", "SlowDown")
			l.strikeBefore(t, w, "error reading from server", "dies before the cloud hears of it")
			l.strikeTimeout(t, w)
			l.strikeUnseen(t, w)
		})
	}
}

// nextRun begins another run of the engine.
func nextRun(t *testing.T, w *simtest.World) {
	t.Helper()
	w.NewRun()
	if err := w.Configure("aws", "aws", m{"region": simtest.Region}); err != nil {
		t.Fatal(err)
	}
}

// strikeBefore attempts a creation that the cloud never hears of.
func (l life) strikeBefore(t *testing.T, w *simtest.World, want ...string) {
	t.Helper()
	before := len(w.Cloud.Resources())
	_, err := w.Create("it", l.token, l.in)
	if err == nil || !slices.ContainsFunc(want, func(part string) bool { return strings.Contains(err.Error(), part) }) {
		t.Fatalf("got %v, want %v", err, want)
	}
	if n := len(w.Cloud.Resources()); n != before {
		t.Errorf("it made %d resources", n-before)
	}
	nextRun(t, w)
}

// strikeTimeout makes something of which the engine knows although it was an error, and goes on with it.
func (l life) strikeTimeout(t *testing.T, w *simtest.World) {
	t.Helper()
	made, err := w.Create("it", l.token, l.in)
	if err == nil || made.ID == "" || !strings.Contains(err.Error(), "timeout while waiting") {
		t.Fatalf("it made %q, and the answer is %v", made.ID, err)
	}
	there := len(w.Cloud.Resources())
	nextRun(t, w)
	if again, err := w.Update(made, l.in); err != nil || again.ID != made.ID {
		t.Errorf("the next run: %v, %v", again, err)
	}
	if n := len(w.Cloud.Resources()); n != there {
		t.Errorf("the next run made %d more", n-there)
	}
	if err := w.Delete(made); err != nil {
		t.Fatal(err)
	}
}

// strikeUnseen makes something of which nobody learns, and makes it again.
func (l life) strikeUnseen(t *testing.T, w *simtest.World) {
	t.Helper()
	if _, err := w.Create("it", l.token, l.in); err == nil {
		t.Fatal("it was not struck")
	}
	nextRun(t, w)
	lost := lostIn(w)
	if len(lost) != 1 || lost[0].Token != l.token {
		t.Fatalf("lost are %v", lost)
	}
	_, err := w.Create("it", l.token, l.in)
	switch {
	case err == nil && !unnamed[l.token] && unique(l.token):
		t.Errorf("there are two, by %s and another id", lost[0].ID)
	case err != nil && unnamed[l.token]:
		t.Errorf("the real cloud makes a second one: %v", err)
	case err != nil && !strings.Contains(err.Error(), "An earlier creation of this resource made "+lost[0].ID):
		t.Errorf("the refusal does not say of what: %v", err)
	}
}

// unique says whether the real cloud lets nobody make a resource twice with the same arguments: by its name, or by what
// it belongs to.
func unique(token string) bool {
	for _, kind := range []string{":Route", ":RouteTableAssociation", ":InternetGateway", ":Cluster", ":Addon", ":AccessEntry", ":PodIdentityAssociation", ":Subnet", ":NatGateway", ":FlowLog", ":Alias"} {
		if strings.HasSuffix(token, kind) {
			return true
		}
	}
	return false
}

func lostIn(w *simtest.World) []sim.Resource {
	var lost []sim.Resource
	for _, r := range w.Cloud.Resources() {
		if r.Lost {
			lost = append(lost, r)
		}
	}
	return lost
}

// TestNodesWithoutCapacityConverge holds that a node group for which there are no instances exists, failed, and grows when
// the program runs again; other changes are refused meanwhile.
func TestNodesWithoutCapacityConverge(t *testing.T) {
	t.Parallel()
	const nodes = "aws:eks/nodeGroup:NodeGroup"
	w := faulty(t, "no-capacity@"+nodes+",zone=us-west-2a")
	w.MustCreate("empty", nodes, merge(good(nodes), m{"scalingConfig": size(0, 0, 2)}))
	w.MustCreate("elsewhere", nodes, merge(standardInputs("nodes"), m{"subnetIds": []any{"${private-a}", "${private-b}"}}))
	made, err := w.Create("it", nodes, good(nodes))
	if want := "InsufficientInstanceCapacity - We currently do not have sufficient p5.48xlarge capacity in the Availability Zone you requested (us-west-2a)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want %s", err, want)
	}
	if s := engine.Props(w.Read(nodes, "it", made.ID).Outputs).Str("status"); s != "CREATE_FAILED" {
		t.Errorf("its status is %q", s)
	}
	if _, err := w.Update(made, merge(good(nodes), m{"labels": m{"a": "b"}})); err == nil || !strings.Contains(err.Error(), "ResourceInUseException") {
		t.Errorf("a change meanwhile: %v", err)
	}
	grown, err := w.Update(made, good(nodes))
	if err != nil || engine.Props(grown.Outputs).Str("status") != "ACTIVE" {
		t.Errorf("the next run: %v, %v", grown.Outputs["status"], err)
	}
}

func TestThrottlingReadsLikeTheService(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"aws:ec2/vpc:Vpc": "creating ec2 Vpc: RequestLimitExceeded: Request limit exceeded.", "aws:iam/role:Role": "creating iam Role: Throttling: Rate exceeded",
		"aws:eks/cluster:Cluster": "creating eks Cluster: ThrottlingException: Rate exceeded",
	} {
		w := faulty(t, "throttle@"+token)
		if _, err := w.Create("it", token, good(token)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", token, err, want)
		}
	}
}

package pace_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/sim/pace"
)

const (
	component = "gpuyard:network:VPC"
	vpc       = "aws:ec2/vpc:Vpc"
	subnet    = "aws:ec2/subnet:Subnet"
	nat       = "aws:ec2/natGateway:NatGateway"
	cluster   = "aws:eks/cluster:Cluster"
	nodes     = "aws:eks/nodeGroup:NodeGroup"
	release   = "kubernetes:helm.sh/v3:Release"
	provider  = "pulumi:providers:kubernetes"
)

// urn is how the engine names a resource.
func urn(token, name string) string { return "urn:pulumi:dev::yard::" + token + "::" + name }

// names returns the names in a path, which read better than URNs.
func names(path []string) string {
	var all []string
	for _, u := range path {
		all = append(all, u[strings.LastIndex(u, ":")+1:])
	}
	return strings.Join(all, " ")
}

func create(token string) time.Duration { return pace.Times()[token].Create }

// environment is a small cluster: nodes wait for the NAT gateway only because somebody said so.
func environment() []pace.Resource {
	k8s := urn(provider, "k8s")
	return []pace.Resource{
		{URN: urn(component, "net"), Token: component},
		{URN: urn(vpc, "vpc"), Token: vpc, Parent: urn(component, "net")},
		{URN: urn(subnet, "subnet"), Token: subnet, Parent: urn(component, "net"), Dependencies: []string{urn(vpc, "vpc")}, Data: []string{urn(vpc, "vpc")}},
		{URN: urn(nat, "nat"), Token: nat, Parent: urn(component, "net"), Dependencies: []string{urn(subnet, "subnet")}, Data: []string{urn(subnet, "subnet")}},
		{URN: urn(cluster, "cluster"), Token: cluster, Dependencies: []string{urn(subnet, "subnet"), urn(nat, "nat")}, Data: []string{urn(subnet, "subnet")}},
		{URN: urn(nodes, "nodes"), Token: nodes, Dependencies: []string{urn(cluster, "cluster"), "urn:elsewhere"}, Data: []string{urn(cluster, "cluster")}},
		{URN: k8s, Token: provider, Dependencies: []string{urn(cluster, "cluster")}, Data: []string{urn(cluster, "cluster")}},
		{URN: urn(release, "plugin"), Token: release, Provider: k8s + "::04da6b54-80e4-46f7-96ec-b56ff0331ba9"},
	}
}

func TestCriticalPath(t *testing.T) {
	t.Parallel()
	total, path := pace.CriticalPath(environment())
	if want := create(vpc) + create(subnet) + create(nat) + create(cluster) + create(nodes); total != want || names(path) != "vpc subnet nat cluster nodes" {
		t.Errorf("got %v by %q, want %v", total, names(path), want)
	}
}

// TestLowerBound holds that a needless dependency shows: the cluster that waits for the NAT gateway.
func TestLowerBound(t *testing.T) {
	t.Parallel()
	total, path := pace.LowerBound(environment())
	if want := create(vpc) + create(subnet) + create(cluster) + create(nodes); total != want || names(path) != "vpc subnet cluster nodes" {
		t.Errorf("got %v by %q, want %v", total, names(path), want)
	}
}

func TestTheOrderOfResourcesDoesNotMatter(t *testing.T) {
	t.Parallel()
	resources := environment()
	resources = append(resources, pace.Resource{URN: urn(nodes, "more"), Token: nodes, Dependencies: []string{urn(cluster, "cluster")}})
	total, path := pace.CriticalPath(resources)
	slices.Reverse(resources)
	again, back := pace.CriticalPath(resources)
	if total != again || !slices.Equal(path, back) || names(path) != "vpc subnet nat cluster more" {
		t.Errorf("got %v by %q, and backwards %v by %q", total, names(path), again, names(back))
	}
}

func TestProvidersAndParentsAreWaitedFor(t *testing.T) {
	t.Parallel()
	resources := []pace.Resource{
		{URN: urn(cluster, "cluster"), Token: cluster},
		{URN: urn(provider, "k8s"), Token: provider, Dependencies: []string{urn(cluster, "cluster")}},
		{URN: urn(release, "plugin"), Token: release, Provider: urn(provider, "k8s")},
		{URN: urn(release, "child"), Token: release, Parent: urn(release, "plugin")},
	}
	total, path := pace.CriticalPath(resources)
	if want := create(cluster) + 2*create(release); total != want || names(path) != "cluster plugin child" {
		t.Errorf("got %v by %q, want %v", total, names(path), want)
	}
}

func TestChangesTakeTheirOwnTime(t *testing.T) {
	t.Parallel()
	times := pace.Times()[nodes]
	for change, want := range map[pace.Change]time.Duration{
		pace.Create: times.Create, pace.Update: times.Update, pace.Delete: times.Delete, pace.Replace: times.Create + times.Delete, pace.Keep: 0,
	} {
		if total, _ := pace.CriticalPath([]pace.Resource{{URN: "u", Token: nodes, Change: change}}); total != want {
			t.Errorf("%q takes %v, want %v", change, total, want)
		}
	}
}

func TestNothingTakesNoTime(t *testing.T) {
	t.Parallel()
	for name, resources := range map[string][]pace.Resource{
		"no plan": nil, "components alone": {{URN: "u", Token: component}}, "nothing to do": {{URN: "u", Token: cluster, Change: pace.Keep}},
	} {
		if total, path := pace.CriticalPath(resources); total != 0 || len(path) != 0 {
			t.Errorf("%s: %v by %v", name, total, path)
		}
	}
}

func TestACircleIsCut(t *testing.T) {
	t.Parallel()
	total, _ := pace.CriticalPath([]pace.Resource{{URN: "a", Token: vpc, Dependencies: []string{"b"}}, {URN: "b", Token: vpc, Dependencies: []string{"a"}}})
	if total != 2*create(vpc) {
		t.Errorf("got %v", total)
	}
}

func TestTimesAreWhole(t *testing.T) {
	t.Parallel()
	for token, x := range pace.Times() {
		if x.Create <= 0 || x.Update <= 0 || x.Delete < 0 || x.Source == "" || x.Create > time.Hour {
			t.Errorf("%s: %+v", token, x)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]pace.Pace{"fast": 0, "real": 1, "0.01": 0.01, "2": 2, "0": pace.Fast} {
		if got, err := pace.Parse(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "slow", "-1", "NaN", "11"} {
		if got, err := pace.Parse(text); err == nil || !strings.Contains(err.Error(), "wanted fast, real, or a factor") {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for want, p := range map[string]pace.Pace{"fast": pace.Fast, "real": pace.Real, "0.01": 0.01} {
		if p.String() != want {
			t.Errorf("%v prints as %s", float64(p), p)
		}
	}
}

func TestTakes(t *testing.T) {
	t.Parallel()
	if d := pace.Fast.Takes(cluster, pace.Create); d != 0 {
		t.Errorf("fast takes %v", d)
	}
	if d := pace.Real.Takes(cluster, pace.Create); d != create(cluster) {
		t.Errorf("real takes %v", d)
	}
	if d, want := pace.Pace(0.01).Takes(cluster, pace.Create), create(cluster)/100; math.Abs(float64(d-want)) > 1000 {
		t.Errorf("a hundredth takes %v, want %v", d, want)
	}
	if d := pace.Real.Takes("aws:s3/bucket:Bucket", pace.Create); d != 0 {
		t.Errorf("what nobody has figures of takes %v", d)
	}
}

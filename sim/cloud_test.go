package sim_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

type m = simtest.M

func TestOneOpenerAtATime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := sim.NewCloud(sim.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sim.NewCloud(sim.Options{Dir: dir}); !errors.Is(err, sim.ErrBusy) {
		t.Errorf("the second opener got %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := sim.NewCloud(sim.Options{Dir: dir})
	if err != nil {
		t.Fatalf("after Close: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	cloud, err := sim.NewCloud(sim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cloud.Close() })
	endpoint, err := cloud.Serve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	addresses := strings.Split(endpoint.DebugProviders(), ",")
	for _, a := range addresses {
		name, port, _ := strings.Cut(a, ":")
		versions[name] = version(t, port)
	}
	// These are the versions in go.mod: a dependency that moves is meant to be noticed here.
	if len(addresses) != 3 || versions["aws"] != "6.83.4" || versions["azure-native"] != "2.90.0" || versions["kubernetes"] != "4.32.0" {
		t.Errorf("served: %v", versions)
	}
	endpoint.Close()
	endpoint.Close()
}

func version(t *testing.T, port string) string {
	t.Helper()
	conn, err := grpc.NewClient("127.0.0.1:"+port, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	info, err := pulumirpc.NewResourceProviderClient(conn).GetPluginInfo(context.Background(), &emptypb.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	return info.GetVersion()
}

func TestServingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	cloud, err := sim.NewCloud(sim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cloud.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	endpoint, err := cloud.Serve(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	endpoint.Close() // hangs if the servers do not end
}

func TestResourcesAreSorted(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	for _, name := range []string{"b", "a"} {
		w.MustCreate(name, "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"})
	}
	resources := w.Cloud.Resources()
	var keys []string
	own := 0
	for _, r := range resources {
		keys = append(keys, r.Token+" "+r.ID)
		if r.URN == "" {
			own++
		}
	}
	if !slices.IsSorted(keys) {
		t.Errorf("not sorted: %v", keys)
	}
	if len(resources) != 6 || own != 4 {
		t.Errorf("got %d resources, %d of the cloud's own; each VPC brings a route table and a security group", len(resources), own)
	}
	if r := resources[len(resources)-1]; r.Provider != "aws" || r.Region != simtest.Region || r.Inputs["cidrBlock"].StringValue() != "10.0.0.0/16" || r.Outputs["arn"].StringValue() == "" {
		t.Errorf("the last is %+v", r)
	}
}

// TestEvents: what was changed is logged, in order; what was refused, looked at or changed from outside is not.
func TestEvents(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	vpc := w.MustCreate("vpc", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"})
	if _, err := w.Create("subnet", "aws:ec2/subnet:Subnet", m{"vpcId": "vpc-1", "cidrBlock": "10.0.0.0/24"}); err == nil {
		t.Fatal("a subnet was made in no VPC")
	}
	if err := w.Cloud.Change(vpc.Token, vpc.ID, m{"enableDnsSupport": false}); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(vpc); err != nil {
		t.Fatal(err)
	}
	want := []sim.Event{{Verb: "create", Token: vpc.Token, ID: vpc.ID}, {Verb: "delete", Token: vpc.Token, ID: vpc.ID}}
	if got := w.Cloud.Events(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestChangesFromOutside(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	vpc := w.MustCreate("vpc", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"})
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"unknown token":    {w.Cloud.Change("aws:ec2/vpc:VPC", vpc.ID, nil), `no resource type "aws:ec2/vpc:VPC"`},
		"unknown id":       {w.Cloud.Change(vpc.Token, "vpc-1", nil), "'vpc-1' does not exist"},
		"unknown property": {w.Cloud.Change(vpc.Token, vpc.ID, m{"tag": "x"}), `no property "tag"; near it there are tags`},
		"remove unknown":   {w.Cloud.Remove(vpc.Token, "vpc-1"), "'vpc-1' does not exist"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", what, c.err, c.want)
		}
	}
	if err := w.Cloud.Remove(vpc.Token, vpc.ID); err != nil {
		t.Fatal(err)
	}
	if left := w.Cloud.Resources(); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

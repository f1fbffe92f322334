package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/cluster"
	"github.com/gpuyard/gpuyard/components/network"
	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
)

// TestComponentImport adds a pool to a VPC and a cluster of somebody else's: the program of the template is built against
// this checkout, without a network, and run as `pulumi up` does, judged by the policy pack. It changes nothing that was there.
func TestComponentImport(t *testing.T) {
	t.Parallel()
	repo, cli := engineOf(t)
	cloud, providers := openCloud(t)
	ids := bringUpTheirs(t, cli, providers)

	dir := filepath.Join(t.TempDir(), "pool")
	args := []string{"init", "--config", "nodes=2", "component-import", dir}
	for name, value := range ids {
		args = append(args, "--config", name+"="+value)
	}
	gpuyard(t, args...)
	program := buildProject(t, repo, dir)
	pack, err := linkPack(dir)
	if err != nil {
		t.Fatal(err)
	}

	before, begin := cloud.Resources(), len(cloud.Events())
	pulumi := plainPulumi(t, cli, dir, providers)
	client := "--client=" + serveProgram(t, program)
	pulumi("stack", "init", "dev")
	pulumi("up", "--yes", "--skip-preview", "--policy-pack", pack, client)
	if out := pulumi("stack", "output", "resources"); !strings.Contains(out, `"vpc.amazonaws.com/efa":"32"`) {
		t.Errorf("a node offers %s", out)
	}
	if n := strings.Count(pulumi("stack", "export"), `"type": "pulumi:providers:aws"`); n != 1 {
		t.Errorf("%d AWS providers of as many versions make its resources, want one", n)
	}
	pulumi("up", "--yes", "--skip-preview", "--expect-no-changes", client)
	pulumi("destroy", "--yes", "--skip-preview")
	untouched(t, cloud.Events()[begin:])
	if after := cloud.Resources(); !reflect.DeepEqual(before, after) {
		t.Errorf("there were %d resources, and are %d, or they differ", len(before), len(after))
	}
}

// untouched wants every change to be of something that was made in the same run.
func untouched(t *testing.T, events []sim.Event) {
	t.Helper()
	made := map[string]bool{}
	for _, e := range events {
		if e.Verb == "create" {
			made[e.Token+e.ID] = true
		} else if !made[e.Token+e.ID] {
			t.Errorf("it was there before: %+v", e)
		}
	}
	if len(made) == 0 {
		t.Error("nothing was made")
	}
}

// bringUpTheirs makes a VPC and a cluster by a program of its own, and returns their ids as settings of the template.
func bringUpTheirs(t *testing.T, cli *engine.CLI, providers string) map[string]string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"Pulumi.yaml": "name: theirs\nruntime: go\n", "stacks/Pulumi.prod.yaml": "config:\n  aws:region: us-east-2\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := engine.Local(t.Context(), engine.Options{Root: root, Stack: "prod", CLI: cli, Program: theirs},
		map[string]string{"PULUMI_DEBUG_PROVIDERS": providers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	outputs, err := w.Up(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for name, o := range outputs {
		ids[name] = o.Value.(string)
	}
	return ids
}

// theirs is somebody else's VPC and cluster.
func theirs(ctx *pulumi.Context) error {
	const region, zone, version = "us-east-2", "use2-az1", "1.34"
	vpc, err := network.New(ctx, "research", &network.VPCArgs{
		CIDR: "10.90.0.0/16", Zones: []string{zone, "use2-az2"}, NAT: network.NATSingle, Region: region,
	})
	if err != nil {
		return err
	}
	eks, err := cluster.New(ctx, "research", &cluster.ClusterArgs{Version: version, SubnetIDs: vpc.PrivateSubnetIDs, Region: region})
	if err != nil {
		return err
	}
	for name, value := range map[string]pulumi.StringInput{
		"aws:region": pulumi.String(region), "kubernetes_version": pulumi.String(version), "cluster": eks.Name,
		"cluster_security_group": eks.SecurityGroupID, "node_role": eks.NodeRoleARN,
		"vpc": vpc.VpcID, "subnet": vpc.PrivateSubnets.MapIndex(pulumi.String(zone)),
	} {
		ctx.Export(name, value)
	}
	return nil
}

// buildProject builds the program of a project against this checkout, from modules that are on the machine already.
func buildProject(t testing.TB, repo, dir string) string {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(repo, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
	var checkout struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(runGo(t, repo, "mod", "edit", "-json"), &checkout); err != nil {
		t.Fatal(err)
	}
	// `go get` would write all that the checkout requires, and without it go reads modules that nobody builds with, which
	// are not on a machine that has only built the checkout.
	edit := []string{"mod", "edit", "-replace=github.com/gpuyard/gpuyard=" + repo}
	for _, r := range checkout.Require {
		edit = append(edit, "-require="+r.Path+"@"+r.Version)
	}
	program := filepath.Join(t.TempDir(), "program")
	runGo(t, dir, edit...)
	runGo(t, dir, "build", "-mod=mod", "-o", program, ".")
	return program
}

// runGo runs the go command without a network, and returns what it wrote.
func runGo(t testing.TB, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return out
}

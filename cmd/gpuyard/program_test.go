package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
)

// TestPlainPulumiUp brings dev up as `pulumi up` does: the root program is built and run as a process of its own, with
// the project's own Pulumi.yaml and stack configuration, and nothing of the command line takes part.
func TestPlainPulumiUp(t *testing.T) {
	t.Parallel()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cli, err := engine.FindCLI(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := newProject(repo, dir); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, repo).CombinedOutput(); err != nil {
		t.Fatalf("building the root program: %v\n%s", err, out)
	}
	cloud, providers := openCloud(t)
	pulumi := plainPulumi(t, cli, dir, providers)
	client := "--client=" + serveProgram(t, program)
	pulumi("stack", "init", "dev")
	if out := pulumi("up", "--yes", "--skip-preview", client); !strings.Contains(out, "kubeconfig") {
		t.Errorf("the outputs are missing:\n%s", out)
	}
	pulumi("up", "--yes", "--skip-preview", "--expect-no-changes", client)
	if out := pulumi("stack", "output", "clusterName"); strings.TrimSpace(out) != "dev" {
		t.Errorf("clusterName is %q", out)
	}
	pulumi("destroy", "--yes", "--skip-preview")
	if left := cloud.Resources(); len(left) != 0 {
		t.Errorf("destroy left %d resources in the cloud, the first is %s %s", len(left), left[0].Token, left[0].ID)
	}
}

// openCloud serves an embedded cloud until the test ends, and returns what tells the engine where.
func openCloud(t *testing.T) (*sim.Cloud, string) {
	t.Helper()
	cloud, err := sim.NewCloud(sim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := cloud.Serve(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endpoint.Close(); _ = cloud.Close() })
	return cloud, endpoint.DebugProviders()
}

// plainPulumi runs the engine's own command line in a project, with a state in its folder.
func plainPulumi(t *testing.T, cli *engine.CLI, dir, providers string) func(args ...string) string {
	return func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), cli.Path(), append([]string{"--non-interactive"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PULUMI_HOME="+filepath.Join(dir, "home"), "PULUMI_BACKEND_URL=file://"+dir,
			"PULUMI_CONFIG_PASSPHRASE=simulated", "PULUMI_DEBUG_PROVIDERS="+providers,
			"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true", "PULUMI_SKIP_UPDATE_CHECK=true")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("pulumi %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
}

// processHost stands in for the Go language host, which Pulumi's own installation brings: it runs a built program. It
// also answers what a program asks of the engine itself, which an engine that is given a host does not offer to it.
type processHost struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	pulumirpc.UnimplementedEngineServer
	program string
	address string

	mu   sync.Mutex
	root string
	logs strings.Builder
}

func serveProgram(t *testing.T, program string) string {
	t.Helper()
	cancel, host := make(chan bool), &processHost{program: program}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Cancel: cancel, Init: func(s *grpc.Server) error {
		pulumirpc.RegisterLanguageRuntimeServer(s, host)
		pulumirpc.RegisterEngineServer(s, host)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { close(cancel) })
	host.address = fmt.Sprintf("127.0.0.1:%d", handle.Port)
	return host.address
}

func (h *processHost) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	fmt.Fprintln(&h.logs, req.GetMessage())
	return &emptypb.Empty{}, nil
}

func (h *processHost) SetRootResource(_ context.Context, req *pulumirpc.SetRootResourceRequest) (*pulumirpc.SetRootResourceResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.root = req.GetUrn()
	return &pulumirpc.SetRootResourceResponse{}, nil
}

func (h *processHost) GetRootResource(context.Context, *pulumirpc.GetRootResourceRequest) (*pulumirpc.GetRootResourceResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &pulumirpc.GetRootResourceResponse{Urn: h.root}, nil
}

func (h *processHost) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.0.0"}, nil
}

func (h *processHost) GetRequiredPlugins(context.Context, *pulumirpc.GetRequiredPluginsRequest) (*pulumirpc.GetRequiredPluginsResponse, error) {
	return &pulumirpc.GetRequiredPluginsResponse{}, nil
}

func (h *processHost) Run(ctx context.Context, req *pulumirpc.RunRequest) (*pulumirpc.RunResponse, error) {
	config, err := json.Marshal(req.GetConfig())
	if err != nil {
		return nil, err
	}
	secrets, err := json.Marshal(req.GetConfigSecretKeys())
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, h.program)
	cmd.Dir = req.GetInfo().GetProgramDirectory()
	cmd.Env = append(os.Environ(),
		"PULUMI_ORGANIZATION="+req.GetOrganization(), "PULUMI_PROJECT="+req.GetProject(), "PULUMI_STACK="+req.GetStack(),
		"PULUMI_ROOT_DIRECTORY="+req.GetInfo().GetRootDirectory(), "PULUMI_CONFIG="+string(config),
		"PULUMI_CONFIG_SECRET_KEYS="+string(secrets), fmt.Sprintf("PULUMI_DRY_RUN=%t", req.GetDryRun()),
		fmt.Sprintf("PULUMI_PARALLEL=%d", req.GetParallel()), "PULUMI_MONITOR="+req.GetMonitorAddress(), "PULUMI_ENGINE="+h.address)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		return &pulumirpc.RunResponse{Error: fmt.Sprintf("%v\n%s%s", err, &out, &h.logs)}, nil
	}
	return &pulumirpc.RunResponse{}, nil
}

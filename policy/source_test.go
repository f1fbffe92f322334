package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/gpuyard/gpuyard/policy/pack"
)

// goHost stands in for the Go language host, which Pulumi's own installation brings, as far as it runs policy packs: it
// builds the folder that the engine names and runs what it built.
type goHost struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	dir string

	mu  sync.Mutex
	ran []string
}

// serveGoHost serves a language host and returns it and its port.
func serveGoHost(t *testing.T) (*goHost, int) {
	t.Helper()
	host, cancel := &goHost{dir: t.TempDir()}, make(chan bool)
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Cancel: cancel, Init: func(s *grpc.Server) error {
		pulumirpc.RegisterLanguageRuntimeServer(s, host)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { close(cancel) })
	return host, handle.Port
}

// Handshake implements what the engine asks of a language host that it did not start.
func (h *goHost) Handshake(context.Context, *pulumirpc.LanguageHandshakeRequest) (*pulumirpc.LanguageHandshakeResponse, error) {
	return &pulumirpc.LanguageHandshakeResponse{}, nil
}

// GetPluginInfo tells a version, as every plugin does.
func (h *goHost) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.0.0"}, nil
}

// RunPlugin builds a plugin and runs it until the engine hangs up.
func (h *goHost) RunPlugin(req *pulumirpc.RunPluginRequest, stream grpc.ServerStreamingServer[pulumirpc.RunPluginResponse]) error {
	folder := req.GetInfo().GetProgramDirectory()
	h.mu.Lock()
	h.ran = append(h.ran, req.GetKind()+" "+folder)
	h.mu.Unlock()
	program := filepath.Join(h.dir, "plugin")
	build := exec.CommandContext(stream.Context(), "go", "build", "-o", program, req.GetInfo().GetEntryPoint())
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", folder, err, out)
	}
	cmd := exec.CommandContext(stream.Context(), program, req.GetArgs()...)
	cmd.Dir, cmd.Env = req.GetPwd(), req.GetEnv()
	out := &sender{stream: stream}
	cmd.Stdout = writer(func(p []byte) error {
		return out.send(&pulumirpc.RunPluginResponse{Output: &pulumirpc.RunPluginResponse_Stdout{Stdout: p}})
	})
	cmd.Stderr = writer(func(p []byte) error {
		return out.send(&pulumirpc.RunPluginResponse{Output: &pulumirpc.RunPluginResponse_Stderr{Stderr: p}})
	})
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	return out.send(&pulumirpc.RunPluginResponse{Output: &pulumirpc.RunPluginResponse_Exitcode{Exitcode: int32(cmd.ProcessState.ExitCode())}})
}

// sender sends what both streams of a process write, one message at a time.
type sender struct {
	mu     sync.Mutex
	stream grpc.ServerStreamingServer[pulumirpc.RunPluginResponse]
}

func (s *sender) send(m *pulumirpc.RunPluginResponse) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream.Send(m)
}

// writer writes by a function, which must not keep what it is given.
type writer func(p []byte) error

func (w writer) Write(p []byte) (int, error) {
	if err := w(slices.Clone(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// hostedCLI gives the engine a language host.
type hostedCLI struct {
	auto.PulumiCommand
	port int
}

func (c hostedCLI) Run(ctx context.Context, workdir string, stdin io.Reader, out, errOut []io.Writer, env []string, args ...string) (string, string, int, error) {
	return c.PulumiCommand.Run(ctx, workdir, stdin, out, errOut, append(env, fmt.Sprintf("PULUMI_DEBUG_LANGUAGES=go:%d", c.port)), args...)
}

// TestSourcePack previews a broken program by `--policy-pack policy`: the engine reads PulumiPolicy.yaml and has the pack
// run from source.
func TestSourcePack(t *testing.T) {
	t.Parallel()
	folder, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	host, port := serveGoHost(t)
	v := newStackWith(t, "broken", func(ctx *pulumi.Context) error {
		w, err := newWorld(ctx)
		if err != nil {
			return err
		}
		return broken["public-ssh"](ctx, w)
	}, setup{pack: folder, cli: func(cli auto.PulumiCommand) auto.PulumiCommand { return hostedCLI{cli, port} }}).preview(t)
	if found := v.mandatory(); len(found) != 1 || !strings.HasPrefix(found[0], "mandatory public-ssh ssh: ") {
		t.Errorf("the pack from source finds %q\n%v", found, v.err)
	}
	if want := []string{"analyzer " + folder}; !slices.Equal(host.ran, want) {
		t.Errorf("the language host ran %q, want %q", host.ran, want)
	}
}

// TestSourcePackSaysTheSame holds PulumiPolicy.yaml, which names and versions the pack, against the pack.
func TestSourcePackSaysTheSame(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("PulumiPolicy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"name: " + pack.Name + "\n", "version: " + pack.Version + "\n", "runtime: go\n", "main: .\n"} {
		if !strings.Contains(string(src), line) {
			t.Errorf("PulumiPolicy.yaml has no line %q", line)
		}
	}
}

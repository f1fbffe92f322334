package analyzer

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/emptypb"
)

// TestDescribesItselfWithoutAStack asks what `pulumi policy publish` asks: there is no ConfigureStack before it.
func TestDescribesItselfWithoutAStack(t *testing.T) {
	t.Parallel()
	client := start(t, "analyzer")
	plugin, err := client.GetPluginInfo(t.Context(), &emptypb.Empty{})
	if err != nil || plugin.GetVersion() != "1.2.3-rc.1" {
		t.Errorf("the version is %v, %v", plugin, err)
	}
	info, err := client.GetAnalyzerInfo(t.Context(), &emptypb.Empty{})
	if err != nil || info.GetName() != "probes" || len(info.GetPolicies()) != 6 {
		t.Errorf("the pack is %v, %v", info, err)
	}
	response, err := client.Analyze(t.Context(), requests()[1])
	if err != nil || len(response.GetDiagnostics()) != 3 {
		t.Errorf("it finds %v, %v", response, err)
	}
}

// picky is a pack that takes no configuration.
type picky struct{ policyx.PolicyPack }

func (picky) Configure(configs map[string]policyx.PolicyConfig) error {
	if len(configs) > 0 {
		return errors.New("it takes none")
	}
	return nil
}

// TestFailures are what the engine is told where a run cannot begin.
func TestFailures(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	fails := func(name string, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %s", name, err, want)
		}
	}
	broken := func(*pulumi.Context) (policyx.PolicyPack, error) { return nil, errors.New("no policies today") }
	s := &server{build: broken}
	_, err := s.ConfigureStack(ctx, &pulumirpc.AnalyzerStackConfigureRequest{})
	fails("a stack before the handshake", err, "before its handshake")
	calls := map[string]func(context.Context, *server) error{
		"GetPluginInfo":   func(ctx context.Context, s *server) error { _, err := s.GetPluginInfo(ctx, nil); return err },
		"GetAnalyzerInfo": func(ctx context.Context, s *server) error { _, err := s.GetAnalyzerInfo(ctx, nil); return err },
		"Configure":       func(ctx context.Context, s *server) error { _, err := s.Configure(ctx, nil); return err },
		"Analyze":         func(ctx context.Context, s *server) error { _, err := s.Analyze(ctx, nil); return err },
		"Remediate":       func(ctx context.Context, s *server) error { _, err := s.Remediate(ctx, nil); return err },
		"AnalyzeStack":    func(ctx context.Context, s *server) error { _, err := s.AnalyzeStack(ctx, nil); return err },
	}
	for name, call := range calls {
		fails(name, call(ctx, &server{build: broken}), "no policies today")
	}

	s = &server{build: func(pctx *pulumi.Context) (policyx.PolicyPack, error) {
		pack, err := probes(pctx)
		return picky{pack}, err
	}}
	_, err = s.Configure(ctx, &pulumirpc.ConfigureAnalyzerRequest{PolicyConfig: map[string]*pulumirpc.PolicyConfig{"echo": {}}})
	fails("a configuration that the pack refuses", err, "it takes none")
}

// TestEndsWithTheEngine kills the process that started the pack. The pack's port then closes.
func TestEndsWithTheEngine(t *testing.T) {
	t.Parallel()
	engine := exec.Command("sh", "-c", `"$0" & wait`, os.Args[0])
	engine.Env = append(os.Environ(), serves+"=analyzer")
	stdout, err := engine.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Start(); err != nil {
		t.Fatal(err)
	}
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	address := net.JoinHostPort("127.0.0.1", strings.TrimSpace(port))
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		_ = conn.Close()
		if time.Now().After(deadline) {
			t.Fatal("the pack still listens 30 s after its engine was killed")
		}
	}
	_ = engine.Wait() // it was killed
}

package main

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// startPack builds the pack and starts it with all rules off but the five.
func startPack(ctx context.Context, dir string, all []resource) (*way, func(), error) {
	path := filepath.Join(dir, "pulumi-analyzer-gpuyard")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/gpuyard/gpuyard/policy").CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("building the pack: %w\n%s", err, out)
	}
	return start(ctx, exec.CommandContext(ctx, path, "127.0.0.1:1"), "gpuyard, over the engine's protocol", all)
}

//go:embed npm/index.js npm/package.json npm/package-lock.json
var npm embed.FS

var errNoNode = errors.New("node and npm are not installed")

// startNPM installs @pulumi/policy, at the versions of the lock file, and starts the five rules.
func startNPM(ctx context.Context, dir string, all []resource) (*way, func(), error) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, func() {}, errNoNode
		}
	}
	files, err := fs.Sub(npm, "npm")
	if err != nil {
		return nil, func() {}, err
	}
	dir = filepath.Join(dir, "npm")
	if err := os.CopyFS(dir, files); err != nil {
		return nil, func() {}, fmt.Errorf("copying the rules for npm: %w", err)
	}
	install := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return nil, func() {}, fmt.Errorf("installing @pulumi/policy: %w\n%s", err, out)
	}
	cmd := exec.CommandContext(ctx, "node", "index.js")
	cmd.Dir = dir
	return start(ctx, cmd, "npm's @pulumi/policy 1.21.0, over it too", all)
}

// start starts a pack and makes a way to judge of it. Stop ends it.
func start(ctx context.Context, cmd *exec.Cmd, name string, all []resource) (w *way, stop func(), err error) {
	stop = func() {}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, stop, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, stop, fmt.Errorf("starting %s: %w", name, err)
	}
	stop = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() } // it is killed, which is an error to Wait
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, stop, fmt.Errorf("reading the port of %s: %w", name, err)
	}
	conn, err := grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, stop, err
	}
	client := pulumirpc.NewAnalyzerClient(conn)
	if err := configure(ctx, client); err != nil {
		return nil, stop, fmt.Errorf("configuring %s: %w", name, err)
	}
	var requests []*pulumirpc.AnalyzeRequest
	for _, r := range all {
		properties, err := structpb.NewStruct(r.properties)
		if err != nil {
			return nil, stop, err
		}
		requests = append(requests, &pulumirpc.AnalyzeRequest{Type: r.token, Name: r.name, Urn: "urn:pulumi:bench::bench::" + r.token + "::" + r.name,
			Properties: properties, Options: &pulumirpc.AnalyzerResourceOptions{}})
	}
	return &way{name: name, judge: func(ctx context.Context, i int) ([]string, error) {
		response, err := client.Analyze(ctx, requests[i])
		var names []string
		for _, d := range response.GetDiagnostics() {
			names = append(names, d.GetPolicyName())
		}
		return names, err
	}}, stop, nil
}

// configure switches every rule off but the five.
func configure(ctx context.Context, client pulumirpc.AnalyzerClient) error {
	info, err := client.GetAnalyzerInfo(ctx, &emptypb.Empty{})
	if err != nil {
		return err
	}
	levels := map[string]*pulumirpc.PolicyConfig{}
	for _, p := range info.GetPolicies() {
		level := pulumirpc.EnforcementLevel_DISABLED
		if slices.Contains(rules(), p.GetName()) {
			level = pulumirpc.EnforcementLevel_MANDATORY
		}
		levels[p.GetName()] = &pulumirpc.PolicyConfig{EnforcementLevel: level, Properties: &structpb.Struct{}}
	}
	_, err = client.Configure(ctx, &pulumirpc.ConfigureAnalyzerRequest{PolicyConfig: levels})
	return err
}

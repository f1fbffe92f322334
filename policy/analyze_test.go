package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/engine"
)

// TestPolicyAnalyze judges an exported stack with `pulumi policy analyze`, which asks a pack about itself before it names
// a stack, and names none at all.
func TestPolicyAnalyze(t *testing.T) {
	t.Parallel()
	cli, err := engine.FindCLI(t.Context(), "..")
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(state, []byte(`{"version":3,"deployment":{"manifest":{"time":"2026-11-30T12:00:00Z","magic":"","version":""},"resources":[
		{"urn":"urn:pulumi:train::gpuyard::pulumi:pulumi:Stack::gpuyard-train","custom":false,"type":"pulumi:pulumi:Stack"},
		{"urn":"urn:pulumi:train::gpuyard::aws:iam/accessKey:AccessKey::ci","custom":true,"id":"key","type":"aws:iam/accessKey:AccessKey","inputs":{"user":"ci"}}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), cli.Path(), "policy", "analyze", "--non-interactive", "--color", "never", "--file", state, "--policy-pack", buildPack(t))
	cmd.Env = append(os.Environ(), "PULUMI_HOME="+home, "PULUMI_BACKEND_URL=file://"+home, "PULUMI_SKIP_UPDATE_CHECK=true")
	out, err := cmd.CombinedOutput()
	want := "[mandatory]  iam-access-key  (aws:iam:AccessKey: ci)"
	if err == nil || !strings.Contains(string(out), want) {
		t.Errorf("it ends with %v and should print %s:\n%s", err, want, out)
	}
}

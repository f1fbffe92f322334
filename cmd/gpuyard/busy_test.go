package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim"
)

// TestOneRunAtATime: while one run has a local environment open, another is told so and changes nothing.
func TestOneRunAtATime(t *testing.T) {
	t.Parallel()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := newProject(repo, dir); err != nil {
		t.Fatal(err)
	}
	// The engine's executable is looked for in the repository, and the project is elsewhere.
	if err := os.Symlink(filepath.Join(repo, "bin"), filepath.Join(dir, "bin")); err != nil {
		t.Fatal(err)
	}
	running, err := sim.NewCloud(sim.Options{Dir: cloudDir(dir, "dev")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = running.Close() })
	for _, command := range [][]string{{"up", "--local", "dev"}, {"destroy", "--local", "dev"}, {"cloud", "list", "dev"}} {
		var out, errOut bytes.Buffer
		a := &app{out: &out, err: &errOut, width: 80}
		if code := a.execute(t.Context(), append([]string{"-C", dir}, command...)); code != exitFailed {
			t.Errorf("%v ended with %d\n%s", command, code, &errOut)
		}
		if text := errOut.String(); !strings.Contains(text, "another") || strings.Contains(text, "goroutine") {
			t.Errorf("%v says:\n%s", command, text)
		}
	}
	if left := running.Resources(); len(left) != 0 {
		t.Errorf("%d resources were made all the same", len(left))
	}
}

package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script writes an executable that stands in for pulumi: it answers `version` and then does what body says.
func script(t *testing.T, version, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pulumi")
	text := "#!/bin/sh\nif [ \"$1\" = version ]; then echo '" + version + "'; exit 0; fi\n" + body + "\n"
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNewCLIJudgesTheVersion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ version, wrong string }{
		"the minimum":         {"v" + MinimumVersion, ""},
		"newer":               {"v3.999.0", ""},
		"older":               {"v3.100.0", "is version 3.100.0"},
		"not a version":       {"dev build", "which is not one"},
		"no version whatever": {"", "which is not one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cli, err := newCLI(t.Context(), script(t, c.version, ""))
			if c.wrong == "" {
				if err != nil || cli.Version().String() != strings.TrimPrefix(c.version, "v") {
					t.Fatalf("got version %v and error %v", cli, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Fatalf("got error %v, want one that says %q", err, c.wrong)
			}
		})
	}
}

func TestNewCLISaysThatTheFileIsMissing(t *testing.T) {
	t.Parallel()
	_, err := newCLI(t.Context(), filepath.Join(t.TempDir(), "pulumi"))
	if err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Fatalf("got %v", err)
	}
}

// These tests change the environment, so they do not run in parallel with others.
func TestFindCLI(t *testing.T) {
	good, old := script(t, "v3.999.0", ""), script(t, "v3.1.0", "")
	t.Run("the one that is named wins", func(t *testing.T) {
		t.Setenv("GPUYARD_PULUMI", good)
		t.Setenv("PATH", filepath.Dir(old)+":"+os.Getenv("PATH"))
		cli, err := FindCLI(t.Context(), t.TempDir())
		if err != nil || cli.Path() != good {
			t.Fatalf("got %v, %v", cli, err)
		}
	})
	t.Run("a named one that will not do is not replaced silently", func(t *testing.T) {
		t.Setenv("GPUYARD_PULUMI", old)
		t.Setenv("PATH", filepath.Dir(good)+":"+os.Getenv("PATH"))
		_, err := FindCLI(t.Context(), t.TempDir())
		var missing *NoCLIError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), "GPUYARD_PULUMI names it") {
			t.Fatalf("got %v", err)
		}
	})
	t.Run("the project's own stands in for an old one on the PATH", func(t *testing.T) {
		t.Setenv("GPUYARD_PULUMI", "")
		t.Setenv("PATH", filepath.Dir(old)+":/usr/bin:/bin")
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, "bin"), 0o700); err != nil {
			t.Fatal(err)
		}
		own := filepath.Join(root, "bin", "pulumi")
		if err := os.Rename(script(t, "v3.999.0", ""), own); err != nil {
			t.Fatal(err)
		}
		cli, err := FindCLI(t.Context(), root)
		if err != nil || cli.Path() != own {
			t.Fatalf("got %v, %v", cli, err)
		}
	})
	t.Run("without any, every place and the remedy are named", func(t *testing.T) {
		t.Setenv("GPUYARD_PULUMI", "")
		t.Setenv("PATH", t.TempDir())
		_, err := FindCLI(t.Context(), t.TempDir())
		if err == nil || !strings.Contains(err.Error(), "not on the PATH") || !strings.Contains(err.Error(), "make build") {
			t.Fatalf("got %v", err)
		}
	})
}

func TestRunWaitsForAnInterruptedExecutable(t *testing.T) {
	t.Parallel()
	started := filepath.Join(t.TempDir(), "started")
	cli, err := newCLI(t.Context(), script(t, "v3.999.0",
		`trap 'echo "state written"; exit 7' INT; : > "$2"; while :; do sleep 0.05; done`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !exists(started) {
			if ctx.Err() != nil {
				return
			}
		}
		cancel()
	}()
	out, _, code, err := cli.Run(ctx, t.TempDir(), nil, nil, nil, nil, started)
	if err == nil || code != 7 || !strings.Contains(out, "state written") {
		t.Fatalf("got output %q, code %d, error %v", out, code, err)
	}
}

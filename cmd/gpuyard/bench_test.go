package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim/pace"
)

// BenchmarkTimeToReady previews environments through the real engine. Beside the time that a preview takes, it reports how
// long AWS takes until the environment is ready (ready-s), and how long it would at least (bound-s): the difference is the
// price of waiting for more than what arguments are made of.
func BenchmarkTimeToReady(b *testing.B) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		b.Fatal(err)
	}
	cli, err := engine.FindCLI(b.Context(), repo)
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("GPUYARD_PULUMI", cli.Path())
	b.Setenv("GPUYARD_VAR_capacity_block", "cr-0123456789abcdef0")
	for _, name := range []string{"dev", "prod"} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			if err := newProject(repo, dir); err != nil {
				b.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(repo, "stacks", name+".hcl"))
			if err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "stacks", name+".hcl"), text, 0o600); err != nil {
				b.Fatal(err)
			}
			a := &app{out: io.Discard, err: io.Discard, width: 80, dir: dir}
			var steps []engine.Step
			for b.Loop() {
				w, closeAll, err := a.open(b.Context(), name, targetFlags{local: true}, unjudged)
				if err != nil {
					b.Fatal(err)
				}
				steps, err = w.Preview(b.Context(), nil)
				closeAll()
				if err != nil {
					b.Fatal(err)
				}
			}
			total, _ := pace.CriticalPath(paced(steps))
			bound, _ := pace.LowerBound(paced(steps))
			b.ReportMetric(total.Seconds(), "ready-s")
			b.ReportMetric(bound.Seconds(), "bound-s")
		})
	}
}

// BenchmarkFirstEnvironment is `gpuyard init sandbox x && cd x && gpuyard up --local dev`: from nothing to an environment on
// the embedded cloud. It is held against the two minutes that this may take (of-limit), and against building the project's
// program with warm caches (of-build), which plain `pulumi up` does before it begins.
func BenchmarkFirstEnvironment(b *testing.B) {
	const limit = 2 * time.Minute
	repo, cli := engineOf(b)
	b.Setenv("GPUYARD_PULUMI", cli.Path())
	var up, build time.Duration
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "x")
		begin := time.Now()
		for _, args := range [][]string{{"init", "sandbox", dir}, {"-C", dir, "up", "--local", "dev"}} {
			if out, err := exec.CommandContext(b.Context(), "gpuyard", args...).CombinedOutput(); err != nil {
				b.Fatalf("gpuyard %q: %v\n%s", args, err, out)
			}
		}
		up += time.Since(begin)
		begin = time.Now()
		buildProject(b, repo, dir)
		build += time.Since(begin)
	}
	n := time.Duration(b.N)
	b.ReportMetric(0, "ns/op") // both together, which says nothing
	b.ReportMetric((up / n).Seconds(), "init-up-s")
	b.ReportMetric((build / n).Seconds(), "build-s")
	b.ReportMetric(float64(up/n)/float64(limit), "of-limit")
	b.ReportMetric(float64(up)/float64(build), "of-build")
}

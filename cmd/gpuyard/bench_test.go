package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

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

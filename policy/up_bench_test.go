package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/stacks"
)

// hundredPools is an environment of 100 pools: one for the system, and GPUs with and without EFA, scaled to zero.
func hundredPools() string {
	var b strings.Builder
	b.WriteString(`environment "large" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
}

network {
  cidr  = "10.40.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
  nat   = "single"
}

node_pool "system" {
  instance_types = ["m7i.2xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
`)
	for i := range 99 {
		kind := `instance_types = ["g6.xlarge"]`
		if i%3 == 0 {
			kind = "instance_types = [\"p5.48xlarge\"]\n  zone           = \"use2-az1\"\n  fabric         = \"efa\""
		}
		fmt.Fprintf(&b, "\nnode_pool \"p%02d\" {\n  %s\n  size           = { min = 0, desired = 0, max = 1 }\n  image_release  = \"1.35.0-20261101\"\n}\n", i, kind)
	}
	return b.String()
}

// BenchmarkUp brings the same environment of 100 pools up without the pack and with it, in turns, and reports how many times
// as long the latter takes. Each is represented by its fastest of three: what else a machine does only ever adds.
func BenchmarkUp(b *testing.B) {
	packPath, blueprints := buildPack(b), b.TempDir()
	if err := os.WriteFile(filepath.Join(blueprints, "large.hcl"), []byte(hundredPools()), 0o600); err != nil {
		b.Fatal(err)
	}
	up := func(packPath string) time.Duration {
		s := newStackWith(b, "large", stacks.Program(blueprints), setup{pack: packPath, quotas: map[string]int{"node-groups": 100}})
		start := time.Now()
		if v := s.up(b); v.err != nil {
			b.Fatalf("%v\n%s", v.err, strings.Join(v.mandatory(), "\n"))
		}
		return time.Since(start)
	}
	var without, with []time.Duration
	for b.Loop() {
		for range 3 {
			without = append(without, up(""))
			with = append(with, up(packPath))
		}
	}
	fastest, judged := slices.Min(without), slices.Min(with)
	b.ReportMetric(fastest.Seconds(), "s-without-pack")
	b.ReportMetric(judged.Seconds(), "s-with-pack")
	b.ReportMetric(judged.Seconds()/fastest.Seconds(), "ratio")
	b.ReportMetric(0, "ns/op")
}

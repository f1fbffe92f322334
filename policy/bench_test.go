package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/gpuyard/gpuyard/policy/internal/fixture"
	"github.com/gpuyard/gpuyard/policy/pack"
)

// benchResources are the resources of all fixtures that are right.
func benchResources(b *testing.B) []pack.Resource {
	b.Helper()
	var all []pack.Resource
	for _, p := range pack.Policies() {
		fixtures, err := fixture.Of("pack/testdata", p)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range fixtures {
			if f.Kind() == "pass" {
				all = append(all, f.Resources...)
			}
		}
	}
	return all
}

// BenchmarkPackStart is how long the engine waits for the pack: process, port, handshake, configuration.
func BenchmarkPackStart(b *testing.B) {
	path := buildPack(b)
	for b.Loop() {
		startPack(b, path, nil)
	}
}

// BenchmarkResource is what one resource costs at all policies: the judgement alone, and over the engine's protocol.
func BenchmarkResource(b *testing.B) {
	resources := benchResources(b)
	b.Run("judgement", func(b *testing.B) {
		policies := pack.Policies()
		i := 0
		for b.Loop() {
			r := &resources[i%len(resources)]
			for _, p := range policies {
				if p.Resource != nil && p.Judges(r.Type) {
					p.Resource(r, p.WithDefaults(nil))
				}
			}
			i++
		}
	})
	var requests []*pulumirpc.AnalyzeRequest
	for i := range resources {
		requests = append(requests, request(b, &resources[i]))
	}
	b.Run("protocol", func(b *testing.B) { askInTurn(b, startPack(b, buildPack(b), nil), requests) })
	b.Run("protocol-policyx", func(b *testing.B) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), servedByPolicyx+"=1")
		askInTurn(b, boot(b, cmd), requests)
	})
}

// servedByPolicyx names the environment variable by which this test binary serves the pack as policyx does.
const servedByPolicyx = "PACK_SERVED_BY_POLICYX"

func TestMain(m *testing.M) {
	if os.Getenv(servedByPolicyx) == "" {
		os.Exit(m.Run())
	}
	if err := policyx.Main(pack.New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// askInTurn shows resources to a pack over the engine's protocol, one after another.
func askInTurn(b *testing.B, a *runningPack, requests []*pulumirpc.AnalyzeRequest) {
	i, before := 0, cpuTime(a.pid)
	for b.Loop() {
		if _, err := a.Analyze(b.Context(), requests[i%len(requests)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	if spent := cpuTime(a.pid) - before; spent > 0 {
		b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "cpu-ns/op")
	}
}

// cpuTime is what a process has used of the processors, 0 where the system does not tell. A machine that does other things
// as well makes the elapsed time of a benchmark say little.
func cpuTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11]) // in hundredths of a second; proc(5), utime and stime
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// BenchmarkStack is what the policies about a stack cost, by the number of pools with EFA in it.
func BenchmarkStack(b *testing.B) {
	p := policyNamed(b, "efa-self-rules")
	fixtures, err := fixture.Of("pack/testdata", p)
	if err != nil {
		b.Fatal(err)
	}
	for _, pools := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("pools=%d", pools), func(b *testing.B) {
			var resources []pack.Resource
			for i := range pools {
				for _, r := range fixtures[0].Resources {
					r.URN += fmt.Sprint("-", i)
					r.Name += fmt.Sprint("-", i)
					resources = append(resources, r)
				}
			}
			for b.Loop() {
				stack := pack.NewStack(resources, time.Now())
				for _, p := range pack.Policies() {
					if p.Stack != nil {
						p.Stack(stack, p.WithDefaults(nil))
					}
				}
			}
		})
	}
}

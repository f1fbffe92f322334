// Command policy compares the policy pack with other ways to write the same five rules, on the same resources: npm's
// @pulumi/policy, over the protocol by which the engine speaks to both, and Open Policy Agent, by evaluation alone. It prints
// how many times as long each takes, and fails if they do not find the same.
//
// Node and npm are needed for the former; without them it is left out, and said.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"
)

// The five rules, which the pack has under these names, npm/index.js and rules.rego as well.
func rules() []string {
	return []string{"imdsv2-required", "addon-version-pinned", "iam-admin-statement", "cluster-endpoint-public", "lambda-image-digest"}
}

// rounds is how often each way judges all resources. The fastest counts: what else a machine does only ever adds.
const rounds = 7

// way is one way to judge resources.
type way struct {
	name string
	// judge returns the names of the rules that a resource breaks.
	judge func(ctx context.Context, i int) ([]string, error)
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench/policy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	all := resources()
	dir, err := os.MkdirTemp("", "gpuyard-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is in the temporary folder, and nothing in it is wanted

	pack, stop, err := startPack(ctx, dir, all)
	if err != nil {
		return err
	}
	defer stop()
	npm, stop, err := startNPM(ctx, dir, all)
	if err != nil && !errors.Is(err, errNoNode) {
		return err
	}
	defer stop()
	judgement, err := newJudgement(all)
	if err != nil {
		return err
	}
	opa, err := newOPA(ctx, all)
	if err != nil {
		return err
	}
	fmt.Printf("Five rules on %d resources, the fastest of %d rounds:\n", len(all), rounds)
	if npm == nil {
		fmt.Println("  Left out: @pulumi/policy needs node and npm, and they are not installed.")
	} else if err := compare(ctx, len(all), *pack, *npm); err != nil {
		return err
	}
	return compare(ctx, len(all), *judgement, *opa)
}

// compare times two ways and prints how many times as long the other takes.
func compare(ctx context.Context, n int, own, other way) error {
	took, found, err := best(ctx, n, own)
	if err != nil {
		return err
	}
	otherTook, otherFound, err := best(ctx, n, other)
	if err != nil {
		return err
	}
	if !maps.Equal(found, otherFound) {
		return fmt.Errorf("%s finds %v, and %s %v", own.name, found, other.name, otherFound)
	}
	fmt.Printf("  %-46s %8.1f µs a resource\n", own.name, micros(took, n))
	fmt.Printf("  %-46s %8.1f µs a resource, %.1f times as long\n", other.name, micros(otherTook, n), float64(otherTook)/float64(took))
	return nil
}

func micros(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / 1000 / float64(n) }

// best judges n resources several times. It returns the shortest time, and how often each rule was broken.
func best(ctx context.Context, n int, w way) (time.Duration, map[string]int, error) {
	var took []time.Duration
	found := map[string]int{}
	for round := range rounds {
		start := time.Now()
		for i := range n {
			names, err := w.judge(ctx, i)
			if err != nil {
				return 0, nil, fmt.Errorf("%s: %w", w.name, err)
			}
			if round == 0 {
				for _, name := range names {
					found[name]++
				}
			}
		}
		took = append(took, time.Since(start))
	}
	if len(found) != len(rules()) {
		return 0, nil, fmt.Errorf("%s finds only %v", w.name, found)
	}
	return slices.Min(took), found, nil
}

// Command gen reduces recorded EC2 answers and price tables to the data file that the catalog embeds.
//
// Its inputs are large and are not part of the repository; docs/catalog.md says what they are and where to get them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/gpuyard/gpuyard/catalog/answers"
)

func main() {
	types := flag.String("types", "", "JSON `file`: {source, types: {NAME: DescribeInstanceTypes record}}")
	offerings := flag.String("offerings", "", "JSON `file`: {source, regions: {REGION: {TYPE: [ZONE ID]}}}")
	prices := flag.String("prices", "", "JSON `file`: {source, generated: {REGION: TIME}, regions: {REGION: {TYPE: PRICE}}}")
	out := flag.String("out", "data.json", "the `file` to write")
	flag.Parse()
	if err := run(*types, *offerings, *prices, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run reads the three inputs and writes the data file. A type that has no record stops it.
func run(types, offerings, prices, out string) error {
	var set answers.Set
	for _, in := range []struct {
		path string
		into any
	}{{types, &set.Types}, {offerings, &set.Offerings}, {prices, &set.Prices}} {
		src, err := os.ReadFile(in.path)
		if err != nil {
			return fmt.Errorf("reading an input: %w", err)
		}
		if err := json.Unmarshal(src, in.into); err != nil {
			return fmt.Errorf("reading %s: %w", in.path, err)
		}
	}
	data, left, err := set.Reduce()
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("%s: %w", left[0].Name, left[0].Why)
	}
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return fmt.Errorf("writing the data file: %w", err)
	}
	return nil
}

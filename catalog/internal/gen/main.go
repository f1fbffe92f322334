// Command gen reduces recorded EC2 answers and price tables to the data file that the catalog embeds.
//
// Its inputs are large and are not part of the repository; docs/catalog.md says what they are and where to get them.
package main

import (
	"flag"
	"fmt"
	"os"
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

// run reads the three inputs and writes the data file.
func run(types, offerings, prices, out string) error {
	var in [3][]byte
	for i, path := range []string{types, offerings, prices} {
		src, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading an input: %w", err)
		}
		in[i] = src
	}
	data, err := reduce(in[0], in[1], in[2])
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return fmt.Errorf("writing the data file: %w", err)
	}
	return nil
}

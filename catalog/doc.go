// Package catalog knows what the hardware is: EC2 instance types with their accelerators, network cards, disks and
// usage classes, the zones that offer them, what they cost, and what follows from that for a node: its network
// interfaces, its number of pods, its huge pages and the MIG profiles of its GPUs.
//
// Start with [Lookup], or with [Default] for questions about regions, zones and prices:
//
//	t, err := catalog.Lookup("p5.48xlarge")
//	plan, err := t.InterfacePlan(catalog.FabricEFA)
//
// The rules of the package:
//
//   - Facts are data, with their source beside them: data.json is generated from recorded EC2 answers, and
//     additions.json is written by hand. docs/catalog.md says how to add a type. Code holds only rules.
//   - Nothing is guessed. What the data cannot answer is an error or a false, and says so.
//   - A [Catalog] and all it returns by pointer is immutable: read it from any goroutine, never write to it.
//   - No network, no clock, no files: the data is embedded and as old as its sources say. Whoever can ask EC2 should: what
//     package answers makes of its answers is laid over them by [Override].
package catalog

//go:generate go run ./internal/gen -types $GPUYARD_EC2_TYPES -offerings $GPUYARD_EC2_OFFERINGS -prices $GPUYARD_EC2_PRICES -out data.json

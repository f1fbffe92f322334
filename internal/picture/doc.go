// Package picture draws an environment as an SVG: its zones and subnets, the node pools in them, and the network cards
// and EFA interfaces of a node of each pool.
//
// It draws a plan, so it shows what an environment comes to before anything exists. The picture is a pure function of
// the plan: the same plan gives the same bytes. It uses no script, no font of its own and no file besides itself, so
// that it shows in a browser, in a pull request and in a document alike.
package picture

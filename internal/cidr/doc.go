// Package cidr decides how a VPC's address block is cut into subnets.
//
// The rules:
//
//   - The cut depends on the VPC's block alone, never on how many zones are asked for: a zone has its slot,
//     and appending a zone leaves every existing subnet where it is. A subnet's block cannot be changed, so
//     moving one would replace it and everything in it.
//   - Private subnets are big and equal, since nodes and pods draw their addresses from them. Public subnets
//     are small: they hold load balancers and NAT gateways only.
//   - There are MaxZones slots, more than any pool of GPUs spreads over. One private-sized block stays
//     free for what nobody has thought of yet.
//
// The package is pure: prefixes in, prefixes out. Plan is the entry point.
package cidr

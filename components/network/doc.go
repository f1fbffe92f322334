// Package network makes the ground that a training cluster stands on: a VPC, and the fabric that carries RDMA.
//
// New makes the VPC. NewFabric makes what the EFA interfaces of one node pool need to reach each other, which
// is a thing of its own because a VPC may hold several.
//
// The rules:
//
//   - Zones are appended, not reordered: a zone's place in the list is its place in the address space, so
//     changing the place of a zone replaces its subnets. Package cidr holds the layout.
//   - Every private subnet has a route table of its own, also while all zones share one NAT gateway. Going
//     from a single gateway to one a zone then changes the target of routes and moves nothing else.
//   - A VPC without a way out reaches AWS through endpoints, and only through those that were asked for. Their short
//     names are those of package awsendpoint.
//   - Nodes live in private subnets. A pool should wait for VPC.Ways, since its nodes fetch images through routes
//     that are made after the subnets. A control plane need not wait.
package network

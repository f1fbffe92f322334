// Package platform makes what runs on a cluster besides its nodes: networking that is chained to the cluster's own, and
// the classes by which pods give way to each other.
//
// The Kubernetes provider of the cluster comes through the options of each constructor.
//
// The rules:
//
//   - A chart has a pinned version and its values name only what differs from the chart, each with its reason.
//   - Resources of Kubernetes are registered by their type tokens: the SDK's packages of them cost a user minutes of
//     compilation for a handful of resources.
package platform

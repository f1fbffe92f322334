// Package charts holds what we give to charts and to the API server against the charts and definitions themselves.
//
// The components register Helm releases and custom resources without a cluster, a chart or a definition in sight: a
// misspelt value is one that a chart never reads, and nothing says so. Their tests write what they register into
// components/storage/testdata/charts. The tests here
//
//   - render each chart that comes in a Go module with our values, with Helm's own engine,
//   - hold that the chart reads every value: another one in its place renders to something else,
//   - validate every custom resource, ours and those that charts render, against its definition, as the API server does,
//   - hold that the definitions and keys that the embedded cloud has are those of the charts; -update writes them anew.
//
// Charts come from Rook 1.20.6 and Fluid 1.0.8, whose modules hold them. Those of ceph-csi-drivers, snapscheduler and the
// static provisioner come in no module: of the first, the values are judged by the definitions that it renders them into.
//
// It is a module of its own, with no code to import.
package charts

import (
	_ "github.com/fluid-cloudnative/fluid/pkg/ddc/types" // its module holds the chart fluid
	_ "github.com/rook/rook/pkg/version"                 // its module holds the charts rook-ceph and rook-ceph-cluster
)

// Package storage makes places for data: buckets, file systems, volumes on local disks, a Ceph cluster, and a cache in
// front of a bucket.
//
// The providers of AWS and of the cluster come through the options of each constructor: pulumi.Providers(aws, kubernetes).
//
// The rules:
//
//   - A kind is a file: its arguments, its component and its judgement.
//   - A driver that all stores of a kind share is a component of its own, and is made once for a cluster.
//   - What holds data is registered with the option of keep. It is protected until AllowDataLoss is true: the engine
//     then refuses to delete or replace it, whoever starts it.
//   - A store that pods mount is offered as a claim of the store's name in a namespace that is given: a static volume,
//     bound to that one claim.
//   - Names and handles of volumes are unique in a cluster: two volumes of one handle are one volume to a CSI driver.
//   - Objects of Kubernetes are registered by their tokens with package manifest, charts with package helm.
package storage

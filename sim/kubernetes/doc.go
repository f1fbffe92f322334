// Package kubernetes is the embedded cloud's kubernetes provider. It knows Helm releases, and few kinds of objects: those
// that components register by themselves. Of charts it knows only those in charts.go, by the value keys that each
// accepts: Helm itself says nothing about a key that no template reads.
//
// Releases and objects live in a cluster of the same cloud: the provider's kubeconfig names its endpoint, and they go
// when the cluster goes. No chart is rendered and no pod runs.
package kubernetes

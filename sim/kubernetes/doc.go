// Package kubernetes is the embedded cloud's kubernetes provider. It knows Helm releases only, and of charts only
// those in charts.go, by the value keys that each accepts: Helm itself says nothing about a key that no template reads.
//
// A release lives in a cluster of the same cloud: the provider's kubeconfig names its endpoint, and the release goes
// when the cluster goes. No chart is rendered and no pod runs.
package kubernetes

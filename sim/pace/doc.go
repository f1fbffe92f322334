// Package pace knows how long AWS and Kubernetes take: to make, change and delete a resource of each type, and so how
// long a plan takes in all.
//
// Times gives the figures, each with its source or marked as an assumption. CriticalPath and LowerBound are pure
// functions over a plan's resources. A Pace scales the figures, for an embedded cloud that takes its time.
//
// It is plain data and needs no cloud: a preview may use it for a real one.
package pace

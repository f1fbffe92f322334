// Package ekscluster reads an EKS cluster that somebody made, as far as a pool that is added to it must know it.
//
// [Describe] asks AWS, [Read] takes the answers of its command line from a file. Nothing is changed, and no secret is asked
// for.
package ekscluster

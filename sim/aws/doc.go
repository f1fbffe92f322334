// Package aws is the embedded cloud's aws provider: one resource type a file, one line each in the table of Provider.
//
// An entry reads top to bottom: the SDK types, what it refers to, what it is judged by, what AWS fills in. Plan rules
// judge arguments alone and speak in previews too; Apply rules look at the cloud and speak when AWS would. A rule that
// several types share stands in rules_*.go. Facts about AWS that are simulated rather than looked up (EKS versions,
// image releases, add-on builds) stand in eks_versions.go and say so.
package aws

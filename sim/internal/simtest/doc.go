// Package simtest drives an embedded cloud as the Pulumi engine does, through gRPC and call by call, so that a test
// can look at every answer. It is for tests of resource tables; whole programs are tested with the real engine.
package simtest

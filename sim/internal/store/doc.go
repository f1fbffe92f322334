// Package store keeps the embedded cloud on disk: one record a resource, in one bbolt file.
//
// One process at a time: whoever opens the file holds it until Close, and a second opener gets ErrBusy.
// Every change happens inside Update and is all or nothing, so an operation that a rule refuses leaves no trace.
// A transaction is used by one goroutine; transactions that write run one after the other.
package store

// Package fault says which operations of the embedded cloud go wrong, and how, on demand.
//
// A Fault is a pattern of operations and a kind. A Plan counts the operations that pass and tells which one a fault
// strikes; it is the only state there is, and safe for concurrent use. What a kind does to an operation is the engine's
// business.
package fault

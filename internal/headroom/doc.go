// Package headroom works out how much memory a node has left for a cache, and shows the arithmetic.
//
// A blueprint judges by it before anything is made, and the component that makes the cache gives its processes the heaps
// that are counted here: the two must agree, so the arithmetic is neutral ground.
//
// The rules:
//
//   - Everything is in MiB, as the catalogue and the blueprint have it.
//   - An estimate errs against the cache: a node that is short of memory kills pods, a cache that is short reads again.
package headroom

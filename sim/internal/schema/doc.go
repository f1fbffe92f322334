// Package schema reads what a resource takes and gives from the Go SDK's own types.
//
// A generated SDK already states, in struct tags, every property of every resource, its kind, and for plain
// values whether it may be left out (a pointer). The embedded cloud reads those types by reflection and never
// types them a second time, so it cannot drift from the SDK that programs compile against.
//
// What the types do not say: whether a list or a map is required. The resource tables add that by name.
//
// Everything here is pure: values in, problems out.
package schema

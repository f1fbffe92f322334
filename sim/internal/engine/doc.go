// Package engine is the shell of the embedded cloud: it turns a table of resources into a Pulumi provider.
//
// A Provider is explicit lists of Resources and Functions. The Server speaks the engine's protocol over them and is
// the only part that knows gRPC. What a resource is stands in its table entry: the SDK types of its arguments and
// state, what it refers to, the rules it is judged by, and the outputs that the cloud fills in.
//
// # How an operation runs
//
//   - Check judges the arguments against the SDK type, then by the Plan rules: pure, and content with unknown values.
//     Previews see these refusals.
//   - Create and Update first look up every reference, then run the Apply rules, inside one store transaction: a
//     refused operation leaves no trace. A preview runs none of it and leaves what the cloud fills in unknown.
//   - Delete refuses while another resource holds this one by a reference.
//   - Every operation passes through Server.through, where it takes the time that Options say and goes wrong as they say.
//
// Refusals are *Error values in AWS's words (a code and a message). A bug in a table panics.
package engine

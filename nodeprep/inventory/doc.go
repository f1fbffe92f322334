// Package inventory says which hosts there are, how each is reached and what each should be.
//
// It has three sources: the outputs of a stack ([Outputs]), a file ([Parse]: a host a line, or JSON in the shape of the
// outputs), and words of a command line ([Words]).
//
// Rules:
//   - A [Pool] is hosts that are reached and prepared the same way, and its JSON is what a stack exports for a pool of
//     hosts, so that `gpuyard outputs` gives a file that can be kept.
//   - Everything that is wrong with a source is said at once, each with its line or its pool.
//   - No host is twice in an inventory: two runs on one host would wait for each other.
//   - An inventory has no secret: keys are named by their files.
package inventory

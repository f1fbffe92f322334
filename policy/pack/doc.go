// Package pack is the policy pack of gpuyard: what a plan of a GPU training cluster must not contain, whoever wrote it.
//
// The rules of this package:
//
//   - A policy is one file: its judgement, a function from properties to findings, and a [Policy] value that says
//     what it is for. It is one line in [Policies]. Its name is its file's, its fixtures' folder's and its page's.
//   - A judgement knows no engine: it reads a [Resource] or a [Stack] through [Value], which cannot panic.
//   - What is not known yet is not judged. During a preview many values are unknown; the engine shows them again
//     when it makes the resource. A value of another kind than the SDK sends is not judged either: the provider
//     refuses it with a better sentence.
//   - A message never contains a text that is marked as secret.
//   - Every policy states its level. Mandatory is what does not work or is not safe, advisory what costs.
//   - policyx appears in wrap.go alone.
//
// Everything here is immutable and safe for concurrent use.
package pack

// Package blueprint reads a blueprint: it turns HCL text into a validated, immutable model, and judges all that can be
// judged without a cloud.
//
//	b, diags := blueprint.Load("stacks/dev.hcl", blueprint.Options{})
//	if err := diags.Err(); err != nil { … }
//
// The rules of the package:
//
//   - A mistake in a blueprint is a diagnostic with a source range, a short fixed Summary and a Detail that says what to
//     do; all of them are returned at once. A mistake in this package is a panic. There are no other errors.
//   - The model is data. Load fills it in; after that nothing writes to it, and it may be read from any goroutine.
//   - Every attribute is a Value with its range. A value that was left out is its default, with the zero range; so is,
//     with the zero value, one that is in error. Rules skip what is not set, and so never complain twice.
//   - The tags of the model structs are the schema: names, types, defaults, legal values and documentation stand there
//     once. What Schema returns, the reference and the JSON schema are made from them.
//   - A top-level block is one file and one line in blockTypes. A rule is one file check_<rule>.go, one line in checks
//     and a folder testdata/invalid/<rule>-<case>, whose guilty lines carry the expected summary.
//   - A rule is a pure function of the model, the catalog and the clock. It does not guess: what only an account or a
//     region can tell is left to others.
//   - Work is bounded, whatever the text: the size of a file, the nesting and number of its operators, what its
//     expressions cost, and how many problems are reported.
//   - A sensitive variable's value appears in no diagnostic, nor does the source line of its default.
package blueprint

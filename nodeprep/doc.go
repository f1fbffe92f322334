// Package nodeprep makes a Linux host a training node, and says whether it still is one.
//
// The stages are values: a profile (package profile: what is wanted) and a host (package facts: what is) give a [Plan]
// ([NewPlan], a pure function), which gives one shell script (package script). [Gather] and [Apply] are the thin shell
// around them; how a script gets to a host is the business of a [Runner], such as package remote's.
//
// Rules:
//   - One item is one file, item_*.go, and one line in the list in items.go. An item names its keys and what is legal,
//     judges a host, and gives steps; it knows nothing of transport.
//   - A step looks before it changes and reads back afterwards, so a script that runs again changes nothing.
//   - A setting has three values: live, on disk and wanted. "Right after a reboot" is a verdict of its own.
//   - What does not apply says so, and why; it never passes silently. A conflict names both sides, and its item does
//     nothing.
//   - The plan that is shown is the plan that is carried out: its steps are the lines of the script.
package nodeprep

// Package facts says what a Linux host is: one POSIX script asks everything and answers with one JSON document, and
// pure parsers turn that into a [Host].
//
// Rules:
//   - [Script] only reads. It starts few processes, so that a host with many devices answers in well under a second.
//   - The document holds the host's own words, section by section; every judgement of them is in Go, where real dumps
//     of real hosts test it (testdata, each with its source).
//   - [Parse] refuses an answer that is cut off or is not one document. What a section leaves out is a zero value, and
//     who reads it must say "not known" rather than "not there".
//   - A Host is plain data and never changed after Parse.
package facts

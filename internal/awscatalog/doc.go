// Package awscatalog asks AWS what package catalog has to know: which instance types there are, which zones offer them
// and what they cost. Connect to an account, then Ask.
//
// It judges nothing: what an answer comes to is the business of catalog/answers, and what is sent here is tested against a
// loopback server (awstest) that speaks the same protocols to the same clients. Only the command line imports it: the
// clients of AWS take a minute to compile, which nobody shall pay who only runs the program.
package awscatalog

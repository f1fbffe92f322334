// Package engine runs the Pulumi engine for the command line and for end-to-end tests.
//
// The engine is the real one: the pulumi executable, found by [FindCLI] and driven through the Automation API with
// an inline program. There are two targets. [Cloud] is the project's own workspace, backend and accounts, exactly as
// plain `pulumi up` in the project's folder would use them. [Local] is a workspace of its own below `.gpuyard`, with
// a state on disk, attached to the embedded cloud; it needs no account and touches nothing outside that folder.
//
// The package knows nothing about blueprints or components: it is given the program. It never prints; what happens
// is told through events and returned values, and every failure is a wrapped error that says what to do.
package engine

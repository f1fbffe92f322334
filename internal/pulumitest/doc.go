// Package pulumitest runs a Pulumi program against a recorder and gives back the graph of what it registered.
//
// It is for tests of components: no engine, no provider, no network. A test runs its program with Run, looks
// at single resources with Graph.Get, and compares the whole graph with a golden file:
//
//	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
//		_, err := network.New(ctx, "net", args)
//		return err
//	}, pulumitest.Options{})
//	pulumitest.Golden(t, graph, "testdata/net.golden")
//
// The rules:
//
//   - The text of a graph is a function of what the program registers, never of the order in which it does:
//     resources are sorted by type and name, invokes by token and arguments.
//   - A custom resource's outputs are its inputs with an id, an arn and, unless it has one, a name. They read like
//     ${Vpc net.id}, so that a reference shows where it comes from wherever it arrives. Options.Outputs adds more.
//   - A component's inputs are seen if it registers itself with RegisterComponentResourceV2.
//   - An invoke must be answered by Options.Calls. One that is not fails the test and is named.
//   - The same type and name registered twice under one parent fails the test, as it fails an engine.
//   - Options.Preview runs the program as a preview, where what a provider would have to make is unknown.
//     Unknowns and secrets are marked in the text.
//
// Tests of every package that imports this one take the flag -update, which rewrites their golden files:
//
//	go test ./components/network -update
//
// Such a package must not define a flag of that name itself.
package pulumitest

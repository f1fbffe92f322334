// Package sim is the embedded cloud: Pulumi provider servers for aws, kubernetes and azure-native that the real Pulumi
// engine talks to, strict as the clouds are, with state on disk. No account, no credentials, no network beyond loopback.
//
// Open a cloud with NewCloud, serve it with Serve, and give the Pulumi process the endpoint:
//
//	cloud, err := sim.NewCloud(sim.Options{Dir: dir})
//	endpoint, err := cloud.Serve(ctx)
//	// PULUMI_DEBUG_PROVIDERS=endpoint.DebugProviders()
//
// Previews, updates, refreshes, imports, destroys, policy packs and state are then the real ones. What the cloud
// refuses and what it leaves out is in docs/embedded-cloud.md.
//
// Options say what reservations and quotas the account has, what goes wrong (see ParseFault), and how long it all takes
// (package pace).
//
// A Cloud is safe for concurrent use. It holds its directory until Close.
package sim

// Package provider is gpuyard as a Pulumi provider: what is not a component of other resources but has a state of its
// own. It has one such resource, gpuyard:nodeprep:Host, a Linux host prepared over SSH.
//
// [New] makes the provider. [Main] serves it as the executable pulumi-resource-gpuyard, which the engine starts; [Attach]
// serves it inside another process, which the engine is told of by PULUMI_DEBUG_PROVIDERS.
//
// Rules:
//   - What a host needs is judged by package nodeprep alone. The state has its verdicts, item by item, in words.
//   - A host is looked at before every preview and update, so that a preview shows the real node: see server.
//   - Nothing waits without a deadline, and nobody is believed without a known host key.
//   - A secret is a secret in inputs and state, and in no message.
package provider

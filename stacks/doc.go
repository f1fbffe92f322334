// Package stacks turns a blueprint into components: it is the only package that knows both.
//
// [Program] is what `pulumi up` runs. It reads the blueprint of the stack (stacks/NAME.hcl), works out a [Plan], and
// calls [Deploy]. A plan is everything about an environment that can be known without a cloud: it is what `gpuyard
// explain` prints, what stands above every `gpuyard up`, and what Deploy builds from, so the three cannot differ.
//
// The folder also holds the project's own environments: one blueprint and one Pulumi.NAME.yaml each.
package stacks

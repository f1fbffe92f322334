// Package serverless makes work that runs without a cluster and scales to zero: AWS Lambda functions, and Azure Container
// Apps and jobs, with a GPU where one is wanted.
//
// NewFunction makes a function with everything around it; NewRepository the registry's repository that its image is
// pushed to; NewRegistry what is set for a registry as a whole; NewAttachment and NewFileSystem what functions in a VPC
// share. NewContainerApp makes an app or a job with its environment.
//
// The rules of functions:
//
//   - A function runs an image by its digest. Each change publishes a version, and callers name the alias "live", which
//     moves to a version once. A fixed number of warm copies is kept on the version, and the alias moves when they are
//     ready: a version that fails to start fails the run and is never called. A number that follows the load or a
//     schedule is kept on the alias, or each version would begin with the smallest: Lambda then splits the traffic by
//     itself until a new version is ready, and one that fails to start leaves the split behind, which may have to be
//     taken away by hand (see gradientedge/cdk-utils pull request 1110, hashicorp/terraform-provider-aws 48116).
//   - Everything that a call fails on ends in one queue, NAME-failed.
//   - A security group of functions is shared and stays: Lambda gives its network interfaces back after 20 minutes and
//     more, and so long a group cannot go (hashicorp/terraform-provider-aws issue 10329).
//
// Weights are fetched by the function itself when it starts. It finds what to do in its environment:
//
//	GPUYARD_WEIGHTS_SOURCE      where they are, s3://BUCKET/KEY
//	GPUYARD_WEIGHTS_PATH        the file to put them at, below /tmp or a mounted file system
//	GPUYARD_WEIGHTS_SHA256      their SHA-256 in hexadecimal digits; not set: nobody knows it
//	GPUYARD_WEIGHTS_SIZE        their size in bytes, rounded up to MiB; not set: nobody knows it
//	GPUYARD_WEIGHTS_MEMORY_MAP  "true": map the file for reading, so that copies in one environment share its pages;
//	                            "false": read it
//
// The rules of container apps:
//
//   - An app has an environment and a resource group of its own: a GPU profile comes into an environment when that is
//     made, and not later (Azure/azure-cli issue 30526).
//   - It pulls, mounts and reads secrets as an identity of its own, which has its rights before the app is made: with
//     an identity that comes with the app, the first pull fails.
//   - Resources of Azure are registered by their token, in the API version 2025-01-01 where it matters: the SDK takes a
//     user half a minute to compile, and most of what is needed is not in one module of it.
package serverless

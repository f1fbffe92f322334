// Package azure is the azure-native provider of the embedded cloud: Container Apps and what stands around them.
//
// Container Apps are checked against the types of their SDK in API version 2025-01-01; for the few other resources the
// arguments that are used are written out here, since their SDK packages are not in one module with it.
//
// Add a resource type by one file and one line in Provider's list. docs/embedded-cloud-rules.md is made from the tables.
package azure

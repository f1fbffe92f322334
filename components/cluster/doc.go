// Package cluster makes an EKS control plane with its identities, its access and its add-ons.
//
// New makes everything that must be there before a node: the control plane, the roles, and the add-ons that
// turn an instance into a Ready node. NewAddons makes those that run as ordinary pods and need nodes to become
// healthy; pass it pulumi.DependsOn of the node pools.
//
// The rules:
//
//   - The API server is private. It is public as well only for addresses that are spelled out, never for all.
//   - Who may do what is said in access entries only; the aws-auth ConfigMap is not used.
//   - The node role can do what a node does. What the pods of an add-on need is in a role of their own.
//   - Cluster.NodeRoleARN is known when a node that takes it can become Ready: its policies are attached and
//     the node-side add-ons are installed. Whoever uses it waits for them, also the other way on destroy.
//   - Servers outside AWS may join when the control plane is told where they and their pods are.
//   - Names of AWS resources are left to Pulumi, except where others must know them beforehand: the cluster,
//     its log group, its key's alias.
package cluster

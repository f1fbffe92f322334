// Package gpunodes makes node pools of an EKS cluster: NVIDIA, Neuron and CPU pools with or without EFA, and
// the device plugins that their nodes need.
//
// NewPool makes one pool: a launch template and an EKS managed node group. NewPlugins makes the device plugins
// for a set of pools. Everything that must agree about a pool is derived from its instance types: interfaces,
// security groups, image, user data, the pod limit, taints, labels and what its nodes offer to pods.
//
// # Rules
//
//   - Judgement is pure (AMIType, ReleaseParameter, UserData, Resources, DefaultLabels, DefaultTaints): values
//     in, values out. Only NewPool and NewPlugins register resources.
//   - Wrong plain arguments are errors that name the pool and list every problem; nothing is registered then.
//   - A value has one place. Instance types and the capacity type are in the node group, never in the template.
//     Taints and labels go through the node group, never through kubelet flags: EKS applies them to every node
//     itself, and the cluster autoscaler reads them there when it scales a pool up from zero.
//   - An image never floats under a pool. Its release is named by the caller, or looked up when the pool is made
//     and left alone afterwards.
//   - A pool with EFA keeps to one subnet and to types of one interface plan.
package gpunodes

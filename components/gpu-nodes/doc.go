// Package gpunodes makes node pools of an EKS cluster: NVIDIA, Gaudi, Neuron and CPU pools with or without EFA, and
// the device plugins that their nodes need.
//
// NewPool makes one pool: a launch template and an EKS managed node group, and for reserved capacity what fills it in
// time. NewPlugins makes the device plugins for a set of pools. Everything that must agree about a pool is derived from
// its instance types: interfaces, security groups, image, user data, the pod limit, taints, labels and what its nodes
// offer to pods.
//
// # Rules
//
//   - Judgement is pure (AMIType, ReleaseParameter, UserData, Resources, DefaultLabels, DefaultTaints): values
//     in, values out. Only NewPool and NewPlugins register resources.
//   - Wrong plain arguments are errors that name the pool and list every problem; nothing is registered then.
//   - A value has one place. Instance types are in the node group, but that of a Capacity Block is in the template;
//     never in both. An image of one's own is in the template, and then the node group names neither image nor release.
//   - Taints and labels go through the node group: the cluster autoscaler reads them there when it scales a pool up from
//     zero. With EKS's images EKS hands them to kubelet too. With an image of one's own nobody does, so the user data
//     repeats them, or a node would be open to every pod until EKS taints it.
//   - An image never floats under a pool. It is named by the caller, or its newest release is looked up when the pool is
//     made and left alone afterwards.
//   - A pool with EFA keeps to one subnet and to types of one interface plan; so does one in reserved capacity, to the
//     reservation's zone and type.
//   - A pool that is renamed keeps its resources, and what they are called in AWS.
package gpunodes

package blueprint

import "github.com/hashicorp/hcl/v2"

// Network describes the VPC and how the cluster sits in it. A blueprint without one has no cluster.
type Network struct {
	// CIDR is the VPC's range of addresses.
	CIDR Value[string] `bp:"cidr,required" form:"cidr" doc:"IPv4 range of the VPC, from /16 down to the smallest that holds the zones."`
	// Zones are names or ids of availability zones, one form only. Subnets are laid out in this order: append, never insert.
	Zones []Value[string] `bp:"zones,required" form:"zone" doc:"Availability zones, all by name (us-east-2a) or all by id (use2-az1)."`
	// NAT says how private subnets reach the internet.
	NAT Value[string] `bp:"nat" default:"single" legal:"none single per_zone" doc:"NAT gateways: none, a single one, or one per zone."`
	// PrivateEndpoints are the AWS services that are reached inside the VPC.
	PrivateEndpoints []Value[string] `bp:"private_endpoints" legal:"s3 s3express dynamodb ecr sts ec2 eks eks-auth logs monitoring elasticloadbalancing autoscaling kms ssm sqs fsx" doc:"AWS services reached through endpoints in the VPC."`
	// FlowLogs keeps a record of what traffic was let through and what was not.
	FlowLogs Value[bool] `bp:"flow_logs" default:"false" doc:"Keep flow logs of the VPC in CloudWatch."`
	// ClusterEndpoint says who reaches the Kubernetes API.
	ClusterEndpoint ClusterEndpoint `bp:"cluster_endpoint,block" doc:"Who reaches the Kubernetes API; from inside the VPC it is always reachable."`
	// CNI says what carries pod traffic.
	CNI CNI `bp:"cni,block" doc:"What carries pod traffic."`
	// Remote are networks outside the VPC whose hosts join the cluster; nil for none.
	Remote *Remote `bp:"remote,block" doc:"Networks outside the VPC whose hosts join the cluster as EKS hybrid nodes."`
	// Range is the block's header.
	Range hcl.Range
}

// ClusterEndpoint says who reaches the Kubernetes API from outside the VPC.
type ClusterEndpoint struct {
	// Public opens the API to the addresses in AllowedCIDRs; callers still authenticate.
	Public Value[bool] `bp:"public" default:"false" doc:"Whether the API can be reached from outside the VPC, by the addresses in allowed_cidrs."`
	// AllowedCIDRs are who reaches a public endpoint.
	AllowedCIDRs []Value[string] `bp:"allowed_cidrs" form:"cidr" doc:"The addresses that reach a public API: those of an office or a VPN."`
}

// CNI says what carries pod traffic.
type CNI struct {
	// Kind is vpc, or cilium chained to it: pods keep VPC addresses and EFA keeps working.
	Kind Value[string] `bp:"kind" default:"vpc" legal:"vpc cilium" doc:"vpc is the Amazon VPC CNI; cilium is chained to it."`
}

// Remote are the networks of hosts outside the VPC.
//
// Source: EKS User Guide, "Prepare networking for hybrid nodes".
type Remote struct {
	// Nodes are the networks of the hosts.
	Nodes []Value[string] `bp:"nodes,required" form:"cidr" doc:"Networks of the remote hosts, private ranges."`
	// Pods are the networks of the pods on them.
	Pods []Value[string] `bp:"pods" form:"cidr" doc:"Networks of the pods on remote hosts; webhooks there need them routable."`
	// Range is the block's header.
	Range hcl.Range
}

func networkBlock() blockType {
	return blockType{
		Name: "network", Once: true,
		Doc:   "The VPC and how the cluster sits in it. Without this block there is no cluster.",
		model: typeOf[Network](),
		add: func(b *Blueprint, h header) any {
			b.Network = &Network{}
			return b.Network
		},
	}
}

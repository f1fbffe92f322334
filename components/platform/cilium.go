package platform

import (
	"regexp"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeCilium is the type token of Cilium.
const TypeCilium = "gpuyard:platform:Cilium"

// ciliumVersion is the chart's, tested by its authors up to Kubernetes 1.35.
const ciliumVersion = "1.19.6"

// CiliumArgs describes Cilium.
type CiliumArgs struct {
	// Version is the version of the chart, 1.19.6 when it is empty.
	Version string `pulumi:"version,optional"`
}

// Cilium is Cilium chained to the VPC CNI: the VPC CNI gives pods their addresses, and Cilium enforces network policies
// and shows traffic. Cilium does not replace the VPC CNI: AWS supports that on no EC2 node, and its own address
// management stops pods on nodes with several EFA interfaces. Kube-proxy stays.
//
// EFA traffic passes by the kernel, and so by every network policy: security groups are what limits it. In this mode
// policies of layer 7 are limited and encryption by IPsec is not to be had. Pods that ran before Cilium are not under it
// until they are restarted: install it before the pools fill.
// Source: Cilium, "AWS VPC CNI plugin" and "CNI chaining limitations"; cilium issue 42600; EKS User Guide, "Alternate CNI
// plugins".
type Cilium struct {
	pulumi.ResourceState

	release pulumi.Resource
}

// Release is the Helm release. Pods that policies are for wait for it: pulumi.DependsOn.
func (c *Cilium) Release() pulumi.Resource { return c.release }

// NewCilium registers Cilium. Arguments may be nil.
func NewCilium(ctx *pulumi.Context, name string, args *CiliumArgs, opts ...pulumi.ResourceOption) (*Cilium, error) {
	version := ciliumVersion
	if args != nil && args.Version != "" {
		version = args.Version
	}
	check := argument.For(TypeCilium, name)
	if !regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`).MatchString(version) {
		check.Failf("version", "%q is no version such as %s", version, ciliumVersion)
	}
	if err := check.Err(); err != nil {
		return nil, err
	}
	c := &Cilium{}
	if err := ctx.RegisterComponentResourceV2(TypeCilium, name, pulumi.Map{"version": pulumi.String(version)}, c, opts...); err != nil {
		return nil, err
	}
	chart := helm.Chart{Name: "cilium", Version: version, Repository: "https://helm.cilium.io"}
	var err error
	if c.release, err = helm.NewRelease(ctx, name, chart, ciliumValues(), pulumi.Parent(c)); err != nil {
		return nil, err
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{})
}

// ciliumValues returns the values that chain Cilium to the VPC CNI.
func ciliumValues() pulumi.Map {
	return pulumi.Map{
		"cni": pulumi.Map{
			"chainingMode": pulumi.String("aws-cni"),
			// Taking over the folder of CNI configurations would put the VPC CNI's aside.
			"exclusive": pulumi.Bool(false),
		},
		// Pods have addresses of the VPC: no tunnel, and nothing to hide behind the node's.
		"routingMode":          pulumi.String("native"),
		"enableIPv4Masquerade": pulumi.Bool(false),
		// The chart's word for no, stated because earlier charts probed and lost packets.
		// Source: cilium issue 16313.
		"kubeProxyReplacement": pulumi.String("false"),
		// Hybrid nodes have a Cilium of their own, which this one must leave alone. On all others the agent runs whatever
		// their taints, with the proxy inside it rather than in a DaemonSet of its own.
		"affinity": onCloudNodes(),
		"operator": pulumi.Map{"affinity": onCloudNodes()},
		"envoy":    pulumi.Map{"enabled": pulumi.Bool(false)},
	}
}

// onCloudNodes returns an affinity that keeps off hybrid nodes.
// Source: EKS User Guide, "Configure a CNI for hybrid nodes", node label eks.amazonaws.com/compute-type.
func onCloudNodes() pulumi.Map {
	return pulumi.Map{"nodeAffinity": pulumi.Map{"requiredDuringSchedulingIgnoredDuringExecution": pulumi.Map{
		"nodeSelectorTerms": pulumi.Array{pulumi.Map{"matchExpressions": pulumi.Array{pulumi.Map{
			"key": pulumi.String("eks.amazonaws.com/compute-type"), "operator": pulumi.String("NotIn"),
			"values": pulumi.ToStringArray([]string{"hybrid"}),
		}}}},
	}}}
}

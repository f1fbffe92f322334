package aws

import (
	"errors"
	"maps"
	"net/netip"
	"slices"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

var someEndpoint = engine.Rule{
	Name: "some-endpoint", Says: "the API server is reachable: the public or the private endpoint is on", Source: "EKS API, VpcConfigRequest",
	Judge: func(c *engine.Call) error {
		const public, private = "vpcConfig.endpointPublicAccess", "vpcConfig.endpointPrivateAccess"
		off := func(path string) bool { return !c.In.Bool(path) && !c.In.Unknown(path) }
		if c.In.Has(public) && off(public) && off(private) {
			return &engine.Error{Path: private, Code: "InvalidParameterException", Message: "Private and public endpoint access cannot both be disabled; set endpointPrivateAccess"}
		}
		return nil
	},
}

// private are the address ranges of private networks.
// Source: RFC 1918 and RFC 6598.
var private = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("100.64.0.0/10"),
}

func isPrivate(p netip.Prefix) bool {
	return slices.ContainsFunc(private, func(r netip.Prefix) bool { return r.Bits() <= p.Bits() && r.Contains(p.Addr()) })
}

var publicCIDRs = engine.Rule{
	Name: "public-cidrs", Says: "`publicAccessCidrs` holds at most 40 public networks, and only with the public endpoint", Source: "EKS User Guide, \"Cluster API server endpoint\"",
	Judge: func(c *engine.Call) error {
		const path = "vpcConfig.publicAccessCidrs"
		var errs []error
		if n := len(c.In.Leaves(path + "[*]")); n > 40 {
			errs = append(errs, engine.Invalid(path, "got %d networks, at most 40 are allowed", n))
		}
		for _, l := range c.In.Leaves(path + "[*]") {
			if !l.Value.IsString() {
				continue
			}
			if p, err := network(l.Value.StringValue()); err == nil && isPrivate(p) {
				errs = append(errs, &engine.Error{Path: l.Path, Code: "InvalidParameterException", Message: "The following CIDRs are not allowed in publicAccessCidrs: " + p.String() + "; a private network reaches the private endpoint"})
			}
		}
		return errors.Join(errs...)
	},
}

var privateRanges = engine.Rule{
	Name: "private-ranges", Says: "services have a private /12 to /24 network, remote nodes and pods private ones", Source: "EKS API, KubernetesNetworkConfigRequest and RemoteNetworkConfigRequest",
	Judge: func(c *engine.Call) error {
		var errs []error
		services := c.In.Str("kubernetesNetworkConfig.serviceIpv4Cidr")
		if p, err := network(services); services != "" && (err != nil || !isPrivate(p) || p.Bits() < 12 || p.Bits() > 24) {
			errs = append(errs, engine.Invalid("kubernetesNetworkConfig.serviceIpv4Cidr", "got %q, wanted a network between /12 and /24 within 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16", services))
		}
		for _, path := range remotePaths {
			for _, l := range c.In.Leaves(path) {
				if !l.Value.IsString() {
					continue
				}
				if p, err := network(l.Value.StringValue()); err != nil || !isPrivate(p) {
					errs = append(errs, engine.Invalid(l.Path, "got %q, wanted a private network", l.Value.StringValue()))
				}
			}
		}
		return errors.Join(errs...)
	},
}

var remotePaths = []string{"remoteNetworkConfig.remoteNodeNetworks.cidrs[*]", "remoteNetworkConfig.remotePodNetworks.cidrs[*]"}

// remoteNetworks is the rule on clusters with nodes outside AWS.
var remoteNetworks = engine.Rule{
	Name: "remote-networks", Says: "remote pods go with remote nodes, at most 15 networks each, in a cluster that authenticates by access entries", Source: "EKS User Guide, \"Prerequisite setup for hybrid nodes\"",
	Judge: func(c *engine.Call) error {
		const config, mode = "remoteNetworkConfig", "accessConfig.authenticationMode"
		if !c.In.Has(config) || c.In.Unknown(config) {
			return nil
		}
		if !c.In.Has(remotePaths[0]) {
			return engine.Invalid(config+".remoteNodeNetworks", "missing: remote pods run on remote nodes, so give both")
		}
		for _, path := range remotePaths {
			if n := len(c.In.Leaves(path)); n > 15 {
				return engine.Invalid(path, "got %d networks, at most 15 are allowed", n)
			}
		}
		if m := c.In.Str(mode); !c.In.Unknown(mode) && m != "API" && m != "API_AND_CONFIG_MAP" {
			return &engine.Error{Path: mode, Code: "InvalidParameterException", Message: "remote nodes join by access entries: the authentication mode must be API or API_AND_CONFIG_MAP"}
		}
		return nil
	},
}

var versionSupported = engine.Rule{
	Name: "version-supported", Says: "EKS runs that Kubernetes version", Source: "EKS User Guide, \"Understand the Kubernetes version lifecycle on EKS\"",
	Judge: func(c *engine.Call) error {
		version := c.In.Str("version")
		if _, ok := knownVersion(version); !ok && version != "" {
			return engine.Refuse("InvalidParameterException", "unsupported Kubernetes version %s; the embedded cloud runs %s", version, list(versionNames()))
		}
		return nil
	},
}

var versionStep = engine.Rule{
	Name: "version-step", Says: "a cluster goes up one minor version at a time, and never back", Source: "EKS User Guide, \"Update existing cluster to new Kubernetes version\"",
	Judge: func(c *engine.Call) error {
		was, want := c.Was.Str("version"), c.In.Str("version")
		if step := minor(want) - minor(was); was != "" && want != "" && (step < 0 || step > 1) {
			return engine.Refuse("InvalidParameterException", "Unsupported Kubernetes minor version update from %s to %s; go up one minor version at a time", was, want)
		}
		return nil
	},
}

// clusterZones returns the zones of a cluster's subnets, and the subnets by zone.
func clusterZones(c *engine.Call) map[zone]string {
	zones := map[zone]string{}
	for _, id := range c.In.Strs("vpcConfig.subnetIds[*]") {
		s, _ := c.Get(subnetToken, id)
		zones[zone{s.Out.Str("availabilityZone"), s.Out.Str("availabilityZoneId")}] = id
	}
	return zones
}

var twoZones = engine.Rule{
	Name: "two-zones", Says: "a cluster has at least two subnets in at least two zones", Source: "EKS User Guide, \"VPC and subnet requirements\"",
	Judge: func(c *engine.Call) error {
		if zones := clusterZones(c); len(zones) < 2 {
			return engine.Refuse("InvalidParameterException", "Subnets specified must be in at least two different AZs; got %d subnets in %d", len(c.In.Strs("vpcConfig.subnetIds[*]")), len(zones))
		}
		return nil
	},
}

var oneVPC = engine.Rule{
	Name: "one-vpc", Says: "subnets and security groups of a cluster belong to one VPC, on updates to the same as before", Source: "EKS User Guide, \"VPC and subnet requirements\"",
	Judge: func(c *engine.Call) error {
		vpcs := map[string]bool{}
		for _, id := range c.In.Strs("vpcConfig.subnetIds[*]") {
			s, _ := c.Get(subnetToken, id)
			vpcs[s.In.Str("vpcId")] = true
		}
		for _, id := range c.In.Strs("vpcConfig.securityGroupIds[*]") {
			g, _ := c.Get(securityGroupToken, id)
			vpcs[g.Out.Str("vpcId")] = true
		}
		if was := c.Was.Str("vpcConfig.vpcId"); was != "" {
			vpcs[was] = true
		}
		if len(vpcs) > 1 {
			return engine.Refuse("InvalidParameterException", "Subnets and security groups must all belong to the same VPC; got %s", list(slices.Sorted(maps.Keys(vpcs))))
		}
		return nil
	},
}

// withoutEKS are the zones in which EKS places no control plane.
// Source: EKS User Guide, "VPC and subnet requirements".
var withoutEKS = []string{"use1-az3", "usw1-az2", "cac1-az3"}

var eksZones = engine.Rule{
	Name: "eks-zones", Says: "no cluster subnet lies in use1-az3, usw1-az2 or cac1-az3", Source: "EKS User Guide, \"VPC and subnet requirements\"",
	Judge: func(c *engine.Call) error {
		for z, id := range clusterZones(c) {
			if slices.Contains(withoutEKS, z.id) {
				return engine.Refuse("UnsupportedAvailabilityZoneException", "Cannot create cluster because %s (%s), the zone of %s, does not currently have sufficient capacity to support the cluster; use another zone", z.name, z.id, id)
			}
		}
		return nil
	},
}

var clusterRole = engine.Rule{
	Name: "cluster-role", Says: "the role trusts eks.amazonaws.com and carries AmazonEKSClusterPolicy", Source: "EKS User Guide, \"Amazon EKS cluster IAM role\"",
	Judge: func(c *engine.Call) error {
		r, _ := c.Resolve("roleArn")
		if !trusts(r, "eks.amazonaws.com", "sts:AssumeRole") {
			return engine.Refuse("InvalidParameterException", "Role with arn: %s could not be assumed because it does not exist or the trusted entity is not correct; let eks.amazonaws.com assume it", c.In.Str("roleArn"))
		}
		if !carries(c, r, "AmazonEKSClusterPolicy") {
			return engine.Refuse("InvalidParameterException", "The role %s has no AmazonEKSClusterPolicy; attach it, and let the cluster depend on the attachment", r.ID)
		}
		return nil
	},
}

var rangesApart = engine.Rule{
	Name: "ranges-apart", Says: "services, remote nodes and remote pods do not overlap the VPC or each other", Source: "EKS API, KubernetesNetworkConfigRequest and RemoteNetworkConfigRequest",
	Judge: func(c *engine.Call) error {
		vpc, _ := c.Get(vpcToken, vpcOf(c))
		texts := append([]string{vpc.In.Str("cidrBlock")}, c.In.Strs("kubernetesNetworkConfig.serviceIpv4Cidr")...)
		for _, path := range remotePaths {
			texts = append(texts, c.In.Strs(path)...)
		}
		for i, text := range texts {
			p, err := network(text)
			for _, before := range texts[:i] {
				if other, otherErr := network(before); err == nil && otherErr == nil && p.Overlaps(other) {
					return engine.Refuse("InvalidParameterException", "The network %s overlaps %s; services, remote nodes, remote pods and the VPC need networks of their own", p, other)
				}
			}
		}
		return nil
	},
}

package cluster

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// checkCluster judges the plain arguments of a Cluster.
func checkCluster(name string, args *ClusterArgs) error {
	check := argument.For(TypeCluster, name)
	if args == nil {
		check.Failf("args", "a cluster needs arguments, at least version, subnetIds and region")
		return check.Err()
	}
	// Source: EKS API Reference, CreateCluster, name.
	if !regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$`).MatchString(name) {
		check.Failf("name", "a cluster's name has up to 100 letters, digits, - and _, and starts with a letter or a digit")
	}
	checkVersion(check, args.Version)
	if args.SubnetIDs == nil {
		check.Failf("subnetIds", "they are not given: EKS wants subnets in two zones at least")
	}
	if args.Region == "" {
		check.Failf("region", "it is not given")
	}
	checkEndpoint(check, args)
	checkRemote(check, args)
	for i, principal := range args.AdminRoleARNs {
		if slices.Contains(args.AdminRoleARNs[:i], principal) {
			check.Failf("adminRoleArns", "%s is there twice", principal)
		}
		checkPrincipal(check, principal)
	}
	return check.Err()
}

func checkVersion(check *argument.Checker, version string) {
	if !regexp.MustCompile(`^1\.[1-9][0-9]*$`).MatchString(version) {
		check.Failf("version", "%q is not a Kubernetes version such as 1.35", version)
	}
}

// checkEndpoint wants the addresses that reach a public API server spelled out. The whole Internet is refused
// even if spelled out: credentials leak, and then the address is what is left to check.
func checkEndpoint(check *argument.Checker, args *ClusterArgs) {
	if args.PublicEndpoint && len(args.AllowedCIDRs) == 0 {
		check.Failf("allowedCidrs", "a public endpoint needs the blocks that may reach it, such as 203.0.113.0/24; without any, EKS would let everybody in")
	}
	for _, text := range args.AllowedCIDRs {
		block, err := netip.ParsePrefix(text)
		switch {
		case err != nil || !block.Addr().Is4():
			check.Failf("allowedCidrs", "%q is not an IPv4 block such as 203.0.113.0/24", text)
		case block.Bits() == 0:
			check.Failf("allowedCidrs", "%s is everybody: name the blocks of your offices, VPNs and build machines", text)
		case block != block.Masked():
			check.Failf("allowedCidrs", "%s has bits set beyond its prefix: its block is %s", text, block.Masked())
		}
	}
}

// checkRemote reports blocks that hybrid nodes cannot be in.
// Source: EKS User Guide, "Prepare networking for hybrid nodes": IPv4 blocks of RFC 1918 that do not overlap.
func checkRemote(check *argument.Checker, args *ClusterArgs) {
	if len(args.RemotePodCIDRs) > 0 && len(args.RemoteNodeCIDRs) == 0 {
		check.Failf("remoteNodeCidrs", "remotePodCidrs are given, and pods are on nodes: give the blocks of these too")
	}
	var blocks []netip.Prefix
	judge := func(argument string, texts []string) {
		for _, text := range texts {
			block, err := netip.ParsePrefix(text)
			switch {
			case err != nil || !block.Addr().Is4():
				check.Failf(argument, "%q is not an IPv4 block such as 10.80.0.0/16", text)
				continue
			case block != block.Masked():
				check.Failf(argument, "%s has bits set beyond its prefix: its block is %s", text, block.Masked())
			case !block.Addr().IsPrivate():
				check.Failf(argument, "%s is not private: the block must be in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16", text)
			}
			for _, other := range blocks {
				if block.Overlaps(other) {
					check.Failf(argument, "%s overlaps %s", text, other)
				}
			}
			blocks = append(blocks, block)
		}
	}
	judge("remoteNodeCidrs", args.RemoteNodeCIDRs)
	judge("remotePodCidrs", args.RemotePodCIDRs)
}

// principalARN matches the ARN of an IAM role or user: partition, account, resource.
const principalARN = `^arn:aws[a-z-]*:iam::([0-9]{12}):((?:role|user)/.+)$`

// checkPrincipal refuses what EKS does not take in an access entry. The ARN of a session, as
// `aws sts get-caller-identity` shows it, is the mistake that is made.
func checkPrincipal(check *argument.Checker, arn string) {
	switch {
	case strings.Contains(arn, ":assumed-role/"):
		check.Failf("adminRoleArns", "%s is a session: give the role behind it, arn:aws:iam::ACCOUNT:role/NAME", arn)
	case !regexp.MustCompile(principalARN).MatchString(arn):
		check.Failf("adminRoleArns", "%q is not the ARN of a role, such as arn:aws:iam::123456789012:role/admin", arn)
	}
}

// principalName makes a resource's name of a principal's ARN, one that stays when the list changes its order.
func principalName(arn string) string {
	parts := regexp.MustCompile(principalARN).FindStringSubmatch(arn)
	return parts[1] + "/" + parts[2]
}

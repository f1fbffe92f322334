package aws

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// nodeServices are the services that nodes without a way out reach by endpoints in their VPC, or never become ready.
// With pods that get their roles by Pod Identity, eks-auth is among them.
// Source: EKS User Guide, "Deploy private clusters with limited internet access".
var nodeServices = []string{"ec2", "ecr.api", "ecr.dkr", "s3", "sts"}

var nodesReachAWS = engine.Rule{
	Name: "nodes-reach-aws",
	Says: "desired nodes reach AWS from every subnet: by a NAT gateway, by public addresses, or by endpoints for " + strings.Join(nodeServices, ", ") +
		" (eks-auth too with Pod Identity) that let them in, and the cluster's private endpoint",
	Source: "EKS User Guide, \"Deploy private clusters with limited internet access\"; terraform-aws-eks#3533",
	Judge: func(c *engine.Call) error {
		if desired, _ := c.In.Int("scalingConfig.desiredSize"); desired == 0 {
			return nil
		}
		for _, id := range c.In.Strs("subnetIds[*]") {
			subnet, _ := c.Get(subnetToken, id)
			if err := wayOut(c, subnet); err != nil {
				return err
			}
		}
		return nil
	},
}

// wayOut says why nodes in a subnet would not reach AWS, or nothing.
func wayOut(c *engine.Call, subnet engine.Item) error {
	route, ok := defaultRoute(c, subnet)
	switch {
	case ok && !isInternet(route):
		return nil
	case ok && publicNodes(c, subnet):
		return nil
	case ok:
		return engine.Refuse("NodeCreationFailure", "Instances failed to join the kubernetes cluster: %s is public, and nodes in it get no public address. "+
			"With several interfaces they cannot have one: put the nodes into a private subnet behind a NAT gateway", subnet.ID)
	}
	var missing []string
	for _, service := range wantedServices(c) {
		if why := unreached(c, subnet, service); why != "" {
			missing = append(missing, why)
		}
	}
	cl, _ := c.Resolve("clusterName")
	if !cl.Out.Bool("vpcConfig.endpointPrivateAccess") {
		missing = append(missing, "the private endpoint of the cluster (endpointPrivateAccess)")
	}
	if len(missing) == 0 {
		return nil
	}
	return engine.Refuse("NodeCreationFailure", "Instances failed to join the kubernetes cluster: %s has no way out of the VPC. "+
		"Route 0.0.0.0/0 to a NAT gateway and let the node group depend on the route, or add %s", subnet.ID, strings.Join(missing, ", "))
}

// publicNodes says whether nodes of the group get public addresses in a public subnet.
func publicNodes(c *engine.Call, subnet engine.Item) bool {
	t, _ := templateOf(c, c.In)
	nics := interfacesOf(t.In)
	if len(nics) == 1 && nics[0].in.Has("associatePublicIpAddress") {
		return nics[0].in.Str("associatePublicIpAddress") == "true"
	}
	return len(nics) < 2 && subnet.In.Bool("mapPublicIpOnLaunch")
}

func wantedServices(c *engine.Call) []string {
	name := c.In.Str("clusterName")
	for _, p := range c.All(podIdentityAssociationToken) {
		if p.In.Str("clusterName") == name {
			return append([]string{"eks-auth"}, nodeServices...)
		}
	}
	for _, a := range c.All(addonToken) {
		if a.In.Str("clusterName") == name && a.In.Has("podIdentityAssociations[*]") {
			return append([]string{"eks-auth"}, nodeServices...)
		}
	}
	return nodeServices
}

// unreached says what keeps nodes in a subnet from a service, or nothing.
func unreached(c *engine.Call, subnet engine.Item, service string) string {
	name := partition(c.Region).reverseDNS + "." + c.Region + "." + service
	why := "an endpoint for " + service
	table, _ := tableOf(c, subnet.ID)
	for _, e := range c.All(vpcEndpointToken) {
		if e.In.Str("vpcId") != subnet.In.Str("vpcId") || e.In.Str("serviceName") != name {
			continue
		}
		switch {
		case e.Out.Str("vpcEndpointType") != "Interface":
			if table != "" && slices.Contains(e.In.Strs("routeTableIds[*]"), table) {
				return ""
			}
			why = "the subnet's route table to the gateway endpoint " + e.ID + " for " + service
		case service != "s3" && !e.In.Bool("privateDnsEnabled"):
			why = "private DNS to the endpoint " + e.ID + " for " + service
		case !letsIn(c, e, subnet):
			why = "a rule for HTTPS from " + subnet.In.Str("cidrBlock") + " to a security group of the endpoint " + e.ID + " for " + service
		default:
			return ""
		}
	}
	return why
}

// letsIn says whether a security group of an endpoint lets HTTPS in from a subnet or from the nodes' groups.
func letsIn(c *engine.Call, endpoint, subnet engine.Item) bool {
	for _, id := range endpoint.In.Strs("securityGroupIds[*]") {
		group, _ := c.Get(securityGroupToken, id)
		for _, r := range group.In.Blocks("ingress[*]") {
			if opens(c, subnet, r, "protocol", append(r.Strs("cidrBlocks[*]"), r.Strs("securityGroups[*]")...)) {
				return true
			}
		}
		for _, r := range c.All(ingressRuleToken) {
			if r.In.Str("securityGroupId") == id && opens(c, subnet, r.In, "ipProtocol", []string{r.In.Str("cidrIpv4"), r.In.Str("referencedSecurityGroupId")}) {
				return true
			}
		}
	}
	return false
}

// opens says whether a rule lets HTTPS in from a subnet, or from a group that the nodes carry.
func opens(c *engine.Call, subnet engine.Item, rule engine.Props, protocol string, peers []string) bool {
	from, _ := rule.Int("fromPort")
	to, _ := rule.Int("toPort")
	if p := rule.Str(protocol); p != "-1" && !(p == "tcp" && from <= 443 && 443 <= to) {
		return false
	}
	t, _ := templateOf(c, c.In)
	cl, _ := c.Resolve("clusterName")
	groups := append(t.In.Strs("vpcSecurityGroupIds[*]"), t.In.Strs("networkInterfaces[*].securityGroups[*]")...)
	if len(groups) == 0 {
		groups = cl.Out.Strs("vpcConfig.clusterSecurityGroupId")
	}
	mine, _ := network(subnet.In.Str("cidrBlock"))
	return slices.ContainsFunc(peers, func(peer string) bool {
		p, err := netip.ParsePrefix(peer)
		return slices.Contains(groups, peer) || err == nil && p.Bits() <= mine.Bits() && p.Contains(mine.Addr())
	})
}

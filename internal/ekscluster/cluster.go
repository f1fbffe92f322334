package ekscluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Cluster is an EKS cluster. The JSON names are those of the EKS API.
type Cluster struct {
	Name    string  `json:"name"`
	ARN     string  `json:"arn"`
	Version string  `json:"version"`
	Network Network `json:"resourcesVpcConfig"`

	// Groups are its node groups, Subnets those of its VPC.
	Groups  []NodeGroup `json:"-"`
	Subnets []Subnet    `json:"-"`
}

// Network is where a cluster is.
type Network struct {
	VPC           string   `json:"vpcId"`
	SecurityGroup string   `json:"clusterSecurityGroupId"`
	Subnets       []string `json:"subnetIds"`
}

// NodeGroup is a managed node group.
type NodeGroup struct {
	Name    string   `json:"nodegroupName"`
	Role    string   `json:"nodeRole"`
	Subnets []string `json:"subnets"`
}

// Subnet is a subnet of the cluster's VPC. The JSON names are those of the EC2 API.
type Subnet struct {
	ID     string `json:"SubnetId"`
	ZoneID string `json:"AvailabilityZoneId"`
	// Public says that instances in it get a public address.
	Public bool `json:"MapPublicIpOnLaunch"`
}

// Region is the region of the cluster, as its ARN says.
func (c *Cluster) Region() string {
	parts := strings.Split(c.ARN, ":")
	if len(parts) < 6 {
		return ""
	}
	return parts[3]
}

// NodeRole is the role of the first of its node groups, "" if it has none.
func (c *Cluster) NodeRole() string {
	if len(c.Groups) == 0 {
		return ""
	}
	return c.Groups[0].Role
}

// Private returns the subnets that nodes can be put into, those first that nodes are in already: they have a way to AWS.
func (c *Cluster) Private() []Subnet {
	private := slices.DeleteFunc(slices.Clone(c.Subnets), func(s Subnet) bool { return s.Public })
	slices.SortStableFunc(private, func(a, b Subnet) int { return c.strange(a) - c.strange(b) })
	return private
}

// strange is how far a subnet is from the cluster's nodes: 0 if they are in it, 1 if the control plane is, and 2 otherwise.
func (c *Cluster) strange(s Subnet) int {
	inGroup := func(g NodeGroup) bool { return slices.Contains(g.Subnets, s.ID) }
	switch {
	case slices.ContainsFunc(c.Groups, inGroup):
		return 0
	case slices.Contains(c.Network.Subnets, s.ID):
		return 1
	default:
		return 2
	}
}

// Read reads the answers of `aws eks describe-cluster`, `aws eks describe-nodegroup` and `aws ec2 describe-subnets`, one
// after the other in any order.
func Read(r io.Reader) (*Cluster, error) {
	var c *Cluster
	var groups []NodeGroup
	var subnets []Subnet
	for decoder := json.NewDecoder(r); ; {
		var answer struct {
			Cluster   *Cluster   `json:"cluster"`
			NodeGroup *NodeGroup `json:"nodegroup"`
			Subnets   []Subnet   `json:"Subnets"`
		}
		err := decoder.Decode(&answer)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("this is no answer of the AWS command line: %w", err)
		}
		if answer.Cluster != nil {
			c = answer.Cluster
		}
		if answer.NodeGroup != nil {
			groups = append(groups, *answer.NodeGroup)
		}
		subnets = append(subnets, answer.Subnets...)
	}
	if c == nil {
		return nil, errors.New("the answer of `aws eks describe-cluster --name NAME` is missing")
	}
	c.Groups, c.Subnets = groups, subnets
	return c, c.check()
}

// check refuses a cluster that lacks what every cluster has.
func (c *Cluster) check() error {
	switch {
	case c.Name == "" || c.Version == "" || c.Region() == "" || c.Network.VPC == "" || c.Network.SecurityGroup == "":
		return fmt.Errorf("the description of the cluster %q lacks its arn, version, vpcId or clusterSecurityGroupId", c.Name)
	case len(c.Subnets) == 0:
		return fmt.Errorf("the subnets are missing: `aws ec2 describe-subnets --filters Name=vpc-id,Values=%s` lists them", c.Network.VPC)
	}
	return nil
}

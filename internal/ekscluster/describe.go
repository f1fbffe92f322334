package ekscluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	ekstypes "github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// NoClusterError says that a region has no cluster of a name.
type NoClusterError struct {
	Name, Region string
	// Known are the clusters that it has.
	Known []string
}

// Error implements error.
func (e *NoClusterError) Error() string {
	return fmt.Sprintf("there is no EKS cluster %q in %s", e.Name, e.Region)
}

// Describe asks AWS about a cluster, with the credentials and the region of cfg.
func Describe(ctx context.Context, cfg aws.Config, name string) (*Cluster, error) {
	client := eks.NewFromConfig(cfg)
	answer, err := client.DescribeCluster(ctx, &eks.DescribeClusterInput{Name: &name})
	var missing *ekstypes.ResourceNotFoundException
	if errors.As(err, &missing) {
		return nil, noCluster(ctx, client, name, cfg.Region)
	}
	if err != nil {
		return nil, fmt.Errorf("asking EKS about the cluster %s: %w", name, err)
	}
	c := &Cluster{Name: name, ARN: aws.ToString(answer.Cluster.Arn), Version: aws.ToString(answer.Cluster.Version)}
	if vpc := answer.Cluster.ResourcesVpcConfig; vpc != nil {
		c.Network = Network{VPC: aws.ToString(vpc.VpcId), SecurityGroup: aws.ToString(vpc.ClusterSecurityGroupId), Subnets: vpc.SubnetIds}
	}
	if c.Groups, err = groups(ctx, client, name); err != nil {
		return nil, err
	}
	if c.Subnets, err = subnets(ctx, ec2.NewFromConfig(cfg), c.Network.VPC); err != nil {
		return nil, err
	}
	return c, c.check()
}

func noCluster(ctx context.Context, client *eks.Client, name, region string) error {
	missing := &NoClusterError{Name: name, Region: region}
	if answer, err := client.ListClusters(ctx, &eks.ListClustersInput{}); err == nil { // what is near is a help, no more
		missing.Known = answer.Clusters
	}
	return missing
}

// groups describes the managed node groups of a cluster.
func groups(ctx context.Context, client *eks.Client, cluster string) ([]NodeGroup, error) {
	var all []NodeGroup
	pages := eks.NewListNodegroupsPaginator(client, &eks.ListNodegroupsInput{ClusterName: &cluster})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("asking EKS for the node groups of %s: %w", cluster, err)
		}
		for _, name := range page.Nodegroups {
			answer, err := client.DescribeNodegroup(ctx, &eks.DescribeNodegroupInput{ClusterName: &cluster, NodegroupName: &name})
			if err != nil {
				return nil, fmt.Errorf("asking EKS about the node group %s: %w", name, err)
			}
			all = append(all, NodeGroup{name, aws.ToString(answer.Nodegroup.NodeRole), answer.Nodegroup.Subnets})
		}
	}
	return all, nil
}

// subnets describes the subnets of a VPC.
func subnets(ctx context.Context, client *ec2.Client, vpc string) ([]Subnet, error) {
	var all []Subnet
	pages := ec2.NewDescribeSubnetsPaginator(client, &ec2.DescribeSubnetsInput{
		Filters: []ec2types.Filter{{Name: aws.String("vpc-id"), Values: []string{vpc}}},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("asking EC2 for the subnets of %s: %w", vpc, err)
		}
		for _, s := range page.Subnets {
			all = append(all, Subnet{aws.ToString(s.SubnetId), aws.ToString(s.AvailabilityZoneId), aws.ToBool(s.MapPublicIpOnLaunch)})
		}
	}
	return all, nil
}

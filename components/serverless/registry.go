package serverless

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ecr"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeRegistry is the type token of Registry.
const TypeRegistry = "gpuyard:serverless:Registry"

// RegistryArgs describes what is set for the registry as a whole, which an account has one of in each Region.
type RegistryArgs struct {
	// PullThrough keeps the images of other registries when they are pulled.
	PullThrough []PullThrough `pulumi:"pullThrough,optional"`
	// ReplicateTo are Regions that the repositories below Prefix are copied to. The setting is one for the whole
	// registry: whatever was set before is replaced.
	ReplicateTo []string `pulumi:"replicateTo,optional"`
	Prefix      string   `pulumi:"prefix,optional"`
}

// PullThrough keeps the images of another registry when they are pulled through this one. Lambda needs an image to be
// there: this is for base images in builds.
type PullThrough struct {
	Prefix   string `pulumi:"prefix"`
	Upstream string `pulumi:"upstream"`
	// CredentialARN is a secret whose name begins with ecr-pullthroughcache/; empty for registries that ask for none.
	CredentialARN string `pulumi:"credentialArn,optional"`
}

// Registry is what is set for a registry as a whole.
type Registry struct {
	pulumi.ResourceState
}

// NewRegistry registers a Registry.
func NewRegistry(ctx *pulumi.Context, name string, args *RegistryArgs, opts ...pulumi.ResourceOption) (*Registry, error) {
	check := argument.For(TypeRegistry, name)
	switch {
	case args == nil:
		check.Failf("args", "they are not given")
	case len(args.ReplicateTo) > 0 && args.Prefix == "":
		check.Failf("prefix", "it is not given: every repository of the account would be copied")
	}
	if err := check.Err(); err != nil {
		return nil, err
	}
	c := &Registry{}
	inputs := pulumi.Map{"replicateTo": pulumi.ToStringArray(args.ReplicateTo), "prefix": pulumi.String(args.Prefix)}
	if err := ctx.RegisterComponentResourceV2(TypeRegistry, name, inputs, c, opts...); err != nil {
		return nil, err
	}
	for _, p := range args.PullThrough {
		rule := &ecr.PullThroughCacheRuleArgs{EcrRepositoryPrefix: pulumi.String(p.Prefix), UpstreamRegistryUrl: pulumi.String(p.Upstream)}
		if p.CredentialARN != "" {
			rule.CredentialArn = pulumi.String(p.CredentialARN)
		}
		if _, err := ecr.NewPullThroughCacheRule(ctx, name+"-"+p.Prefix, rule, pulumi.Parent(c)); err != nil {
			return nil, err
		}
	}
	if err := replicate(ctx, name, args, pulumi.Parent(c)); err != nil {
		return nil, err
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{})
}

func replicate(ctx *pulumi.Context, name string, args *RegistryArgs, parent pulumi.ResourceOrInvokeOption) error {
	if len(args.ReplicateTo) == 0 {
		return nil
	}
	me, err := aws.GetCallerIdentity(ctx, nil, parent)
	if err != nil {
		return err
	}
	var destinations ecr.ReplicationConfigurationReplicationConfigurationRuleDestinationArray
	for _, region := range args.ReplicateTo {
		destinations = append(destinations, &ecr.ReplicationConfigurationReplicationConfigurationRuleDestinationArgs{
			Region: pulumi.String(region), RegistryId: pulumi.String(me.AccountId),
		})
	}
	_, err = ecr.NewReplicationConfiguration(ctx, name, &ecr.ReplicationConfigurationArgs{
		ReplicationConfiguration: &ecr.ReplicationConfigurationReplicationConfigurationArgs{
			Rules: ecr.ReplicationConfigurationReplicationConfigurationRuleArray{
				&ecr.ReplicationConfigurationReplicationConfigurationRuleArgs{
					Destinations: destinations,
					RepositoryFilters: ecr.ReplicationConfigurationReplicationConfigurationRuleRepositoryFilterArray{
						&ecr.ReplicationConfigurationReplicationConfigurationRuleRepositoryFilterArgs{
							Filter: pulumi.String(args.Prefix), FilterType: pulumi.String("PREFIX_MATCH"),
						},
					},
				},
			},
		},
	}, parent)
	return err
}

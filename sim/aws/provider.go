package aws

import (
	"slices"
	"strings"

	sdk "github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
)

// Provider returns the aws provider of an account.
func Provider(a Account) *engine.Provider {
	return &engine.Provider{
		Name: "aws",
		Version: engine.SDKVersion(func(ctx *pulumi.Context) error {
			_, err := sdk.NewProvider(ctx, "version", &sdk.ProviderArgs{})
			return err
		}),
		Config:    sdk.ProviderArgs{},
		Catalog:   a.offers(),
		Notice:    "gpuyard embedded cloud: a simulation of AWS account " + engine.Account + "; nothing real is made or paid for",
		Configure: a.configure,
		Instance:  func(cfg engine.Props) string { return cfg.Str("region") },
		Regional:  true,
		Replace:   []string{"region"},
		Throttled: throttled,
		Finish:    tagsAll,
		Resources: judged([]*engine.Resource{
			vpc(a),
			subnet(a),
			internetGateway(a),
			natGateway(a),
			eip(a),
			routeTable(a),
			route(a),
			routeTableAssociation(),
			vpcEndpoint(a),
			flowLog(a),
			securityGroup(a),
			defaultSecurityGroup(),
			securityGroupIngressRule(a),
			securityGroupEgressRule(a),
			placementGroup(a),
			launchTemplate(a),
			role(),
			rolePolicy(),
			rolePolicyAttachment(a),
			policy(),
			openIDConnectProvider(),
			key(),
			alias(),
			logGroup(),
			cluster(a),
			nodeGroup(a),
			schedule(a),
			resourceGroup(a),
			groupMember(a),
			activation(),
			addon(),
			accessEntry(),
			accessPolicyAssociation(),
			podIdentityAssociation(),
			bucket(),
			directoryBucket(),
			bucketAccessBlock(),
			bucketOwnership(),
			bucketVersioning(),
			bucketEncryption(),
			bucketPolicy(),
			bucketLifecycle(),
			lustreFileSystem(),
			dataRepositoryAssociation(),
			repository(),
			lifecyclePolicy(),
			pullThroughCacheRule(),
			replicationConfiguration(),
			queue(),
			fileSystem(),
			mountTarget(),
			accessPoint(),
			function(a),
			lambdaAlias(),
			provisionedConcurrency(),
			eventSourceMapping(),
			functionURL(),
			eventInvokeConfig(),
			scalableTarget(),
			scalingPolicy(),
			scheduledAction(),
			topic(),
			topicSubscription(),
			metricAlarm(),
		}),
		Functions: []*engine.Function{
			getPartition(),
			getRegion(),
			getCallerIdentity(),
			getAvailabilityZones(),
			getInstanceTypeOfferings(),
			getParameter(),
			getAddonVersion(),
			getImage(),
			getAuthorizationToken(),
			getFunction(),
		},
	}
}

// throttled returns how a service refuses too many requests.
// Source: EC2 API, "Request throttling"; IAM API, "Common Errors"; EKS API, "Common Errors".
func throttled(token string) string {
	switch service, _, _ := strings.Cut(strings.TrimPrefix(token, "aws:"), "/"); service {
	case "ec2", "vpc":
		return "RequestLimitExceeded: Request limit exceeded."
	case "s3":
		return "SlowDown: Please reduce your request rate."
	case "iam", "autoscaling":
		return "Throttling: Rate exceeded"
	default:
		return "ThrottlingException: Rate exceeded"
	}
}

// configure wants a region that the catalog knows: where it knows no zones and no offerings, nothing can be judged.
func (a Account) configure(cfg engine.Props) error {
	region := cfg.Str("region")
	if cfg.Unknown("region") {
		return nil
	}
	if region == "" {
		return engine.Invalid("region", "missing: set aws:region, or give the provider a region")
	}
	known := a.offers().Regions()
	if !slices.Contains(known, region) {
		near := catalog.Near(region, known)
		if len(near) == 0 {
			near = known
		}
		return engine.Invalid("region", "got %q, which the embedded cloud does not know; wanted one of %s", region, strings.Join(near, ", "))
	}
	return nil
}

// judged adds the rules that every resource type is under.
func judged(resources []*engine.Resource) []*engine.Resource {
	for _, r := range resources {
		if schema.Of(r.Args).Field("tags") != nil {
			r.Plan = append(r.Plan, legalTags)
		}
		if r.AutoName != nil {
			r.Plan = append(r.Plan, nameLength(*r.AutoName))
		}
	}
	return resources
}

// tagsAll fills in the tags of a resource together with the provider's defaultTags, which the resource's own override.
// Source: AWS provider, "default_tags".
func tagsAll(c *engine.Call, out resource.PropertyMap) {
	if _, ok := out["tagsAll"]; !ok {
		return
	}
	all := resource.PropertyMap{}
	for _, block := range c.Config.Blocks("defaultTags.tags") {
		for k, v := range block {
			all[k] = v
		}
	}
	tags := out["tags"]
	if schema.IsUnknown(schema.Plain(tags)) {
		out["tagsAll"] = schema.NewUnknown()
		return
	}
	if plain := schema.Plain(tags); plain.IsObject() {
		for k, v := range plain.ObjectValue() {
			all[k] = v
		}
	}
	out["tagsAll"] = resource.NewProperty(all)
}

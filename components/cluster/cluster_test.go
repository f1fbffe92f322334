package cluster_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/cluster"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Type tokens of the resources that tests look at.
const (
	tokenCluster    = "aws:eks/cluster:Cluster"
	tokenAddon      = "aws:eks/addon:Addon"
	tokenEntry      = "aws:eks/accessEntry:AccessEntry"
	tokenLogGroup   = "aws:cloudwatch/logGroup:LogGroup"
	tokenAttachment = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
	tokenRole       = "aws:iam/role:Role"
)

// world answers for one AWS partition.
func world(partition, dnsSuffix string) pulumitest.Options {
	text := func(format string, args ...any) resource.PropertyValue {
		return resource.NewProperty(fmt.Sprintf(format, args...))
	}
	list := func(item resource.PropertyMap) resource.PropertyValue {
		return resource.NewProperty([]resource.PropertyValue{resource.NewProperty(item)})
	}
	return pulumitest.Options{
		Calls: map[string]pulumitest.CallFunc{
			"aws:index/getPartition:getPartition": func(resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"partition": text("%s", partition), "id": text("%s", partition), "dnsSuffix": text("%s", dnsSuffix)}, nil
			},
			"aws:eks/getAddonVersion:getAddonVersion": func(args resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{
					"version": text("default of %s for %s", args["addonName"].StringValue(), args["kubernetesVersion"].StringValue()),
				}, nil
			},
		},
		Outputs: map[string]pulumitest.OutputFunc{
			tokenCluster: func(name string, _ resource.PropertyMap) resource.PropertyMap {
				return resource.PropertyMap{
					"endpoint":                text("https://API.gr7.us-west-2.eks.amazonaws.com"),
					"certificateAuthority":    resource.NewProperty(resource.PropertyMap{"data": text("Q0E=")}),
					"vpcConfig":               resource.NewProperty(resource.PropertyMap{"clusterSecurityGroupId": text("sg-cluster")}),
					"kubernetesNetworkConfig": resource.NewProperty(resource.PropertyMap{"serviceIpv4Cidr": text("172.20.0.0/16")}),
					"identities": list(resource.PropertyMap{"oidcs": list(resource.PropertyMap{
						"issuer": text("https://oidc.eks.us-west-2.amazonaws.com/id/ABC"),
					})}),
				}
			},
			"aws:kms/key:Key": func(name string, _ resource.PropertyMap) resource.PropertyMap {
				return resource.PropertyMap{"keyId": text("${Key %s.keyId}", name)}
			},
		},
	}
}

func commercial() pulumitest.Options { return world("aws", "amazonaws.com") }

func clusterArgs(change func(*cluster.ClusterArgs)) *cluster.ClusterArgs {
	args := &cluster.ClusterArgs{
		Version: "1.35", Region: "us-west-2",
		SubnetIDs: pulumi.ToStringArray([]string{"subnet-a", "subnet-b"}),
	}
	if change != nil {
		change(args)
	}
	return args
}

func publicWithAdmins(a *cluster.ClusterArgs) {
	a.PublicEndpoint, a.AllowedCIDRs = true, []string{"203.0.113.0/24", "198.51.100.7/32"}
	a.AdminRoleARNs = []string{"arn:aws:iam::123456789012:role/ops", "arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/Admin"}
	a.Tags = map[string]string{"team": "vision"}
}

// runCluster registers a cluster named prod and gives it back with its graph.
func runCluster(t *testing.T, args *cluster.ClusterArgs, opts pulumitest.Options) (*cluster.Cluster, *pulumitest.Graph) {
	t.Helper()
	var c *cluster.Cluster
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) (err error) {
		c, err = cluster.New(ctx, "prod", args)
		return err
	}, opts)
	return c, graph
}

func TestClusterGraph(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*cluster.ClusterArgs){"private": nil, "public": publicWithAdmins} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, graph := runCluster(t, clusterArgs(change), commercial())
			pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, c), filepath.Join("testdata", "cluster-"+name+".golden"))
		})
	}
}

func TestClusterPreview(t *testing.T) {
	t.Parallel()
	opts := commercial()
	opts.Preview = true
	c, graph := runCluster(t, clusterArgs(nil), opts)
	if got := graph.Get(t, tokenAddon, "prod-vpc-cni").Inputs; got["addonVersion"].StringValue() != "default of vpc-cni for 1.35" ||
		!got["serviceAccountRoleArn"].IsComputed() {
		t.Errorf("a preview shows the add-on as %v", got)
	}
	if name := pulumitest.Await(t, c.Name); name.Value != "prod" {
		t.Errorf("a preview knows the name as %v", name)
	}
	if config := pulumitest.Await(t, c.Kubeconfig); config.Known || !config.Secret {
		t.Errorf("a preview knows the kubeconfig as %v", config)
	}
}

// TestEndpointIsPublicOnlyForNamedAddresses holds what the API server's endpoint may be.
func TestEndpointIsPublicOnlyForNamedAddresses(t *testing.T) {
	t.Parallel()
	_, private := runCluster(t, clusterArgs(func(a *cluster.ClusterArgs) { a.AllowedCIDRs = []string{"203.0.113.0/24"} }), commercial())
	config := private.Get(t, tokenCluster, "prod").Inputs["vpcConfig"].ObjectValue()
	if config["endpointPublicAccess"].BoolValue() || !config["endpointPrivateAccess"].BoolValue() || config.HasValue("publicAccessCidrs") {
		t.Errorf("a private cluster has %v", config)
	}
	_, public := runCluster(t, clusterArgs(publicWithAdmins), commercial())
	config = public.Get(t, tokenCluster, "prod").Inputs["vpcConfig"].ObjectValue()
	if !config["endpointPublicAccess"].BoolValue() || !config["endpointPrivateAccess"].BoolValue() || len(config["publicAccessCidrs"].ArrayValue()) != 2 {
		t.Errorf("a public cluster has %v", config)
	}
}

// TestLogGroupComesBeforeTheCluster holds the order that keeps EKS from making the group itself.
func TestLogGroupComesBeforeTheCluster(t *testing.T) {
	t.Parallel()
	_, graph := runCluster(t, clusterArgs(nil), commercial())
	logs := graph.Get(t, tokenLogGroup, "prod-logs").Inputs
	if logs["name"].StringValue() != "/aws/eks/prod/cluster" || logs["retentionInDays"].NumberValue() != 90 {
		t.Errorf("the log group is %v", logs)
	}
	if waits := graph.Get(t, tokenCluster, "prod").Dependencies; !slices.Contains(waits, tokenLogGroup+" prod-logs") {
		t.Errorf("the cluster waits for %v only", waits)
	}
}

// TestClusterIsNeverDeletedToBeReplaced holds the option that takes precedence over the provider, which asks for
// deletion first where a name is given.
func TestClusterIsNeverDeletedToBeReplaced(t *testing.T) {
	t.Parallel()
	_, graph := runCluster(t, clusterArgs(nil), commercial())
	if opts := graph.Get(t, tokenCluster, "prod").Options; !slices.Contains(opts, "deleteBeforeReplace: false") {
		t.Errorf("the options of the cluster are %v", opts)
	}
}

// TestNodeRoleHasNoSayOverInterfaces keeps the CNI's permissions out of the role that all pods of a node reach.
func TestNodeRoleHasNoSayOverInterfaces(t *testing.T) {
	t.Parallel()
	_, graph := runCluster(t, clusterArgs(nil), commercial())
	policies := map[string][]string{}
	for _, a := range graph.OfType(tokenAttachment) {
		role := a.Inputs["role"].StringValue()
		policies[role] = append(policies[role], strings.TrimPrefix(a.Inputs["policyArn"].StringValue(), "arn:aws:iam::aws:policy/"))
	}
	want := []string{"AmazonEC2ContainerRegistryPullOnly", "AmazonEKSWorkerNodePolicy", "AmazonSSMManagedInstanceCore"}
	if got := slices.Sorted(slices.Values(policies["${Role prod-node.name}"])); !slices.Equal(got, want) {
		t.Errorf("the node role has %v, want %v", got, want)
	}
	if got := policies["${Role prod-vpc-cni.name}"]; !slices.Equal(got, []string{"AmazonEKS_CNI_Policy"}) {
		t.Errorf("the CNI's role has %v", got)
	}
}

// TestNodesWaitForTheirPoliciesAndAddons looks at a user of the node role, as a node group is.
func TestNodesWaitForTheirPoliciesAndAddons(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		c, err := cluster.New(ctx, "prod", clusterArgs(nil))
		if err != nil {
			return err
		}
		group := &struct{ pulumi.CustomResourceState }{}
		return ctx.RegisterResource("test:index:Group", "group", pulumi.Map{"role": c.NodeRoleARN}, group)
	}, commercial())
	group := graph.Get(t, "test:index:Group", "group")
	for _, want := range []string{
		tokenAttachment + " prod-node-AmazonEKSWorkerNodePolicy",
		tokenAttachment + " prod-node-AmazonEC2ContainerRegistryPullOnly",
		tokenAttachment + " prod-node-AmazonSSMManagedInstanceCore",
		tokenAddon + " prod-vpc-cni", tokenAddon + " prod-kube-proxy", tokenAddon + " prod-eks-pod-identity-agent",
	} {
		if !slices.Contains(group.Dependencies, want) {
			t.Errorf("nodes do not wait for %s", want)
		}
	}
	if got := group.Inputs["role"].StringValue(); got != "${Role prod-node.arn}" {
		t.Errorf("nodes get the role %s", got)
	}
}

// TestCNIDoesNotNeedThePodIdentityAgent is what was reported to amazon-vpc-cni-k8s: a CNI that gets its role by
// Pod Identity crashes on every node until the agent is there.
func TestCNIDoesNotNeedThePodIdentityAgent(t *testing.T) {
	t.Parallel()
	_, graph := runCluster(t, clusterArgs(nil), commercial())
	cni := graph.Get(t, tokenAddon, "prod-vpc-cni").Inputs
	if cni.HasValue("podIdentityAssociations") || cni["serviceAccountRoleArn"].StringValue() != "${Role prod-vpc-cni.arn}" {
		t.Errorf("the CNI is installed with %v", cni)
	}
	trust := graph.Get(t, tokenRole, "prod-vpc-cni").Inputs["assumeRolePolicy"].StringValue()
	for _, part := range []string{"system:serviceaccount:kube-system:aws-node", "oidc.eks.us-west-2.amazonaws.com/id/ABC:sub", "${OpenIdConnectProvider prod-oidc.arn}"} {
		if !strings.Contains(trust, part) {
			t.Errorf("the CNI's role trusts %s, which lacks %q", trust, part)
		}
	}
}

// TestOtherPartitions holds the names that differ in China and in GovCloud.
func TestOtherPartitions(t *testing.T) {
	t.Parallel()
	for partition, dnsSuffix := range map[string]string{"aws-cn": "amazonaws.com.cn", "aws-us-gov": "amazonaws.com"} {
		t.Run(partition, func(t *testing.T) {
			t.Parallel()
			_, graph := runCluster(t, clusterArgs(func(a *cluster.ClusterArgs) {
				a.AdminRoleARNs = []string{"arn:" + partition + ":iam::123456789012:role/ops"}
			}), world(partition, dnsSuffix))
			if text := graph.String(); strings.Contains(text, "arn:aws:") {
				t.Errorf("an ARN of the commercial partition is in\n%s", text)
			}
			if trust := graph.Get(t, tokenRole, "prod-node").Inputs["assumeRolePolicy"].StringValue(); !strings.Contains(trust, `"ec2.`+dnsSuffix+`"`) {
				t.Errorf("the node role trusts %s", trust)
			}
		})
	}
}

// TestEverythingGoesThroughTheComponentsProvider matters where a program makes clusters in two Regions.
func TestEverythingGoesThroughTheComponentsProvider(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		west, err := aws.NewProvider(ctx, "west", &aws.ProviderArgs{Region: pulumi.String("us-west-2")})
		if err != nil {
			return err
		}
		c, err := cluster.New(ctx, "prod", clusterArgs(publicWithAdmins), pulumi.Provider(west))
		if err != nil {
			return err
		}
		_, err = cluster.NewAddons(ctx, "prod", &cluster.AddonsArgs{ClusterName: c.Name, Version: "1.35"}, pulumi.Provider(west))
		return err
	}, commercial())
	for _, r := range graph.Resources {
		if r.Custom && r.Type != "pulumi:providers:aws" && r.Provider != "west" {
			t.Errorf("%s %s goes through the provider %q", r.Type, r.Name, r.Provider)
		}
	}
	if len(graph.Calls) != 7 {
		t.Errorf("%d invokes, want two partitions and five add-ons", len(graph.Calls))
	}
	for _, call := range graph.Calls {
		if call.Provider != "west" {
			t.Errorf("%s goes through the provider %q", call.Token, call.Provider)
		}
	}
}

func TestAccessEntriesKeepTheirNamesWhenTheListChanges(t *testing.T) {
	t.Parallel()
	_, before := runCluster(t, clusterArgs(publicWithAdmins), commercial())
	_, after := runCluster(t, clusterArgs(func(a *cluster.ClusterArgs) {
		publicWithAdmins(a)
		slices.Reverse(a.AdminRoleARNs)
	}), commercial())
	if n := len(before.OfType(tokenEntry)); n != 2 {
		t.Fatalf("%d access entries, want 2", n)
	}
	for _, entry := range before.OfType(tokenEntry) {
		if same := after.Get(t, tokenEntry, entry.Name); !entry.Inputs.DeepEquals(same.Inputs) {
			t.Errorf("%s changes from %v to %v", entry.Name, entry.Inputs, same.Inputs)
		}
	}
}

func TestClusterRefusesArguments(t *testing.T) {
	t.Parallel()
	set := func(change func(*cluster.ClusterArgs)) *cluster.ClusterArgs { return clusterArgs(change) }
	for name, tt := range map[string]struct {
		args *cluster.ClusterArgs
		want []string
	}{
		"nothing": {nil, []string{"args: a cluster needs arguments"}},
		"everything at once": {&cluster.ClusterArgs{}, []string{
			`version: "" is not a Kubernetes version`, "subnetIds: they are not given", "region: it is not given",
		}},
		"patch version": {set(func(a *cluster.ClusterArgs) { a.Version = "1.35.2" }), []string{`version: "1.35.2"`}},
		"public for nobody": {set(func(a *cluster.ClusterArgs) { a.PublicEndpoint = true }),
			[]string{"allowedCidrs: a public endpoint needs the blocks that may reach it"}},
		"public for everybody": {set(func(a *cluster.ClusterArgs) { a.PublicEndpoint, a.AllowedCIDRs = true, []string{"0.0.0.0/0"} }),
			[]string{"allowedCidrs: 0.0.0.0/0 is everybody"}},
		"no block": {set(func(a *cluster.ClusterArgs) { a.PublicEndpoint, a.AllowedCIDRs = true, []string{"office", "::/0"} }),
			[]string{`"office" is not an IPv4 block`, `"::/0" is not an IPv4 block`}},
		"host bits": {set(func(a *cluster.ClusterArgs) { a.PublicEndpoint, a.AllowedCIDRs = true, []string{"203.0.113.9/24"} }),
			[]string{"its block is 203.0.113.0/24"}},
		"session": {set(func(a *cluster.ClusterArgs) {
			a.AdminRoleARNs = []string{"arn:aws:sts::123456789012:assumed-role/ops/me"}
		}), []string{"adminRoleArns: ", "is a session: give the role behind it"}},
		"no ARN": {set(func(a *cluster.ClusterArgs) { a.AdminRoleARNs = []string{"ops"} }), []string{`"ops" is not the ARN of a role`}},
		"twice": {set(func(a *cluster.ClusterArgs) {
			a.AdminRoleARNs = []string{"arn:aws:iam::123456789012:role/ops", "arn:aws:iam::123456789012:role/ops"}
		}), []string{"arn:aws:iam::123456789012:role/ops is there twice"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := cluster.New(ctx, "prod", tt.args)
				return err
			}, commercial())
			wantRefusal(t, graph, err, tt.want)
		})
	}
}

func TestClusterRefusesNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"-prod", "my cluster", "prod.eu", strings.Repeat("x", 101)} {
		graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
			_, err := cluster.New(ctx, name, clusterArgs(nil))
			return err
		}, commercial())
		wantRefusal(t, graph, err, []string{"name: a cluster's name has up to 100 letters"})
	}
}

// wantRefusal checks that a component said what is wrong, registered nothing and asked nobody.
func wantRefusal(t *testing.T, graph *pulumitest.Graph, err error, parts []string) {
	t.Helper()
	var argument *cluster.ArgumentError
	if !errors.As(err, &argument) {
		t.Fatalf("got %v, want an *ArgumentError", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got\n%v\nwant it to say %q", err, part)
		}
	}
	if len(graph.Resources)+len(graph.Calls) > 0 {
		t.Errorf("registered\n%s", graph)
	}
}

package aws

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const clusterToken = "aws:eks/cluster:Cluster"

func cluster(a Account) *engine.Resource {
	const source = "EKS API, CreateCluster"
	return &engine.Resource{
		Token: clusterToken, Args: eks.ClusterArgs{}, State: eks.Cluster{},
		Replace: []string{
			"name", "roleArn", "bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions",
			"kubernetesNetworkConfig.ipFamily", "kubernetesNetworkConfig.serviceIpv4Cidr", "outpostConfig", "encryptionConfig.provider",
		},
		AutoName: &engine.AutoName{Property: "name", Max: 100},
		Fills: []string{
			"vpcConfig.clusterSecurityGroupId", "vpcConfig.vpcId", "accessConfig.authenticationMode",
			"kubernetesNetworkConfig.ipFamily", "kubernetesNetworkConfig.serviceIpv4Cidr",
		},
		Refs: []engine.Ref{
			{Path: "roleArn", To: roleToken, By: []string{"arn"}, Code: "InvalidParameterException"},
			{Path: "vpcConfig.subnetIds[*]", To: subnetToken, By: byID, Code: "InvalidParameterException", Holds: true},
			{Path: "vpcConfig.securityGroupIds[*]", To: securityGroupToken, By: byID, Code: "InvalidParameterException", Holds: true},
			{Path: "encryptionConfig.provider.keyArn", To: keyToken, By: []string{"arn"}, Code: "InvalidParameterException"},
		},
		Plan: []engine.Rule{
			shape("name", "begins with a letter or digit and holds letters, digits, - and _ only", source, regexp.MustCompile(`^[0-9A-Za-z][A-Za-z0-9_-]*$`)),
			oneOf("enabledClusterLogTypes[*]", source, "api", "audit", "authenticator", "controllerManager", "scheduler"),
			oneOf("accessConfig.authenticationMode", source, "API", "API_AND_CONFIG_MAP", "CONFIG_MAP"),
			oneOf("encryptionConfig.resources[*]", source, "secrets"),
			oneOf("upgradePolicy.supportType", source, "STANDARD", "EXTENDED"),
			oneOf("kubernetesNetworkConfig.ipFamily", source, "ipv4", "ipv6"),
			cidrs("vpcConfig.publicAccessCidrs[*]"),
			someEndpoint, publicCIDRs, privateRanges, remoteNetworks,
		},
		Apply: []engine.Rule{
			versionSupported, versionStep, twoZones, oneVPC, eksZones, clusterRole, rangesApart,
			a.perRegion("clusters", clusterToken, "ResourceLimitExceededException"),
		},
		Create: createCluster,
		Update: func(c *engine.Call) (engine.Outputs, error) {
			return engine.Outputs{"vpcConfig": vpcConfig(c, c.Was.Str("vpcConfig.clusterSecurityGroupId"), c.Was.Str("vpcConfig.vpcId"))}, nil
		},
	}
}

func createCluster(c *engine.Call) (string, engine.Outputs, error) {
	name := c.In.Str("name")
	if _, taken := c.Get(clusterToken, name); taken {
		return "", nil, engine.Refuse("ResourceInUseException", "Cluster already exists with name: %s", name)
	}
	group, err := c.NewID("sg-")
	if err != nil {
		return "", nil, err
	}
	h, err := c.NewHex("cluster")
	if err != nil {
		return "", nil, err
	}
	vpc := vpcOf(c)
	err = makeGroup(c, groupMade{id: group, owner: name, vpc: vpc, name: "eks-cluster-sg-" + name + "-" + h[:8],
		description: "EKS created security group applied to ENI that is attached to EKS Control Plane master nodes, as well as any managed workloads."})
	if err != nil {
		return "", nil, err
	}
	if err := makeLogGroup(c, name); err != nil {
		return "", nil, err
	}
	if err := makeCreatorEntry(c, name); err != nil {
		return "", nil, err
	}

	host := strings.ToUpper(h[:32])
	authority := base64.StdEncoding.EncodeToString([]byte("-----BEGIN CERTIFICATE-----\n" + h + "\n-----END CERTIFICATE-----\n"))
	issuer := "https://oidc.eks." + c.Region + "." + partition(c.Region).dnsSuffix + "/id/" + host
	out := engine.Outputs{
		"name": name, "arn": arn(c, "eks", "cluster/"+name), "status": "ACTIVE", "createdAt": c.Now(), "platformVersion": "eks.1",
		"endpoint":               "https://" + host + ".gr7." + c.Region + ".eks." + partition(c.Region).dnsSuffix,
		"certificateAuthority":   map[string]any{"data": authority},
		"certificateAuthorities": []any{map[string]any{"data": authority}},
		"identities":             []any{map[string]any{"oidcs": []any{map[string]any{"issuer": issuer}}}},
		"vpcConfig":              vpcConfig(c, group, vpc),
		"accessConfig": map[string]any{
			"authenticationMode":                      authenticationMode(c.In),
			"bootstrapClusterCreatorAdminPermissions": creatorIsAdmin(c.In),
		},
		"kubernetesNetworkConfig": map[string]any{"ipFamily": "ipv4", "serviceIpv4Cidr": serviceCIDR(c)},
	}
	setDefault(c, out, "upgradePolicy", map[string]any{"supportType": "EXTENDED"})
	setDefault(c, out, "version", versionNames()[len(kubernetesVersions)-2]) // EKS's default trails the newest
	setDefault(c, out, "bootstrapSelfManagedAddons", true)
	return name, out, nil
}

// vpcOf returns the VPC of the cluster's subnets.
func vpcOf(c *engine.Call) string {
	for _, id := range c.In.Strs("vpcConfig.subnetIds[*]") {
		if s, ok := c.Get(subnetToken, id); ok {
			return s.In.Str("vpcId")
		}
	}
	return ""
}

// vpcConfig returns a cluster's network configuration, with what EKS adds to it.
func vpcConfig(c *engine.Call, group, vpc string) map[string]any {
	public := !c.In.Has("vpcConfig.endpointPublicAccess") || c.In.Bool("vpcConfig.endpointPublicAccess")
	out := map[string]any{
		"subnetIds": c.In.Strs("vpcConfig.subnetIds[*]"), "securityGroupIds": c.In.Strs("vpcConfig.securityGroupIds[*]"),
		"endpointPublicAccess": public, "endpointPrivateAccess": c.In.Bool("vpcConfig.endpointPrivateAccess"),
		"publicAccessCidrs":      c.In.Strs("vpcConfig.publicAccessCidrs[*]"),
		"clusterSecurityGroupId": group, "vpcId": vpc,
	}
	if public && !c.In.Has("vpcConfig.publicAccessCidrs[*]") {
		out["publicAccessCidrs"] = []any{"0.0.0.0/0"}
	}
	return out
}

// serviceCIDR returns the addresses of services: those given, or the ones of EKS's two that the VPC leaves free.
// Source: EKS API, KubernetesNetworkConfigRequest.
func serviceCIDR(c *engine.Call) string {
	if given := c.In.Str("kubernetesNetworkConfig.serviceIpv4Cidr"); given != "" {
		return given
	}
	vpc, _ := c.Get(vpcToken, vpcOf(c))
	if strings.HasPrefix(vpc.In.Str("cidrBlock"), "10.") {
		return "172.20.0.0/16"
	}
	return "10.100.0.0/16"
}

func authenticationMode(in engine.Props) string {
	if mode := in.Str("accessConfig.authenticationMode"); mode != "" {
		return mode
	}
	return "CONFIG_MAP"
}

func creatorIsAdmin(in engine.Props) bool {
	const path = "accessConfig.bootstrapClusterCreatorAdminPermissions"
	return !in.Has(path) || in.Bool(path)
}

// makeLogGroup makes the log group that control plane logging writes to, unless it is there. AWS leaves it behind
// when the cluster goes; here it goes too, so that a destroyed environment leaves nothing.
func makeLogGroup(c *engine.Call, cluster string) error {
	name := "/aws/eks/" + cluster + "/cluster"
	if _, there := c.Get(logGroupToken, name); there || !c.In.Has("enabledClusterLogTypes[*]") {
		return nil
	}
	in := engine.Outputs{"name": name}
	return c.Make(logGroupToken, name, cluster, in, engine.Outputs{"name": name, "arn": arn(c, "logs", "log-group:"+name), "logGroupClass": "STANDARD"})
}

// makeCreatorEntry makes the access entry that whoever makes a cluster gets.
// Source: EKS User Guide, "Grant IAM users access to Kubernetes with EKS access entries".
func makeCreatorEntry(c *engine.Call, cluster string) error {
	if authenticationMode(c.In) == "CONFIG_MAP" || !creatorIsAdmin(c.In) {
		return nil
	}
	in := engine.Outputs{"clusterName": cluster, "principalArn": caller(c), "type": "STANDARD"}
	out := engine.Outputs{"clusterName": cluster, "principalArn": caller(c), "type": "STANDARD", "createdAt": c.Now(), "modifiedAt": c.Now()}
	return c.Make(accessEntryToken, cluster+":"+caller(c), cluster, in, out)
}

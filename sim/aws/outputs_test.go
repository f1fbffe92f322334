package aws_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

// TestOutputsLookLikeAWS checks what the cloud fills in, by resource and output of the standard environment.
func TestOutputsLookLikeAWS(t *testing.T) {
	t.Parallel()
	w := world(t)
	const hex = `[0-9a-f]`
	for reference, pattern := range map[string]string{
		"${vpc}":                                             `vpc-0` + hex + `{16}`,
		"${vpc.arn}":                                         `arn:aws:ec2:us-west-2:111122223333:vpc/vpc-0` + hex + `{16}`,
		"${vpc.defaultSecurityGroupId}":                      `sg-0` + hex + `{16}`,
		"${vpc.mainRouteTableId}":                            `rtb-0` + hex + `{16}`,
		"${vpc.instanceTenancy}":                             `default`,
		"${private-b.availabilityZone}":                      `us-west-2b`,
		"${private-a.availabilityZoneId}":                    `usw2-az2`,
		"${igw}":                                             `igw-0` + hex + `{16}`,
		"${eip.publicIp}":                                    `198\.51\.100\.\d+`,
		"${nat.publicIp}":                                    `198\.51\.100\.\d+`,
		"${nat.privateIp}":                                   `10\.0\.0\.4`,
		"${nat.networkInterfaceId}":                          `eni-0` + hex + `{16}`,
		"${public-route}":                                    `r-rtb-0` + hex + `{26}`,
		"${s3.prefixListId}":                                 `pl-` + hex + `{8}`,
		"${group.description}":                               `Managed by Pulumi`,
		"${group.name}":                                      `group-` + hex + `{7}`,
		"${ingress.securityGroupRuleId}":                     `sgr-0` + hex + `{16}`,
		"${placement.placementGroupId}":                      `pg-0` + hex + `{16}`,
		"${node-role.arn}":                                   `arn:aws:iam::111122223333:role/node-role-` + hex + `{7}`,
		"${policy}":                                          `arn:aws:iam::111122223333:policy/policy-` + hex + `{7}`,
		"${key.keyId}":                                       hex + `{8}-` + hex + `{4}-4` + hex + `{3}-8` + hex + `{3}-` + hex + `{12}`,
		"${alias.targetKeyArn}":                              `arn:aws:kms:us-west-2:111122223333:key/.+`,
		"${cluster.endpoint}":                                `https://[0-9A-F]{32}\.gr7\.us-west-2\.eks\.amazonaws\.com`,
		"${cluster.certificateAuthority.data}":               `[A-Za-z0-9+/]+=*`,
		"${cluster.identities[*].oidcs[*].issuer}":           `https://oidc\.eks\.us-west-2\.amazonaws\.com/id/[0-9A-F]{32}`,
		"${cluster.vpcConfig.clusterSecurityGroupId}":        `sg-0` + hex + `{16}`,
		"${cluster.vpcConfig.vpcId}":                         `vpc-0` + hex + `{16}`,
		"${cluster.kubernetesNetworkConfig.serviceIpv4Cidr}": `172\.20\.0\.0/16`,
		"${cluster.status}":                                  `ACTIVE`,
		"${cluster.createdAt}":                               `2027-01-15T08:00:00Z`,
		"${issuer.arn}":                                      `arn:aws:iam::111122223333:oidc-provider/oidc\.eks\..+`,
		"${template}":                                        `lt-0` + hex + `{16}`,
		"${nodes}":                                           `standard:nodes-` + hex + `{7}`,
		"${nodes.amiType}":                                   `AL2023_x86_64_STANDARD`,
		"${nodes.releaseVersion}":                            `1\.34\.8-20261110`,
		"${nodes.version}":                                   `1\.34`,
		"${nodes.launchTemplate.name}":                       `standard`,
		"${named.launchTemplate.id}":                         `lt-0` + hex + `{16}`,
		"${nodes.resources[*].autoscalingGroups[*].name}":    `eks-nodes-` + hex + `{7}-` + hex + `{8}-.+`,
		"${coredns.addonVersion}":                            `v1\.13\.1-eksbuild\.1`,
		"${association}":                                     `standard#arn:aws:iam::111122223333:role/.+#arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy`,
		"${pods.associationId}":                              `a-` + hex + `{17}`,
	} {
		if got := w.Expand(reference); !regexp.MustCompile("^" + pattern + "$").MatchString(got) {
			t.Errorf("%s is %q, want %s", reference, got, pattern)
		}
	}
}

func TestIdentifiersDoNotDependOnOrder(t *testing.T) {
	t.Parallel()
	make2 := func(names ...string) map[string]string {
		w := simtest.New(t, t.TempDir())
		ids := map[string]string{}
		for _, n := range names {
			ids[n] = w.MustCreate(n, "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"}).ID
		}
		return ids
	}
	forth, back := make2("a", "b"), make2("b", "a")
	if forth["a"] != back["a"] || forth["b"] != back["b"] || forth["a"] == forth["b"] {
		t.Errorf("got %v and %v", forth, back)
	}
}

func TestAResourceMadeAgainGetsANewIdentifier(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	first := w.MustCreate("a", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"})
	if err := w.Delete(first); err != nil {
		t.Fatal(err)
	}
	if second := w.MustCreate("a", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"}); second.ID == first.ID {
		t.Errorf("both are %s", first.ID)
	}
}

func TestTemplateUpdatesMakeVersions(t *testing.T) {
	t.Parallel()
	w := world(t)
	made := w.Made["template"]
	in := m{"name": "standard", "userData": nodeConfig(), "vpcSecurityGroupIds": []any{"${group}"}, "description": "second", "updateDefaultVersion": true}
	preview, err := w.PreviewUpdate(made, in)
	if err != nil {
		t.Fatal(err)
	}
	if !preview.Outputs["latestVersion"].IsComputed() {
		t.Errorf("a preview says that the version will be %v", preview.Outputs["latestVersion"])
	}
	changed, err := w.Update(made, in)
	if err != nil {
		t.Fatal(err)
	}
	if out := engine.Props(changed.Outputs); number(out, "latestVersion") != 2 || number(out, "defaultVersion") != 2 {
		t.Errorf("got version %v, default %v", changed.Outputs["latestVersion"], changed.Outputs["defaultVersion"])
	}
	group, err := w.Update(w.Made["nodes"], simtest.With(standardInputs("nodes"), m{"launchTemplate": m{"id": "${template}", "version": "2"}}))
	if err != nil {
		t.Fatal(err)
	}
	if got := engine.Props(group.Outputs).Str("launchTemplate.version"); got != "2" {
		t.Errorf("the node group has version %q", got)
	}
}

func number(p engine.Props, path string) int {
	n, _ := p.Int(path)
	return n
}

func TestDefaultGroupIsEmptied(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	vpc := w.MustCreate("vpc", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"})
	id := w.Expand("${vpc.defaultSecurityGroupId}")
	ingress := func() int {
		for _, r := range w.Cloud.Resources() {
			if r.ID == id && strings.HasSuffix(r.Token, ":SecurityGroup") {
				return len(r.Outputs["ingress"].ArrayValue())
			}
		}
		return -1
	}
	if got := ingress(); got != 1 {
		t.Errorf("AWS's own default group has %d rules inward, want 1", got)
	}
	adopted := w.MustCreate("default", "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup", m{"vpcId": vpc.ID})
	if got := ingress(); got != 0 || adopted.ID != id {
		t.Errorf("the adopted group %s has %d rules inward, want none", adopted.ID, got)
	}
}

func TestImportAndDrift(t *testing.T) {
	t.Parallel()
	w := world(t)
	vpc := w.Made["vpc"]
	imported := w.Read(vpc.Token, "stranger", vpc.ID)
	if !imported.Inputs.DeepEquals(vpc.Inputs) || !imported.Outputs.DeepEquals(vpc.Outputs) {
		t.Errorf("an import gives %v", imported)
	}
	if err := w.Cloud.Change(vpc.Token, vpc.ID, m{"tags": m{"by": "hand"}, "enableDnsHostnames": nil}); err != nil {
		t.Fatal(err)
	}
	now := w.Read(vpc.Token, vpc.Name, vpc.ID)
	if got := engine.Props(now.Inputs).Map("tags")["by"]; got != "hand" || engine.Props(now.Outputs).Bool("enableDnsHostnames") {
		t.Errorf("a refresh finds %v, %v", now.Inputs, now.Outputs)
	}
	if _, there := now.Inputs["enableDnsHostnames"]; there {
		t.Error("a property that was taken away is still an input")
	}

	if err := w.Cloud.Remove("aws:eks/cluster:Cluster", "standard"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cluster", "coredns", "entry", "pods", "association"} {
		if m := w.Made[name]; w.Read(m.Token, name, m.ID).ID != "" {
			t.Errorf("%s is still there without its cluster", name)
		}
	}
	if g := w.Expand("${cluster.vpcConfig.clusterSecurityGroupId}"); has(w, g) {
		t.Errorf("the cluster's security group %s is still there", g)
	}
}

func has(w *simtest.World, id string) bool {
	for _, r := range w.Cloud.Resources() {
		if r.ID == id {
			return true
		}
	}
	return false
}

func TestRoleGoesByForceWithItsPolicies(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	role := w.MustCreate("role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("ec2.amazonaws.com", assume), "forceDetachPolicies": true})
	w.MustCreate("policy", "aws:iam/rolePolicy:RolePolicy", m{"role": "${role}", "policy": allowAll})
	w.MustCreate("attachment", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${role}", "policyArn": managedARN + "AmazonS3FullAccess"})
	if err := w.Delete(role); err != nil {
		t.Fatal(err)
	}
	if left := w.Cloud.Resources(); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

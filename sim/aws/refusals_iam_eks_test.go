package aws_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func identityRefusals() []refusal {
	const (
		role       = "aws:iam/role:Role"
		inline     = "aws:iam/rolePolicy:RolePolicy"
		attachment = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
		policy     = "aws:iam/policy:Policy"
		oidc       = "aws:iam/openIdConnectProvider:OpenIdConnectProvider"
		key        = "aws:kms/key:Key"
		alias      = "aws:kms/alias:Alias"
		logs       = "aws:cloudwatch/logGroup:LogGroup"
	)
	statement := func(text string) string { return `{"Version":"2012-10-17","Statement":[` + text + `]}` }
	huge := func(n int) string { return strings.Replace(allowAll, "s3:*", "s3:"+strings.Repeat("x", n), 1) }
	locked := statement(`{"Effect":"Allow","Principal":{"Service":"logs.us-west-2.amazonaws.com"},"Action":"kms:*","Resource":"*"}`)
	return []refusal{
		{token: role, rule: "trust-given", in: m{"assumeRolePolicy": nil}, want: "say who may assume the role"},
		{token: role, rule: "document-assume-role-policy", in: m{"assumeRolePolicy": "{"}, want: "not a JSON policy document"},
		{token: role, rule: "document-assume-role-policy", in: m{"assumeRolePolicy": allowAll}, want: "of kind trust need a Principal"},
		{token: role, rule: "document-assume-role-policy", in: m{"assumeRolePolicy": trust("ec2.amazonaws.com", "ec2:RunInstances")}, want: "can only allow sts: actions"},
		{token: role, rule: "document-assume-role-policy", in: m{"assumeRolePolicy": statement(`{"Effect":"Allow","Principal":{"Services":"x"},"Action":"sts:AssumeRole"}`)}, want: "Principal of kind \"Services\""},
		{token: role, rule: "document-inline-policies-policy", in: m{"inlinePolicies": []any{m{"name": "x", "policy": statement(`{"Effect":"Allow","Action":"s3:*"}`)}}}, want: "inlinePolicies[0].policy: MalformedPolicyDocument: statement 0: it has no Resource"},
		{token: role, rule: "size-of-assume-role-policy", in: m{"assumeRolePolicy": trust(strings.Repeat("x", 2048), assume)}, want: "at most 2048 are allowed"},
		{token: role, rule: "shape-of-name", in: m{"name": "a b"}, want: "name: got \"a b\""},
		{token: role, rule: "shape-of-path", in: m{"path": "nodes"}, want: "begins and ends with /"},
		{token: role, rule: "range-max-session-duration", in: m{"maxSessionDuration": 60}, want: "wanted 3600 to 43200"},
		{token: role, rule: "role-name-free", in: m{"name": "${node-role}"}, want: "EntityAlreadyExists"},
		{token: role, rule: "trusted-principals", in: m{"assumeRolePolicy": statement(`{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:role/nobody"},"Action":"sts:AssumeRole"}`)}, want: "Invalid principal in policy"},
		{token: role, rule: "managed-policies", in: m{"managedPolicyArns": []any{managedARN + "AmazonEKSWorkerPolicy"}}, want: "is not attachable; of AWS's own the embedded cloud knows AmazonEKSWorkerNodePolicy"},
		{token: role, rule: "role-detached", delete: "node-role", want: "DeleteConflict: Cannot delete entity ${node-role}, must detach all policies first"},
		{token: role, rule: "role-detached", delete: "pods-role", want: "${role-policy.name}"},
		{token: inline, rule: "document-policy", in: m{"policy": trust("ec2.amazonaws.com", assume)}, want: "of kind identity must not have a Principal"},
		{token: inline, rule: "size-of-policy", in: m{"policy": huge(10240)}, want: "at most 10240 are allowed"},
		{token: inline, rule: "shape-of-name", in: m{"name": "a/b"}, want: "name: got"},
		{token: inline, rule: "given-role", in: m{"role": nil}, want: "role: missing"},
		{token: inline, rule: "given-policy", in: m{"policy": nil}, want: "policy: missing"},
		{token: attachment, rule: "given-role", in: m{"role": nil}, want: "role: missing"},
		{token: attachment, rule: "policy-attachable", in: m{"policyArn": "arn:aws:iam::111122223333:policy/nothing"}, want: "NoSuchEntity"},
		{token: attachment, rule: "attachment-quota", in: m{"role": "${pods-role}"}, crowd: crowd{"policy-attachment", 9}, want: "LimitExceeded"},
		{token: policy, rule: "given-policy", in: m{"policy": nil}, want: "policy: missing"},
		{token: policy, rule: "document-policy", in: m{"policy": strings.Replace(allowAll, "Effect", "Efect", 1)}, want: "unknown element \"Efect\"; wanted Effect"},
		{token: policy, rule: "document-policy", in: m{"policy": strings.Replace(allowAll, "2012-10-17", "2012-10-18", 1)}, want: "got Version \"2012-10-18\""},
		{token: policy, rule: "document-policy", in: m{"policy": strings.Replace(allowAll, "s3:*", "s3", 1)}, want: "got Action \"s3\", wanted service:Name"},
		{token: policy, rule: "document-policy", in: m{"policy": strings.Replace(allowAll, `"Resource":"*"`, `"Resource":"bucket"`, 1)}, want: "must be in ARN format"},
		{token: policy, rule: "document-policy", in: m{"policy": strings.Replace(allowAll, "Allow", "allow", 1)}, want: "got Effect \"allow\""},
		{token: policy, rule: "document-policy", in: m{"policy": statement(`{"Sid":"A","Effect":"Allow","Action":"s3:*","Resource":"*"},{"Sid":"A","Effect":"Deny","Action":"s3:*","Resource":"*"}`)}, want: "Sid \"A\" is not unique"},
		{token: policy, rule: "size-of-policy", in: m{"policy": huge(6144)}, want: "at most 6144 are allowed"},
		{token: policy, rule: "shape-of-name", in: m{"name": "a/b"}, want: "name: got"},
		{token: policy, rule: "policy-detached", delete: "policy", want: "Cannot delete a policy attached to entities: role ${pods-role}"},
		{token: oidc, rule: "shape-of-url", in: m{"url": "http://issuer.example.com"}, want: "begins with https://"},
		{token: oidc, rule: "shape-of-thumbprint-lists", in: m{"thumbprintLists": []any{"xyz"}}, want: "40 hexadecimal digits"},
		{token: oidc, rule: "issuer-answers", in: m{"url": "https://oidc.eks.us-west-2.amazonaws.com/id/NONE"}, want: "OpenIdIdpCommunicationError"},
		{token: oidc, in: m{"clientIdLists": []any{}}, want: "clientIdLists: missing"},
		{token: key, rule: "document-policy", in: m{"policy": allowAll}, want: "of kind resource need a Principal"},
		{token: key, rule: "key-not-locked", in: m{"policy": locked}, want: "will not allow you to update the key policy in the future"},
		{token: key, rule: "range-deletion-window-in-days", in: m{"deletionWindowInDays": 6}, want: "wanted 7 to 30"},
		{token: key, rule: "range-rotation-period-in-days", in: m{"rotationPeriodInDays": 30}, want: "wanted 90 to 2560"},
		{token: key, rule: "legal-key-usage", in: m{"keyUsage": "ENCRYPT"}, want: "wanted one of ENCRYPT_DECRYPT"},
		{token: alias, rule: "name-or-prefix", in: m{"name": nil}, want: "exactly one of name, namePrefix"},
		{token: alias, rule: "alias-name", in: m{"name": "another"}, want: "wanted alias/"},
		{token: alias, rule: "alias-name", in: m{"name": "alias/aws/another"}, want: "AWS's own"},
		{token: alias, in: m{"name": "alias/standard"}, want: "AlreadyExists"},
		{token: logs, rule: "shape-of-name", in: m{"name": "a b"}, want: "name: got"},
		{token: logs, rule: "legal-log-group-class", in: m{"logGroupClass": "CHEAP"}, want: "wanted one of STANDARD"},
		{token: logs, rule: "legal-retention", in: m{"retentionInDays": 10}, want: "got 10, wanted one of [0 1 3 5 7 14"},
		{token: logs, rule: "key-serves-logs", in: m{"kmsKeyId": "${key.arn}"}, want: "allow kms:Encrypt* to logs.us-west-2.amazonaws.com"},
		{token: logs, in: m{"name": "/aws/eks/standard/cluster"}, want: "ResourceAlreadyExistsException"},
	}
}

func clusterRefusals() []refusal {
	const cluster = "aws:eks/cluster:Cluster"
	network := func(changes m) m {
		return m{"vpcConfig": simtest.With(m{"subnetIds": []any{"${private-a}", "${private-b}"}}, changes)}
	}
	services := func(cidr string) m { return m{"kubernetesNetworkConfig": m{"serviceIpv4Cidr": cidr}} }
	return []refusal{
		{token: cluster, rule: "shape-of-name", in: m{"name": "-x"}, want: "begins with a letter or digit"},
		{token: cluster, rule: "legal-enabled-cluster-log-types", in: m{"enabledClusterLogTypes": []any{"apis"}}, want: "wanted one of api"},
		{token: cluster, rule: "legal-access-config-authentication-mode", in: m{"accessConfig": m{"authenticationMode": "APIS"}}, want: "wanted one of API"},
		{token: cluster, rule: "legal-encryption-config-resources", in: m{"encryptionConfig": m{"provider": m{"keyArn": "${key.arn}"}, "resources": []any{"configmaps"}}}, want: "wanted one of secrets"},
		{token: cluster, rule: "legal-upgrade-policy-support-type", in: m{"upgradePolicy": m{"supportType": "LONG"}}, want: "wanted one of STANDARD, EXTENDED"},
		{token: cluster, rule: "legal-kubernetes-network-config-ip-family", in: m{"kubernetesNetworkConfig": m{"ipFamily": "ipv5"}}, want: "wanted one of ipv4"},
		{token: cluster, rule: "networks", in: network(m{"publicAccessCidrs": []any{"203.0.113.1/24"}}), want: "host bits"},
		{token: cluster, rule: "some-endpoint", in: network(m{"endpointPublicAccess": false}), want: "cannot both be disabled"},
		{token: cluster, rule: "public-cidrs", in: network(m{"publicAccessCidrs": []any{"10.0.0.0/8"}}), want: "not allowed in publicAccessCidrs: 10.0.0.0/8"},
		{token: cluster, rule: "private-ranges", in: services("8.8.8.0/24"), want: "wanted a network between /12 and /24"},
		{token: cluster, rule: "private-ranges", in: m{"remoteNetworkConfig": m{"remoteNodeNetworks": m{"cidrs": []any{"8.8.8.0/24"}}}}, want: "wanted a private network"},
		{token: cluster, rule: "version-supported", in: m{"version": "1.20"}, want: "unsupported Kubernetes version 1.20"},
		{token: cluster, rule: "version-step", update: "cluster", in: m{"version": "1.36"}, want: "update from 1.34 to 1.36"},
		{token: cluster, rule: "version-step", update: "cluster", in: m{"version": "1.33"}, want: "update from 1.34 to 1.33"},
		{token: cluster, rule: "two-zones", in: network(m{"subnetIds": []any{"${private-a}", "${public-a}"}}), want: "at least two different AZs; got 2 subnets in 1"},
		{token: cluster, rule: "one-vpc", in: network(m{"subnetIds": []any{"${private-a}", "${other-b}"}}), want: "must all belong to the same VPC"},
		{token: cluster, rule: "one-vpc", update: "cluster", in: network(m{"subnetIds": []any{"${other-a}", "${other-b}"}}), want: "must all belong to the same VPC"},
		{token: cluster, rule: "eks-zones", prepare: inVirginia, in: network(m{"subnetIds": []any{"${va-az1}", "${va-az3}"}}), want: "UnsupportedAvailabilityZoneException"},
		{token: cluster, rule: "cluster-role", in: m{"roleArn": "${node-role.arn}"}, want: "let eks.amazonaws.com assume it"},
		{token: cluster, rule: "cluster-role", in: m{"roleArn": "${bare-role.arn}"}, want: "has no AmazonEKSClusterPolicy"},
		{token: cluster, rule: "ranges-apart", in: services("10.0.0.0/20"), want: "The network 10.0.0.0/20 overlaps 10.0.0.0/16"},
		{token: cluster, rule: "quota", crowd: crowd{"map-cluster", 98}, want: "ResourceLimitExceededException"},
		{token: cluster, in: m{"name": "standard"}, want: "ResourceInUseException"},
	}
}

// inVirginia makes subnets in us-east-1, one of them in a zone without EKS.
func inVirginia(t *testing.T, w *simtest.World) {
	if err := w.Configure("aws", "aws", m{"region": "us-east-1"}); err != nil {
		t.Fatal(err)
	}
	w.MustCreate("va", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.3.0.0/16"})
	w.MustCreate("va-az1", "aws:ec2/subnet:Subnet", m{"vpcId": "${va}", "cidrBlock": "10.3.1.0/24", "availabilityZoneId": "use1-az1"})
	w.MustCreate("va-az3", "aws:ec2/subnet:Subnet", m{"vpcId": "${va}", "cidrBlock": "10.3.3.0/24", "availabilityZoneId": "use1-az3"})
}

func accessRefusals() []refusal {
	const (
		addon       = "aws:eks/addon:Addon"
		entry       = "aws:eks/accessEntry:AccessEntry"
		association = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
		pods        = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
		activation  = "aws:ssm/activation:Activation"
	)
	return []refusal{
		{token: addon, rule: "legal-resolve-conflicts-on-create", in: m{"resolveConflictsOnCreate": "PRESERVE"}, want: "wanted one of NONE, OVERWRITE"},
		{token: addon, rule: "legal-resolve-conflicts-on-update", in: m{"resolveConflictsOnUpdate": "KEEP"}, want: "wanted one of NONE, OVERWRITE, PRESERVE"},
		{token: addon, rule: "legal-resolve-conflicts", in: m{"resolveConflicts": "KEEP"}, want: "wanted one of NONE, OVERWRITE, PRESERVE"},
		{token: addon, rule: "configuration-json", in: m{"configurationValues": "a: b"}, want: "not in valid JSON format"},
		{token: addon, rule: "addon-known", in: m{"addonName": "kubeproxy"}, want: "did you mean kube-proxy"},
		{token: addon, rule: "addon-version", in: m{"addonVersion": "v1.33.0-eksbuild.2"}, want: "kube-proxy has v1.34.0-eksbuild.2, v1.34.2-eksbuild.1"},
		{token: addon, rule: "addon-roles", in: m{"podIdentityAssociations": []any{m{"roleArn": "${bare-role.arn}", "serviceAccount": "x"}}}, want: "does not let pods.eks.amazonaws.com"},
		{token: addon, rule: "addon-healthy", in: m{"clusterName": "${map-cluster}", "addonName": "coredns"}, want: "unexpected state 'DEGRADED', wanted target 'ACTIVE'"},
		{token: addon, rule: "addon-healthy", in: m{"addonName": "metrics-server"}, want: "has no node without NoSchedule or NoExecute taints", prepare: func(t *testing.T, w *simtest.World) {
			if err := w.Delete(w.Made["nodes"]); err != nil { // what is left is tainted or empty
				t.Fatal(err)
			}
		}},
		{token: addon, in: m{"addonName": "vpc-cni"}, want: "Addon already exists"},
		{token: entry, rule: "legal-type", in: m{"type": "EC2_LINX"}, want: "wanted one of EC2_LINUX"},
		{token: entry, rule: "no-system-groups", in: m{"kubernetesGroups": []any{"system:masters"}}, want: "cannot start with system:"},
		{token: entry, rule: "node-entry", in: m{"type": "HYBRID_LINUX", "kubernetesGroups": []any{"nodes"}}, want: "kubernetesGroups: InvalidParameterException: it cannot be given to an access entry of type HYBRID_LINUX"},
		{token: entry, rule: "api-authentication", in: m{"clusterName": "${map-cluster}"}, want: "must be set to one of [API, API_AND_CONFIG_MAP]"},
		{token: entry, rule: "principal-exists", in: m{"principalArn": "arn:aws:iam::111122223333:role/nobody"}, want: "invalid principal"},
		{token: entry, in: m{"principalArn": "arn:aws:iam::111122223333:user/gpuyard"}, want: "is already in use on this cluster"},
		{token: association, rule: "legal-access-scope-type", in: m{"accessScope": m{"type": "clusters"}}, want: "wanted one of cluster"},
		{token: association, rule: "scope-namespaces", in: m{"accessScope": m{"type": "namespace"}}, want: "names namespaces"},
		{token: association, rule: "access-policy-known", in: m{"policyArn": managedARN + "AmazonEKSEditPolicy"}, want: "policyArn parameter format is not valid"},
		{token: association, rule: "entry-takes-policies", in: m{"principalArn": "${hybrid-role.arn}"}, want: "to which no access policies can be associated"},
		{token: association, rule: "entry-exists", in: m{"principalArn": "${node-role.arn}"}, want: "has no access entry in standard"},
		{token: association, in: m{"policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"}, want: "ResourceInUseException"},
		{token: activation, rule: "range-registration-limit", in: m{"registrationLimit": 1001}, want: "wanted 1 to 1000"},
		{token: activation, rule: "shape-of-name", in: m{"name": "host;1"}, want: "name: got"},
		{token: activation, rule: "shape-of-description", in: m{"description": strings.Repeat("x", 257)}, want: "256 characters at most"},
		{token: activation, rule: "activation-role", in: m{"iamRole": "${node-role}"}, want: "missing ssm service principal in trust policy: ${node-role.arn}"},
		{token: activation, rule: "activation-role", in: m{"iamRole": "nobody"}, want: "Nonexistent role"},
		{token: activation, rule: "activation-expiry", in: m{"expirationDate": "tomorrow"}, want: "wanted a time such as"},
		{token: activation, rule: "activation-expiry", in: m{"expirationDate": "2020-01-01T00:00:00Z"}, want: "within 30 days"},
		{token: pods, rule: "pod-role", in: m{"roleArn": "${bare-role.arn}"}, want: "does not let pods.eks.amazonaws.com sts:AssumeRole and sts:TagSession"},
		{token: pods, rule: "one-association", in: m{"serviceAccount": "trainer"}, want: "Association already exists: jobs/trainer in standard has ${pods}"},
		{token: pods, rule: "one-association", in: m{"namespace": "kube-system", "serviceAccount": "ebs-csi-controller-sa"}, want: "one of the add-on aws-ebs-csi-driver"},
	}
}

package aws

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	accessEntryToken             = "aws:eks/accessEntry:AccessEntry"
	accessPolicyAssociationToken = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
)

func accessEntry() *engine.Resource {
	const source = "EKS API, CreateAccessEntry"
	return &engine.Resource{
		Token: accessEntryToken, Args: eks.AccessEntryArgs{}, State: eks.AccessEntry{},
		Replace: []string{"clusterName", "principalArn", "type"},
		Refs:    []engine.Ref{inCluster},
		Plan: []engine.Rule{
			oneOf("type", source, "STANDARD", "EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX", "EC2", "HYPERPOD_LINUX"),
			noSystemGroups,
			nodeEntry,
		},
		Apply: []engine.Rule{apiAuthentication, principalExists},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			cl, principal := c.In.Str("clusterName"), c.In.Str("principalArn")
			id := cl + ":" + principal
			if _, taken := c.Get(accessEntryToken, id); taken {
				return "", nil, engine.Refuse("ResourceInUseException", "The specified access entry resource is already in use on this cluster: %s. Whoever makes a cluster has one already, unless bootstrapClusterCreatorAdminPermissions is false", principal)
			}
			c.ComeWith(clusterToken, cl)
			h, err := c.NewHex("access entry")
			out := engine.Outputs{"accessEntryArn": arn(c, "eks", "access-entry/"+cl+"/"+h[:32]), "createdAt": c.Now(), "modifiedAt": c.Now()}
			setDefault(c, out, "type", "STANDARD")
			setDefault(c, out, "userName", principal)
			return id, out, err
		},
	}
}

var noSystemGroups = engine.Rule{
	Name: "no-system-groups", Says: "no group begins with `system:`", Source: "EKS API, CreateAccessEntry",
	Judge: func(c *engine.Call) error {
		for _, g := range c.In.Strs("kubernetesGroups[*]") {
			if strings.HasPrefix(g, "system:") {
				return &engine.Error{Path: "kubernetesGroups", Code: "InvalidParameterException", Message: "The kubernetes group name " + g + " is invalid, it cannot start with system:; associate an access policy instead"}
			}
		}
		return nil
	},
}

var nodeEntry = engine.Rule{
	Name: "node-entry", Says: "groups and a user name are given to entries of type STANDARD alone: those of nodes have EKS's own", Source: "EKS API, CreateAccessEntry, type",
	Judge: func(c *engine.Call) error {
		kind := c.In.Str("type")
		for _, path := range []string{"kubernetesGroups", "userName"} {
			if c.In.Has(path) && kind != "" && kind != "STANDARD" {
				return &engine.Error{Path: path, Code: "InvalidParameterException", Message: "it cannot be given to an access entry of type " + kind}
			}
		}
		return nil
	},
}

var apiAuthentication = engine.Rule{
	Name: "api-authentication", Says: "access entries want a cluster whose authentication mode includes API", Source: "EKS User Guide, \"Grant IAM users access to Kubernetes with EKS access entries\"",
	Judge: func(c *engine.Call) error {
		cl, _ := c.Resolve("clusterName")
		if authenticationMode(cl.In) == "CONFIG_MAP" {
			return engine.Refuse("InvalidRequestException", "The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP] to perform this operation; set accessConfig.authenticationMode of %s", cl.ID)
		}
		return nil
	},
}

var principalShape = regexp.MustCompile(`^arn:aws[a-z-]*:iam::\d{12}:(role|user)/`)

var principalExists = engine.Rule{
	Name: "principal-exists", Says: "the principal is a role or user, and exists if it is a role of this account", Source: "EKS API, CreateAccessEntry",
	Judge: func(c *engine.Call) error {
		arn := c.In.Str("principalArn")
		_, there := c.Find(roleToken, "arn", arn)
		own := strings.HasPrefix(arn, globalARN(c, "iam", "role/"))
		if !principalShape.MatchString(arn) || own && !there {
			return engine.Refuse("InvalidParameterException", "The specified principalArn is invalid: invalid principal: %s is no role or user that exists", arn)
		}
		return nil
	},
}

// accessPolicies are the policies of EKS for access entries.
// Source: EKS User Guide, "Review access policy permissions".
var accessPolicies = []string{
	"AmazonEKSAdminPolicy", "AmazonEKSAdminViewPolicy", "AmazonEKSAutoNodePolicy", "AmazonEKSClusterAdminPolicy", "AmazonEKSEditPolicy", "AmazonEKSHybridPolicy", "AmazonEKSViewPolicy",
}

func accessPolicyAssociation() *engine.Resource {
	return &engine.Resource{
		Token: accessPolicyAssociationToken, Args: eks.AccessPolicyAssociationArgs{}, State: eks.AccessPolicyAssociation{},
		Replace: []string{"clusterName", "principalArn", "policyArn", "accessScope"},
		Refs:    []engine.Ref{inCluster},
		Plan:    []engine.Rule{oneOf("accessScope.type", "EKS API, AccessScope", "cluster", "namespace"), scopeNamespaces},
		Apply:   []engine.Rule{accessPolicyKnown, entryExists, entryTakesPolicies},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			cl, principal, policy := c.In.Str("clusterName"), c.In.Str("principalArn"), c.In.Str("policyArn")
			id := cl + "#" + principal + "#" + policy
			if _, taken := c.Get(accessPolicyAssociationToken, id); taken {
				return "", nil, engine.Refuse("ResourceInUseException", "%s has %s already", principal, policy)
			}
			c.ComeWith(accessEntryToken, cl+":"+principal)
			return id, engine.Outputs{"associatedAt": c.Now(), "modifiedAt": c.Now()}, nil
		},
	}
}

var scopeNamespaces = engine.Rule{
	Name: "scope-namespaces", Says: "a namespace scope names namespaces, a cluster scope none", Source: "EKS API, AccessScope",
	Judge: func(c *engine.Call) error {
		scope := c.In.Str("accessScope.type")
		if hasAny := c.In.Has("accessScope.namespaces[*]"); scope != "" && hasAny != (scope == "namespace") {
			return &engine.Error{Path: "accessScope.namespaces", Code: "InvalidParameterException", Message: "a scope of type namespace names namespaces, one of type cluster names none"}
		}
		return nil
	},
}

var accessPolicyKnown = engine.Rule{
	Name: "access-policy-known", Says: "EKS has that access policy", Source: "EKS User Guide, \"Review access policy permissions\"",
	Judge: func(c *engine.Call) error {
		var arns []string
		for _, p := range accessPolicies {
			arns = append(arns, "arn:"+partition(c.Region).name+":eks::aws:cluster-access-policy/"+p)
		}
		for _, a := range arns {
			if a == c.In.Str("policyArn") {
				return nil
			}
		}
		return engine.Refuse("InvalidParameterException", "The policyArn parameter format is not valid: %s; wanted %s", c.In.Str("policyArn"), nearOrAll(c.In.Str("policyArn"), arns))
	},
}

var entryExists = engine.Rule{
	Name: "entry-exists", Says: "the principal has an access entry in the cluster", Source: "EKS API, AssociateAccessPolicy",
	Judge: func(c *engine.Call) error {
		if _, ok := c.Get(accessEntryToken, c.In.Str("clusterName")+":"+c.In.Str("principalArn")); !ok {
			return engine.Refuse("ResourceNotFoundException", "The specified principalArn could not be found: %s has no access entry in %s; make the association depend on one", c.In.Str("principalArn"), c.In.Str("clusterName"))
		}
		return nil
	},
}

var entryTakesPolicies = engine.Rule{
	Name: "entry-takes-policies", Says: "the access entry is no node's: those have EKS's own permissions", Source: "EKS API, CreateAccessEntry, type",
	Judge: func(c *engine.Call) error {
		entry, _ := c.Get(accessEntryToken, c.In.Str("clusterName")+":"+c.In.Str("principalArn"))
		if kind := entry.In.Str("type"); kind != "" && kind != "STANDARD" && kind != "EC2" {
			return engine.Refuse("InvalidRequestException", "The access entry of %s is of type %s, to which no access policies can be associated", c.In.Str("principalArn"), kind)
		}
		return nil
	},
}

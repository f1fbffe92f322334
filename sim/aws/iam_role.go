package aws

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	roleToken                 = "aws:iam/role:Role"
	rolePolicyToken           = "aws:iam/rolePolicy:RolePolicy"
	rolePolicyAttachmentToken = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
)

var iamName = regexp.MustCompile(`^[\w+=,.@-]+$`)

const iamQuotas = "IAM User Guide, \"IAM and AWS STS quotas\""

func role() *engine.Resource {
	return &engine.Resource{
		Token: roleToken, Args: iam.RoleArgs{}, State: iam.Role{}, Global: true,
		Replace:  []string{"name", "namePrefix", "path"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 64},
		Refs:     []engine.Ref{{Path: "permissionsBoundary", To: policyToken, By: []string{"arn"}, Code: "NoSuchEntity", Holds: true}},
		Plan: []engine.Rule{
			trustGiven,
			policyDocument("assumeRolePolicy", trustPolicy),
			policyDocument("inlinePolicies[*].policy", identityPolicy),
			sized("assumeRolePolicy", 2048),
			shape("name", "holds letters, digits and _+=,.@- only", "IAM API, CreateRole", iamName),
			shape("path", "begins and ends with /", "IAM API, CreateRole", regexp.MustCompile(`^/([\x21-\x7e]*/)?$`)),
			between("maxSessionDuration", "IAM API, CreateRole", 3600, 43200),
		},
		Apply: []engine.Rule{
			roleNameFree,
			trustedPrincipals,
			managedPolicies,
		},
		Keep: []engine.Rule{roleDetached},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "name", "namePrefix")
			if err != nil {
				return "", nil, err
			}
			sum, err := c.NewHex("role")
			out := engine.Outputs{
				"name": name, "arn": globalARN(c, "iam", "role"+pathOf(c)+name), "createDate": c.Now(),
				"uniqueId": "AROA" + strings.ToUpper(sum[:17]),
			}
			setDefault(c, out, "path", "/")
			setDefault(c, out, "maxSessionDuration", 3600)
			return name, out, err
		},
		Delete: dropAttachments,
	}
}

func pathOf(c *engine.Call) string {
	if p := c.In.Str("path"); p != "" {
		return p
	}
	return "/"
}

var trustGiven = engine.Rule{
	Name: "trust-given", Says: "a role has an `assumeRolePolicy`", Source: "IAM API, CreateRole",
	Judge: func(c *engine.Call) error {
		if c.In.Has("assumeRolePolicy") {
			return nil
		}
		return engine.Invalid("assumeRolePolicy", "missing: say who may assume the role")
	},
}

var roleNameFree = engine.Rule{
	Name: "role-name-free", Says: "a role's name is unique in the account, whatever its path and case", Source: "IAM API, CreateRole (EntityAlreadyExists)",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(roleToken) {
			if name := c.In.Str("name"); strings.EqualFold(other.ID, name) {
				return engine.Refuse("EntityAlreadyExists", "Role with name %s already exists; choose another name, or leave it out", name)
			}
		}
		return nil
	},
}

var trustedPrincipals = engine.Rule{
	Name: "trusted-principals", Says: "roles of this account that a trust policy names exist", Source: "IAM API, CreateRole (MalformedPolicyDocument)",
	Judge: func(c *engine.Call) error {
		doc, _ := parseDocument(c.In.Str("assumeRolePolicy"), trustPolicy)
		for _, s := range doc.Statement {
			for _, p := range s.Principals["AWS"] {
				if strings.HasPrefix(p, globalARN(c, "iam", "role/")) {
					if _, ok := c.Find(roleToken, "arn", p); !ok {
						return engine.Refuse("MalformedPolicyDocument", "Invalid principal in policy: %q does not exist", p)
					}
				}
			}
		}
		return nil
	},
}

var managedPolicies = engine.Rule{
	Name: "managed-policies", Says: "policies named by `managedPolicyArns` exist", Source: "IAM API, AttachRolePolicy (NoSuchEntity)",
	Judge: func(c *engine.Call) error {
		for _, p := range c.In.Strs("managedPolicyArns[*]") {
			if err := attachable(c, p); err != nil {
				return err
			}
		}
		return nil
	},
}

var roleDetached = engine.Rule{
	Name: "role-detached", Says: "a role goes when no policies are attached to it any more, or with `forceDetachPolicies`", Source: "IAM API, DeleteRole (DeleteConflict)",
	Judge: func(c *engine.Call) error {
		if c.In.Bool("forceDetachPolicies") {
			return nil
		}
		if attached := attachments(c, c.ID); len(attached) > 0 {
			return engine.Refuse("DeleteConflict", "Cannot delete entity %s, must detach all policies first: %s", c.ID, list(attached))
		}
		return nil
	},
}

// attachments returns the policies of a role: attached ones by ARN, its own by name.
func attachments(c *engine.Call, role string) []string {
	var all []string
	for _, a := range c.All(rolePolicyAttachmentToken) {
		if a.In.Str("role") == role {
			all = append(all, a.In.Str("policyArn"))
		}
	}
	for _, p := range c.All(rolePolicyToken) {
		if p.In.Str("role") == role {
			all = append(all, p.Out.Str("name"))
		}
	}
	return all
}

// carries says whether a role has a policy with a name, such as AmazonEKSClusterPolicy, attached either way.
func carries(c *engine.Call, role engine.Item, name string) bool {
	ends := func(arn string) bool { return strings.HasSuffix(arn, "/"+name) }
	return slices.ContainsFunc(attachments(c, role.ID), ends) || slices.ContainsFunc(role.In.Strs("managedPolicyArns[*]"), ends)
}

// trusts says whether a role lets a service assume it by all of some actions.
func trusts(role engine.Item, service string, actions ...string) bool {
	doc, err := parseDocument(role.In.Str("assumeRolePolicy"), trustPolicy)
	return err == nil && !slices.ContainsFunc(actions, func(a string) bool { return !doc.allows("Service", service, a) })
}

func dropAttachments(c *engine.Call) error {
	for _, token := range []string{rolePolicyAttachmentToken, rolePolicyToken} {
		for _, a := range c.All(token) {
			if a.In.Str("role") != c.ID {
				continue
			}
			if err := c.Drop(token, a.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func rolePolicy() *engine.Resource {
	return &engine.Resource{
		Token: rolePolicyToken, Args: iam.RolePolicyArgs{}, State: iam.RolePolicy{}, Global: true,
		Replace:  []string{"name", "namePrefix", "role"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 128},
		Refs:     []engine.Ref{{Path: "role", To: roleToken, By: byID, Code: "NoSuchEntity"}},
		Plan: []engine.Rule{
			policyDocument("policy", identityPolicy),
			sized("policy", 10240),
			shape("name", "holds letters, digits and _+=,.@- only", "IAM API, PutRolePolicy", iamName),
			given("role"), given("policy"),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "name", "namePrefix")
			return c.In.Str("role") + ":" + name, engine.Outputs{"name": name}, err
		},
	}
}

// given is the rule that an argument is there which the SDK's type leaves open.
func given(path string) engine.Rule {
	return engine.Rule{
		Name: "given-" + kebab(path), Says: "`" + path + "` is given", Source: "the service's API reference",
		Judge: func(c *engine.Call) error {
			if c.In.Has(path) {
				return nil
			}
			return engine.Invalid(path, "missing: a value is required")
		},
	}
}

func rolePolicyAttachment(a Account) *engine.Resource {
	return &engine.Resource{
		Token: rolePolicyAttachmentToken, Args: iam.RolePolicyAttachmentArgs{}, State: iam.RolePolicyAttachment{}, Global: true,
		Replace: []string{"role", "policyArn"},
		Refs:    []engine.Ref{{Path: "role", To: roleToken, By: byID, Code: "NoSuchEntity"}},
		Plan:    []engine.Rule{given("role")},
		Apply:   []engine.Rule{policyAttachable, a.attachmentQuota()},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			sum, err := c.NewHex("attachment")
			return c.In.Str("role") + "-" + sum[:20], nil, err
		},
	}
}

var policyAttachable = engine.Rule{
	Name: "policy-attachable", Says: "the policy exists: the account's own, or one that AWS manages", Source: "IAM API, AttachRolePolicy (NoSuchEntity)",
	Judge: func(c *engine.Call) error { return attachable(c, c.In.Str("policyArn")) },
}

func (a Account) attachmentQuota() engine.Rule {
	limit := a.limit("role-policies")
	return engine.Rule{
		Name: "attachment-quota", Says: fmt.Sprintf("at most %d policies are attached to a role", limit), Source: iamQuotas,
		Judge: func(c *engine.Call) error {
			n := 0
			for _, a := range c.Others(rolePolicyAttachmentToken) {
				if a.In.Str("role") == c.In.Str("role") && a.In.Str("policyArn") != c.In.Str("policyArn") {
					n++
				}
			}
			if n >= limit {
				return engine.Refuse("LimitExceeded", "Cannot exceed quota for PoliciesPerRole: %d of role %s", limit, c.In.Str("role"))
			}
			return nil
		},
	}
}

package aws

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/kms"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	keyToken   = "aws:kms/key:Key"
	aliasToken = "aws:kms/alias:Alias"
)

func key() *engine.Resource {
	const source = "KMS API, CreateKey"
	return &engine.Resource{
		Token: keyToken, Args: kms.KeyArgs{}, State: kms.Key{},
		Replace: []string{"customerMasterKeySpec", "keyUsage", "multiRegion", "customKeyStoreId", "xksKeyId"},
		Plan: []engine.Rule{
			policyDocument("policy", resourcePolicy),
			keyNotLocked,
			between("deletionWindowInDays", "KMS API, ScheduleKeyDeletion", 7, 30),
			between("rotationPeriodInDays", "KMS API, EnableKeyRotation", 90, 2560),
			oneOf("keyUsage", source, "ENCRYPT_DECRYPT", "SIGN_VERIFY", "GENERATE_VERIFY_MAC", "KEY_AGREEMENT"),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			h, err := c.NewHex("key")
			id := h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
			out := engine.Outputs{"keyId": id, "arn": arn(c, "kms", "key/"+id)}
			setDefault(c, out, "policy", defaultKeyPolicy(c))
			setDefault(c, out, "keyUsage", "ENCRYPT_DECRYPT")
			setDefault(c, out, "customerMasterKeySpec", "SYMMETRIC_DEFAULT")
			setDefault(c, out, "isEnabled", true)
			if c.In.Bool("enableKeyRotation") {
				setDefault(c, out, "rotationPeriodInDays", 365)
			}
			return id, out, err
		},
	}
}

// defaultKeyPolicy is the policy of a key that was given none.
// Source: KMS Developer Guide, "Default key policy".
func defaultKeyPolicy(c *engine.Call) string {
	return `{"Id":"key-default-1","Statement":[{"Action":"kms:*","Effect":"Allow","Principal":{"AWS":"` +
		globalARN(c, "iam", "root") + `"},"Resource":"*","Sid":"Enable IAM User Permissions"}],"Version":"2012-10-17"}`
}

var keyNotLocked = engine.Rule{
	Name: "key-not-locked", Says: "a key's policy lets the account go on changing it", Source: "KMS API, CreateKey (BypassPolicyLockoutSafetyCheck)",
	Judge: func(c *engine.Call) error {
		text := c.In.Str("policy")
		doc, err := parseDocument(text, resourcePolicy)
		if text == "" || err != nil || c.In.Bool("bypassPolicyLockoutSafetyCheck") {
			return nil
		}
		for _, principal := range []string{globalARN(c, "iam", "root"), engine.Account, caller(c)} {
			if doc.allows("AWS", principal, "kms:PutKeyPolicy") {
				return nil
			}
		}
		return &engine.Error{Path: "policy", Code: "MalformedPolicyDocumentException",
			Message: "The new key policy will not allow you to update the key policy in the future: allow kms:* to " + globalARN(c, "iam", "root")}
	},
}

func alias() *engine.Resource {
	return &engine.Resource{
		Token: aliasToken, Args: kms.AliasArgs{}, State: kms.Alias{},
		Replace: []string{"name", "namePrefix"},
		Refs:    []engine.Ref{{Path: "targetKeyId", To: keyToken, By: []string{"id", "arn"}, Code: "NotFoundException"}},
		Plan: []engine.Rule{
			exactlyOne("name-or-prefix", "KMS API, CreateAlias", "name", "namePrefix"),
			aliasName,
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "name", "namePrefix")
			target, _ := c.Resolve("targetKeyId")
			return name, engine.Outputs{"name": name, "arn": arn(c, "kms", name), "targetKeyArn": target.Out.Str("arn")}, err
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			target, _ := c.Resolve("targetKeyId")
			return engine.Outputs{"targetKeyArn": target.Out.Str("arn")}, nil
		},
	}
}

var aliasShape = regexp.MustCompile(`^alias/[a-zA-Z0-9/_-]+$`)

var aliasName = engine.Rule{
	Name: "alias-name", Says: "the name begins with `alias/`, not with `alias/aws/`, and holds letters, digits and /_- only", Source: "KMS API, CreateAlias",
	Judge: func(c *engine.Call) error {
		for _, path := range []string{"name", "namePrefix"} {
			name := c.In.Str(path)
			switch {
			case name == "":
			case strings.HasPrefix(name, "alias/aws/"):
				return engine.Invalid(path, "got %q: names under alias/aws/ are AWS's own", name)
			case !aliasShape.MatchString(name):
				return engine.Invalid(path, "got %q, wanted alias/ and then letters, digits and /_- only", name)
			}
		}
		return nil
	},
}

// keyServes says whether a key's policy lets a service of the region use it.
func keyServes(key engine.Item, service, region string) bool {
	doc, err := parseDocument(key.Out.Str("policy"), resourcePolicy)
	if err != nil {
		return false
	}
	for _, principal := range []string{service + ".amazonaws.com", service + "." + region + ".amazonaws.com"} {
		if doc.allows("Service", principal, "kms:Encrypt") {
			return true
		}
	}
	return false
}

// caller is who the embedded cloud's user is.
func caller(c *engine.Call) string { return globalARN(c, "iam", "user/gpuyard") }

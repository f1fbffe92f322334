package aws

import (
	"regexp"
	"time"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ssm"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const activationToken = "aws:ssm/activation:Activation"

// activationCodeLength is how long a code is. Source: Systems Manager API, CreateActivation, ActivationCode: 20 to 250.
const activationCodeLength = 20

func activation() *engine.Resource {
	const source = "Systems Manager API, CreateActivation"
	return &engine.Resource{
		Token: activationToken, Args: ssm.ActivationArgs{}, State: ssm.Activation{},
		// Nothing about an activation changes but its tags.
		Replace: []string{"name", "description", "iamRole", "registrationLimit", "expirationDate"},
		Plan: []engine.Rule{
			between("registrationLimit", source, 1, 1000),
			shape("name", "holds letters, digits, spaces and _.:/=+-@ only, 256 at most", source, regexp.MustCompile(`^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$`)),
			shape("description", "has 256 characters at most", source, regexp.MustCompile(`^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$`)),
		},
		Apply: []engine.Rule{activationRole, activationExpiry},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			h, err := c.NewHex("activation")
			id := h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
			code, err2 := c.NewHex("activation code")
			if err == nil {
				err = err2
			}
			out := engine.Outputs{"activationCode": code[:activationCodeLength], "expired": false, "registrationCount": 0}
			setDefault(c, out, "registrationLimit", 1)
			setDefault(c, out, "expirationDate", c.Time().UTC().Add(24*time.Hour).Format(time.RFC3339))
			return id, out, err
		},
	}
}

var activationRole = engine.Rule{
	Name: "activation-role", Says: "the role exists, and lets ssm.amazonaws.com assume it", Source: "Systems Manager API, CreateActivation (ValidationException)",
	Judge: func(c *engine.Call) error {
		name := c.In.Str("iamRole")
		role, ok := c.Get(roleToken, name)
		if !ok || !trusts(role, "ssm.amazonaws.com", "sts:AssumeRole") {
			return engine.Refuse("ValidationException", "Nonexistent role or missing ssm service principal in trust policy: %s", globalARN(c, "iam", "role/"+name))
		}
		return nil
	},
}

var activationExpiry = engine.Rule{
	Name: "activation-expiry", Says: "an activation expires in the future, and within 30 days", Source: "Systems Manager API, CreateActivation, ExpirationDate",
	Judge: func(c *engine.Call) error {
		text := c.In.Str("expirationDate")
		if text == "" {
			return nil
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil || !at.After(c.Time()) || at.After(c.Time().Add(30*24*time.Hour)) {
			return engine.Invalid("expirationDate", "got %q, wanted a time such as 2026-12-01T12:00:00Z within 30 days", text)
		}
		return nil
	},
}

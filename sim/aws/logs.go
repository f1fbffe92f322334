package aws

import (
	"regexp"
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/cloudwatch"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const logGroupToken = "aws:cloudwatch/logGroup:LogGroup"

// retentions are the days for which a log group can keep its logs; 0 is for ever.
// Source: CloudWatch Logs API, PutRetentionPolicy.
var retentions = []int{0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653}

func logGroup() *engine.Resource {
	const source = "CloudWatch Logs API, CreateLogGroup"
	return &engine.Resource{
		Token: logGroupToken, Args: cloudwatch.LogGroupArgs{}, State: cloudwatch.LogGroup{},
		Replace:  []string{"name", "namePrefix", "logGroupClass"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 512},
		Refs:     []engine.Ref{{Path: "kmsKeyId", To: keyToken, By: []string{"arn"}, Code: "InvalidParameterException"}},
		Plan: []engine.Rule{
			shape("name", "holds letters, digits and _-/.# only", source, regexp.MustCompile(`^[.\-_/#A-Za-z0-9]+$`)),
			oneOf("logGroupClass", source, "STANDARD", "INFREQUENT_ACCESS", "DELIVERY"),
			legalRetention,
		},
		Apply: []engine.Rule{keyServesLogs},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "name", "namePrefix")
			if err != nil {
				return "", nil, err
			}
			if _, taken := c.Get(logGroupToken, name); taken {
				return "", nil, engine.Refuse("ResourceAlreadyExistsException", "The specified log group already exists: %s. "+
					"A cluster with control plane logging makes its own; make the cluster depend on this one", name)
			}
			out := engine.Outputs{"name": name, "arn": arn(c, "logs", "log-group:"+name)}
			setDefault(c, out, "logGroupClass", "STANDARD")
			return name, out, nil
		},
	}
}

var legalRetention = engine.Rule{
	Name: "legal-retention", Says: "`retentionInDays` is a value that CloudWatch has", Source: "CloudWatch Logs API, PutRetentionPolicy",
	Judge: func(c *engine.Call) error {
		if days, ok := c.In.Int("retentionInDays"); ok && !slices.Contains(retentions, days) {
			return engine.Invalid("retentionInDays", "got %d, wanted one of %v", days, retentions)
		}
		return nil
	},
}

var keyServesLogs = engine.Rule{
	Name: "key-serves-logs", Says: "the key's policy lets CloudWatch Logs use it", Source: "CloudWatch Logs User Guide, \"Encrypt log data using KMS\"",
	Judge: func(c *engine.Call) error {
		k, ok := c.Resolve("kmsKeyId")
		if !ok || keyServes(k, "logs", c.Region) {
			return nil
		}
		return engine.Refuse("InvalidParameterException", "The specified KMS key %s does not exist or is not allowed to be used with this log group: allow kms:Encrypt* to logs.%s.amazonaws.com in its policy", k.ID, c.Region)
	},
}

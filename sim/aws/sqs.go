package aws

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/sqs"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const queueToken = "aws:sqs/queue:Queue"

func queue() *engine.Resource {
	const source = "SQS API, SetQueueAttributes"
	return &engine.Resource{
		Token: queueToken, Args: sqs.QueueArgs{}, State: sqs.Queue{},
		Replace:  []string{"name", "namePrefix", "fifoQueue"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 80},
		Plan: []engine.Rule{
			shape("name", "holds letters, digits, - and _, and ends with .fifo for such a queue", "SQS API, CreateQueue", regexp.MustCompile(`^[a-zA-Z0-9_-]+(\.fifo)?$`)),
			between(visibilityTimeouts, source, 0, 43200),
			between("messageRetentionSeconds", source, 60, 1209600),
			between("receiveWaitTimeSeconds", source, 0, 20),
			between("delaySeconds", source, 0, 900),
			redrives,
		},
		Apply: []engine.Rule{redriveTarget},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "name", "namePrefix")
			url := fmt.Sprintf("https://sqs.%s.%s/%s/%s", c.Region, partition(c.Region).dnsSuffix, engine.Account, name)
			out := engine.Outputs{"name": name, "arn": arn(c, "sqs", name), "url": url}
			setDefault(c, out, visibilityTimeouts, 30)
			setDefault(c, out, "messageRetentionSeconds", 345600)
			return url, out, err
		},
	}
}

// redrive is a queue's policy of what becomes of messages that are received too often.
type redrive struct {
	Target string `json:"deadLetterTargetArn"`
	Max    int    `json:"maxReceiveCount"`
}

var redrives = engine.Rule{
	Name: "redrive-policy", Says: "the redrive policy is JSON with a target and 1 to 1000 receives", Source: "SQS API, SetQueueAttributes",
	Judge: func(c *engine.Call) error {
		text := c.In.Str("redrivePolicy")
		var p redrive
		if text == "" {
			return nil
		}
		if err := json.Unmarshal([]byte(text), &p); err != nil || p.Target == "" || p.Max < 1 || p.Max > 1000 {
			return engine.Invalid("redrivePolicy", "got %s, wanted {\"deadLetterTargetArn\": …, \"maxReceiveCount\": 1 to 1000}", text)
		}
		return nil
	},
}

var redriveTarget = engine.Rule{
	Name: "redrive-target", Says: "the target of the redrive policy is a queue of the same kind", Source: "SQS API, SetQueueAttributes",
	Judge: func(c *engine.Call) error {
		var p redrive
		if err := json.Unmarshal([]byte(c.In.Str("redrivePolicy")), &p); err != nil {
			return nil // there is none
		}
		target, ok := c.Find(queueToken, "arn", p.Target)
		if !ok || strings.HasSuffix(target.Out.Str("name"), ".fifo") != strings.HasSuffix(c.In.Str("name"), ".fifo") {
			return engine.Refuse("InvalidParameterValue", "Value %s for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist, or is of another kind", p.Target)
		}
		return nil
	},
}

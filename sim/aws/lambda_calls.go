package aws

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/lambda"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	lambdaAliasToken   = "aws:lambda/alias:Alias"
	provisionedToken   = "aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig"
	eventSourceToken   = "aws:lambda/eventSourceMapping:EventSourceMapping"
	functionURLToken   = "aws:lambda/functionUrl:FunctionUrl"
	eventInvokeToken   = "aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig"
	lambdaNotThere     = "ResourceNotFoundException"
	createEventSource  = "Lambda API, CreateEventSourceMapping"
	putProvisioned     = "Lambda API, PutProvisionedConcurrencyConfig"
	putEventInvoke     = "Lambda API, PutFunctionEventInvokeConfig"
	createFunctionURL  = "Lambda API, CreateFunctionUrlConfig"
	createAlias        = "Lambda API, CreateAlias"
	visibilityTimeouts = "visibilityTimeoutSeconds"
)

// ofFunction is the reference to a function by its name.
func ofFunction() engine.Ref {
	return engine.Ref{Path: "functionName", To: functionToken, By: []string{"id", "arn"}, Code: lambdaNotThere}
}

func lambdaAlias() *engine.Resource {
	return &engine.Resource{
		Token: lambdaAliasToken, Args: lambda.AliasArgs{}, State: lambda.Alias{},
		Replace:  []string{"functionName", "name"},
		AutoName: &engine.AutoName{Property: "name", Max: 128},
		Refs:     []engine.Ref{ofFunction()},
		Plan:     []engine.Rule{shape("name", "holds letters, digits, - and _, and is no number", createAlias, regexp.MustCompile(`^[0-9]*[a-zA-Z_-][a-zA-Z0-9-_]*$`))},
		Apply:    []engine.Rule{aliasOfVersion},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			f, _ := c.Resolve("functionName")
			c.ComeWith(functionToken, f.ID)
			arn := f.Out.Str("arn") + ":" + c.In.Str("name")
			return f.ID + ":" + c.In.Str("name"), engine.Outputs{"arn": arn, "invokeArn": invokeARN(c, arn)}, nil
		},
	}
}

// versionThere says whether a version of a function is there. Versions stay when others are published.
func versionThere(f engine.Item, number string) bool {
	n, err := strconv.Atoi(number)
	latest, _ := strconv.Atoi(f.Out.Str("version"))
	return err == nil && n >= 1 && n <= latest
}

var aliasOfVersion = engine.Rule{
	Name: "alias-of-version", Says: "an alias names a version that was published, or $LATEST", Source: createAlias,
	Judge: func(c *engine.Call) error {
		f, ok := c.Resolve("functionName")
		if v := c.In.Str("functionVersion"); !ok || v == "$LATEST" || versionThere(f, v) {
			return nil
		}
		return engine.Refuse(lambdaNotThere, "Function not found: %s:%s", f.Out.Str("arn"), c.In.Str("functionVersion"))
	},
}

func provisionedConcurrency() *engine.Resource {
	return &engine.Resource{
		Token: provisionedToken, Args: lambda.ProvisionedConcurrencyConfigArgs{}, State: lambda.ProvisionedConcurrencyConfig{},
		Replace: []string{"functionName", "qualifier"},
		Refs:    []engine.Ref{ofFunction()},
		Plan:    []engine.Rule{warmQualifier, between("provisionedConcurrentExecutions", putProvisioned, 1, 100000)},
		Apply:   []engine.Rule{warmOfVersion, warmWithinReserved},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			f, _ := c.Resolve("functionName")
			c.ComeWith(functionToken, f.ID)
			return f.ID + "," + c.In.Str("qualifier"), nil, nil
		},
	}
}

var warmQualifier = engine.Rule{
	Name: "warm-qualifier", Says: "copies are kept warm of a version or an alias, not of $LATEST", Source: putProvisioned,
	Judge: func(c *engine.Call) error {
		if c.In.Str("qualifier") == "$LATEST" {
			return engine.Invalid("qualifier", "Provisioned Concurrency Configs cannot be applied to unpublished function versions ($LATEST)")
		}
		return nil
	},
}

var warmOfVersion = engine.Rule{
	Name: "warm-of-version", Says: "the version or alias is there, and an alias sends all its calls to one version", Source: putProvisioned,
	Judge: func(c *engine.Call) error {
		f, ok := c.Resolve("functionName")
		q := c.In.Str("qualifier")
		if !ok || versionThere(f, q) {
			return nil
		}
		alias, ok := c.Get(lambdaAliasToken, f.ID+":"+q)
		switch {
		case !ok:
			return engine.Refuse(lambdaNotThere, "Cannot find %s version or alias: %s", f.ID, q)
		case alias.In.Has("routingConfig"):
			return engine.Refuse("InvalidParameterValueException", "Alias with weights can not be used with Provisioned Concurrency: %s", q)
		}
		return nil
	},
}

var warmWithinReserved = engine.Rule{
	Name: "warm-within-reserved", Says: "all warm copies of a function are within its reserved concurrency", Source: putProvisioned,
	Judge: func(c *engine.Call) error {
		f, ok := c.Resolve("functionName")
		reserved, has := f.In.Int("reservedConcurrentExecutions")
		if !ok || !has || reserved < 0 {
			return nil
		}
		total, _ := c.In.Int("provisionedConcurrentExecutions")
		for _, other := range c.Others(provisionedToken) {
			if other.In.Str("functionName") == c.In.Str("functionName") {
				n, _ := other.In.Int("provisionedConcurrentExecutions")
				total += n
			}
		}
		if total > reserved {
			return engine.Refuse("InvalidParameterValueException", "Requested Provisioned Concurrency should not be greater than the reservedConcurrentExecution for function: %d of %d. A version that replaces another needs room beside it", total, reserved)
		}
		return nil
	},
}

func eventSourceMapping() *engine.Resource {
	return &engine.Resource{
		Token: eventSourceToken, Args: lambda.EventSourceMappingArgs{}, State: lambda.EventSourceMapping{},
		Replace: []string{"eventSourceArn"},
		Refs:    []engine.Ref{{Path: "eventSourceArn", To: queueToken, By: []string{"arn"}, Code: "InvalidParameterValueException"}},
		Plan: []engine.Rule{
			given("eventSourceArn"),
			between("batchSize", createEventSource, 1, 10000),
			between("scalingConfig.maximumConcurrency", createEventSource, 2, 1000),
			oneOf("functionResponseTypes[*]", createEventSource, "ReportBatchItemFailures"),
			largeBatches,
		},
		Apply: []engine.Rule{calledFunction, visibleAfter, mayReceive},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			f, _ := called(c)
			h, err := c.NewHex("mapping")
			id := uuid(h)
			out := engine.Outputs{
				"uuid": id, "arn": arn(c, "lambda", "event-source-mapping:"+id), "functionArn": f.Out.Str("arn"), "state": "Enabled", "lastModified": c.Now(),
			}
			setDefault(c, out, "batchSize", 10)
			return id, out, err
		},
	}
}

// called returns the function that an argument names: by name, by ARN, or by either with a version or an alias.
func called(c *engine.Call) (engine.Item, bool) {
	name := c.In.Str("functionName")
	if i := strings.Index(name, ":function:"); i >= 0 {
		name = name[i+len(":function:"):]
	}
	name, qualifier, qualified := strings.Cut(name, ":")
	f, ok := c.Get(functionToken, name)
	if ok && qualified && qualifier != "$LATEST" && !versionThere(f, qualifier) {
		_, ok = c.Get(lambdaAliasToken, name+":"+qualifier)
	}
	return f, ok
}

var calledFunction = engine.Rule{
	Name: "called-function", Says: "the function, version or alias is there", Source: createEventSource,
	Judge: func(c *engine.Call) error {
		if _, ok := called(c); !ok {
			return engine.Refuse(lambdaNotThere, "Function not found: %s", c.In.Str("functionName"))
		}
		return nil
	},
}

var largeBatches = engine.Rule{
	Name: "large-batches", Says: "batches of more than 10 messages wait for a window", Source: createEventSource,
	Judge: func(c *engine.Call) error {
		if n, _ := c.In.Int("batchSize"); n > 10 && !c.In.Has("maximumBatchingWindowInSeconds") {
			return engine.Invalid("batchSize", "Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10")
		}
		return nil
	},
}

var visibleAfter = engine.Rule{
	Name: "visible-after", Says: "the queue hides a message at least as long as the function may run", Source: "Lambda Developer Guide, \"Creating and configuring an Amazon SQS event source mapping\"",
	Judge: func(c *engine.Call) error {
		queue, ok := c.Resolve("eventSourceArn")
		f, known := called(c)
		hidden, _ := queue.Out.Int(visibilityTimeouts)
		timeout, _ := f.Out.Int("timeout")
		if ok && known && hidden < timeout {
			return engine.Refuse("InvalidParameterValueException", "Queue visibility timeout: %d seconds is less than Function timeout: %d seconds", hidden, timeout)
		}
		return nil
	},
}

var mayReceive = engine.Rule{
	Name: "may-receive", Says: "the function's role may receive from the queue", Source: createEventSource,
	Judge: func(c *engine.Call) error {
		f, ok := called(c)
		if !ok {
			return nil
		}
		return functionMay(c, f, "sqs:ReceiveMessage")
	},
}

// functionMay refuses what no policy of a function's role allows.
func functionMay(c *engine.Call, f engine.Item, action string) error {
	role, _ := c.Find(roleToken, "arn", f.In.Str("role"))
	if mayDo(c, role, action) {
		return nil
	}
	return engine.Refuse("InvalidParameterValueException", "The provided execution role does not have permissions to call %s: let a policy of the role %s allow it first", action, role.ID)
}

func functionURL() *engine.Resource {
	return &engine.Resource{
		Token: functionURLToken, Args: lambda.FunctionUrlArgs{}, State: lambda.FunctionUrl{},
		Replace: []string{"functionName", "qualifier"},
		Refs:    []engine.Ref{ofFunction()},
		Plan: []engine.Rule{
			oneOf("authorizationType", createFunctionURL, "AWS_IAM", "NONE"),
			oneOf("invokeMode", createFunctionURL, "BUFFERED", "RESPONSE_STREAM"),
		},
		Apply: []engine.Rule{addressOfAlias},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			f, _ := c.Resolve("functionName")
			c.ComeWith(functionToken, f.ID)
			h, err := c.NewHex("url")
			id := h[:32]
			out := engine.Outputs{"functionArn": f.Out.Str("arn"), "urlId": id, "functionUrl": fmt.Sprintf("https://%s.lambda-url.%s.on.aws/", id, c.Region)}
			setDefault(c, out, "invokeMode", "BUFFERED")
			return strings.TrimSuffix(f.ID+"/"+c.In.Str("qualifier"), "/"), out, err
		},
	}
}

var addressOfAlias = engine.Rule{
	Name: "address-of-alias", Says: "an address is that of an alias or of $LATEST, not of a version", Source: createFunctionURL,
	Judge: func(c *engine.Call) error {
		f, ok := c.Resolve("functionName")
		q := c.In.Str("qualifier")
		if _, there := c.Get(lambdaAliasToken, f.ID+":"+q); !ok || q == "" || there {
			return nil
		}
		return engine.Refuse(lambdaNotThere, "Function does not exist: %s has no alias %s", f.ID, q)
	},
}

func eventInvokeConfig() *engine.Resource {
	return &engine.Resource{
		Token: eventInvokeToken, Args: lambda.FunctionEventInvokeConfigArgs{}, State: lambda.FunctionEventInvokeConfig{},
		Replace: []string{"functionName", "qualifier"},
		Refs: []engine.Ref{
			ofFunction(),
			{Path: "destinationConfig.onFailure.destination", To: queueToken, By: []string{"arn"}, Code: "InvalidParameterValueException"},
		},
		Plan: []engine.Rule{
			between("maximumRetryAttempts", putEventInvoke, 0, 2),
			between("maximumEventAgeInSeconds", putEventInvoke, 60, 21600),
		},
		Apply: []engine.Rule{maySend},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			f, _ := c.Resolve("functionName")
			c.ComeWith(functionToken, f.ID)
			return strings.TrimSuffix(f.ID+":"+c.In.Str("qualifier"), ":"), nil, nil
		},
	}
}

var maySend = engine.Rule{
	Name: "may-send", Says: "the function's role may send to the destination", Source: putEventInvoke,
	Judge: func(c *engine.Call) error {
		f, ok := c.Resolve("functionName")
		destination := c.In.Str("destinationConfig.onFailure.destination")
		if !ok || destination == "" {
			return nil
		}
		return functionMay(c, f, "sqs:SendMessage")
	},
}

func getFunction() *engine.Function {
	return &engine.Function{
		Token: "aws:lambda/getFunction:getFunction", Args: &lambda.LookupFunctionArgs{}, Result: &lambda.LookupFunctionResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			f, ok := c.Get(functionToken, c.In.Str("functionName"))
			if !ok {
				return nil, errors.New("reading Lambda Function (" + c.In.Str("functionName") + "): couldn't find resource (ResourceNotFoundException)")
			}
			return engine.Outputs{
				"id": f.ID, "functionName": f.ID, "arn": f.Out.Str("arn"), "version": f.Out.Str("version"), "imageUri": f.In.Str("imageUri"), "role": f.In.Str("role"),
			}, nil
		},
	}
}

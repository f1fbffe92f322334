package aws

import (
	"errors"
	"fmt"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/lambda"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const functionToken = "aws:lambda/function:Function"

const (
	createFunction = "Lambda API, CreateFunction"
	lambdaQuotas   = "Lambda Developer Guide, \"Lambda quotas\""
)

// published are the arguments whose change publishes a version. All others change the function as a whole.
// Source: Lambda API, PublishVersion.
var published = []string{
	"imageUri", "architectures", "memorySize", "timeout", "ephemeralStorage", "environment", "role", "vpcConfig", "fileSystemConfig",
	"tracingConfig", "loggingConfig", "description", "imageConfig", "deadLetterConfig",
}

// publishes says whether a change of arguments publishes a version.
func publishes(had, in engine.Props) bool {
	return slices.ContainsFunc(published, func(name string) bool {
		a, b := had.Leaves(name), in.Leaves(name)
		return len(a) != len(b) || len(a) > 0 && !a[0].Value.DeepEquals(b[0].Value)
	})
}

func function(a Account) *engine.Resource {
	return &engine.Resource{
		Token: functionToken, Args: lambda.FunctionArgs{}, State: lambda.Function{},
		Replace:  []string{"name", "packageType"},
		AutoName: &engine.AutoName{Property: "name", Max: 64},
		Refs: []engine.Ref{
			{Path: "role", To: roleToken, By: []string{"arn"}, Code: "InvalidParameterValueException"},
			{Path: "vpcConfig.subnetIds[*]", To: subnetToken, By: byID, Code: "InvalidParameterValueException", Holds: true},
			{Path: "vpcConfig.securityGroupIds[*]", To: securityGroupToken, By: byID, Code: "InvalidParameterValueException", Holds: true},
			{Path: "fileSystemConfig.arn", To: accessPointToken, By: []string{"arn"}, Code: "InvalidParameterValueException"},
			{Path: "loggingConfig.logGroup", To: logGroupToken, By: byID, Code: "InvalidParameterValueException"},
		},
		Plan: []engine.Rule{
			shape("name", "holds letters, digits, - and _ only", createFunction, regexp.MustCompile(`^[a-zA-Z0-9-_]+$`)),
			between("memorySize", lambdaQuotas, catalog.LambdaMemoryMiBMin, catalog.LambdaMemoryMiBMax),
			between("timeout", lambdaQuotas, 1, catalog.LambdaTimeoutMax),
			between("ephemeralStorage.size", lambdaQuotas, catalog.LambdaTmpMiBMin, catalog.LambdaTmpMiBMax),
			between("reservedConcurrentExecutions", "Lambda API, PutFunctionConcurrency", -1, 100000),
			oneOf("architectures[*]", createFunction, "x86_64", "arm64"),
			oneOf("tracingConfig.mode", createFunction, "Active", "PassThrough"),
			shape("fileSystemConfig.localMountPath", "is directly below /mnt/", createFunction, regexp.MustCompile(`^/mnt/[a-zA-Z0-9-_.]+$`)),
			functionOfImage, snapStartNever, oneArchitecture, fileSystemInVPC, environmentSize,
		},
		Apply:  []engine.Rule{a.unreserved(), roleTrustsLambda, imageThere, imageRuns, accessPointMounted},
		Moves:  []string{"version", "qualifiedArn", "qualifiedInvokeArn", "lastModified"},
		Moved:  publishes,
		Create: createTheFunction,
		Update: updateTheFunction,
	}
}

func createTheFunction(c *engine.Call) (string, engine.Outputs, error) {
	name := c.In.Str("name")
	arn := arn(c, "lambda", "function:"+name)
	out := engine.Outputs{"arn": arn, "invokeArn": invokeARN(c, arn), "lastModified": c.Now()}
	for argument, value := range map[string]any{
		"memorySize": 128, "timeout": 3, "packageType": "Zip", "reservedConcurrentExecutions": -1, "publish": false,
	} {
		setDefault(c, out, argument, value)
	}
	setDefault(c, out, "architectures", []any{"x86_64"})
	out["code"] = &archive.Archive{Sig: archive.ArchiveSig, Assets: map[string]any{}} // an image has none
	version(c, out, arn, 1)
	return name, out, nil
}

func updateTheFunction(c *engine.Call) (engine.Outputs, error) {
	n, _ := strconv.Atoi(c.Was.Str("version"))
	if !publishes(c.Had, c.In) {
		return nil, nil
	}
	out := engine.Outputs{"lastModified": c.Now()}
	version(c, out, c.Was.Str("arn"), n+1)
	return out, nil
}

// version publishes a version where the function wants that.
func version(c *engine.Call, out engine.Outputs, arn string, n int) {
	number := "$LATEST"
	if c.In.Bool("publish") {
		number = strconv.Itoa(n)
	}
	out["version"], out["qualifiedArn"], out["qualifiedInvokeArn"] = number, arn+":"+number, invokeARN(c, arn+":"+number)
}

func invokeARN(c *engine.Call, arn string) string {
	return fmt.Sprintf("arn:%s:apigateway:%s:lambda:path/2015-03-31/functions/%s/invocations", partition(c.Region).name, c.Region, arn)
}

// imageName takes an address in the account's registry of a region apart.
var imageName = regexp.MustCompile(`^([0-9]{12})\.dkr\.ecr(-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?/([a-z0-9._/-]+)(?::([A-Za-z0-9_.-]+)|@(sha256:[0-9a-f]{64}))$`)

var functionOfImage = engine.Rule{
	Name: "function-of-image", Says: "a function of package type Image names an image by tag or digest, in a private registry of its own region, and not by its FIPS address; the embedded cloud runs no other functions", Source: createFunction + "; Lambda Developer Guide, \"Create a Lambda function using a container image\"",
	Judge: func(c *engine.Call) error {
		uri := c.In.Str("imageUri")
		if kind := c.In.Str("packageType"); kind != "Image" && !c.In.Unknown("packageType") {
			return engine.Invalid("packageType", "got %q: the embedded cloud runs functions from images, Image", kind)
		}
		if !c.In.Has("imageUri") {
			return engine.Invalid("imageUri", "missing: a function of package type Image needs one")
		}
		m := imageName.FindStringSubmatch(uri)
		switch {
		case uri == "":
			return nil
		case m == nil:
			return engine.Invalid("imageUri", "got %q: source image is not valid. Provide a valid source image, in a private Amazon ECR repository, by tag or digest", uri)
		case m[2] != "" || m[3] != c.Region:
			return engine.Invalid("imageUri", "got %q: the image must be in %s, as the function, and not be named by a FIPS endpoint", uri, c.Region)
		}
		return nil
	},
}

var snapStartNever = engine.Rule{
	Name: "snap-start", Says: "a function from an image has no SnapStart", Source: "Lambda Developer Guide, \"Improving startup performance with Lambda SnapStart\"",
	Judge: func(c *engine.Call) error {
		if on := c.In.Str("snapStart.applyOn"); on != "" && on != "None" {
			return engine.Invalid("snapStart.applyOn", "got %q: SnapStart is not supported for functions with package type Image", on)
		}
		return nil
	},
}

var oneArchitecture = engine.Rule{
	Name: "one-architecture", Says: "a function has one architecture", Source: createFunction,
	Judge: func(c *engine.Call) error {
		if n := len(c.In.Strs("architectures[*]")); n > 1 {
			return engine.Invalid("architectures", "got %d, wanted one", n)
		}
		return nil
	},
}

var fileSystemInVPC = engine.Rule{
	Name: "file-system-in-vpc", Says: "a function that mounts a file system is attached to a VPC", Source: createFunction,
	Judge: func(c *engine.Call) error {
		if c.In.Has("fileSystemConfig") && !c.In.Has("vpcConfig.subnetIds[*]") && !c.In.Unknown("vpcConfig") {
			return engine.Invalid("fileSystemConfig", "the function has no vpcConfig: EFS is reached in a VPC only")
		}
		return nil
	},
}

var environmentSize = engine.Rule{
	Name: "environment-size", Says: "the environment variables have 4 KB at most", Source: lambdaQuotas,
	Judge: func(c *engine.Call) error {
		size := 0
		for name, value := range c.In.Map("environment.variables") {
			size += len(name) + len(value)
		}
		if size > 4096 {
			return engine.Invalid("environment.variables", "Lambda was unable to configure your environment variables because the environment variables you have provided exceeded the 4KB limit: %d", size)
		}
		return nil
	},
}

// unreserved is the rule that an account keeps some concurrency that no function has for itself.
func (a Account) unreserved() engine.Rule {
	limit := a.limit("concurrent-executions")
	const least = 100
	return engine.Rule{
		Name: "unreserved-concurrency", Says: fmt.Sprintf("of the account's %d concurrent executions, %d stay unreserved", limit, least), Source: "Lambda API, PutFunctionConcurrency",
		Judge: func(c *engine.Call) error {
			total := 0
			for _, in := range append(inputsOf(c.Others(functionToken)), c.In) {
				if n, ok := in.Int("reservedConcurrentExecutions"); ok && n > 0 {
					total += n
				}
			}
			if total > limit-least {
				return engine.Refuse("InvalidParameterValueException", "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [%d]: %d of %d would be reserved", least, total, limit)
			}
			return nil
		},
	}
}

func inputsOf(items []engine.Item) []engine.Props {
	var all []engine.Props
	for _, i := range items {
		all = append(all, i.In)
	}
	return all
}

var roleTrustsLambda = engine.Rule{
	Name: "role-trusts-lambda", Says: "the role lets lambda.amazonaws.com assume it", Source: createFunction,
	Judge: func(c *engine.Call) error {
		role, ok := c.Resolve("role")
		if !ok || trusts(role, "lambda.amazonaws.com", "sts:AssumeRole") {
			return nil
		}
		return engine.Refuse("InvalidParameterValueException", "The role defined for the function cannot be assumed by Lambda: %s does not trust lambda.amazonaws.com", role.ID)
	},
}

// imageOf returns the image that a function runs.
func imageOf(c *engine.Call) (pushed, bool) {
	m := imageName.FindStringSubmatch(c.In.Str("imageUri"))
	if m == nil {
		return pushed{}, false
	}
	for _, i := range imagesOf(c, m[4]) {
		if i.is(m[5], m[6]) {
			return i, true
		}
	}
	return pushed{}, false
}

var imageThere = engine.Rule{
	Name: "image-there", Says: "the image is in the registry", Source: createFunction,
	Judge: func(c *engine.Call) error {
		if _, ok := imageOf(c); !ok {
			return engine.Refuse("InvalidParameterValueException", "Source image %s does not exist. Provide a valid source image", c.In.Str("imageUri"))
		}
		return nil
	},
}

var imageRuns = engine.Rule{
	Name: "image-runs", Says: "the image is a single manifest of the function's architecture, no list of images", Source: "Lambda Developer Guide, \"Create a Lambda function using a container image\"; docker/buildx issue 1533",
	Judge: func(c *engine.Call) error {
		image, ok := imageOf(c)
		if !ok {
			return nil // image-there says so
		}
		want := "amd64"
		if slices.Contains(c.In.Strs("architectures[*]"), "arm64") {
			want = "arm64"
		}
		var errs []error
		if image.index {
			errs = append(errs, engine.Refuse("InvalidParameterValueException", "The image manifest, config or layer media type for the source image %s is not supported: push one manifest, without attestations", c.In.Str("imageUri")))
		}
		if image.architecture != want {
			errs = append(errs, engine.Refuse("InvalidParameterValueException", "The source image is of %s, and the function of %s (Runtime.InvalidEntrypoint in its first call)", image.architecture, want))
		}
		return errors.Join(errs...)
	},
}

var accessPointMounted = engine.Rule{
	Name: "access-point-mounted", Says: "the file system has a mount target in the VPC of the function's subnets", Source: "Lambda Developer Guide, \"Configuring file system access for Lambda functions\"",
	Judge: func(c *engine.Call) error {
		point, ok := c.Resolve("fileSystemConfig.arn")
		if !ok {
			return nil
		}
		for _, t := range c.All(mountTargetToken) {
			subnet, _ := c.Get(subnetToken, t.In.Str("subnetId"))
			own, _ := c.Get(subnetToken, strings.Join(c.In.Strs("vpcConfig.subnetIds[*]")[:1], ""))
			if t.In.Str("fileSystemId") == point.In.Str("fileSystemId") && subnet.In.Str("vpcId") == own.In.Str("vpcId") {
				return nil
			}
		}
		return engine.Refuse("EFSMountConnectivityException", "EFS file system %s does not have mount targets created in the function's network", point.In.Str("fileSystemId"))
	},
}

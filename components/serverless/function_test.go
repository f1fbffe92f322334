package serverless_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/serverless"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const image = "111122223333.dkr.ecr.eu-west-1.amazonaws.com/burst/tuner@sha256:abababababababababababababababababababababababababababababababab"

// world answers what the components ask.
func world() pulumitest.Options {
	text := func(s string) resource.PropertyValue { return resource.NewProperty(s) }
	answer := func(m resource.PropertyMap) pulumitest.CallFunc {
		return func(resource.PropertyMap) (resource.PropertyMap, error) { return m, nil }
	}
	return pulumitest.Options{Outputs: map[string]pulumitest.OutputFunc{
		"aws:lambda/function:Function": func(string, resource.PropertyMap) resource.PropertyMap {
			return resource.PropertyMap{"version": text("7")}
		},
	}, Calls: map[string]pulumitest.CallFunc{
		"aws:index/getPartition:getPartition":            answer(resource.PropertyMap{"partition": text("aws"), "id": text("aws"), "dnsSuffix": text("amazonaws.com")}),
		"aws:index/getCallerIdentity:getCallerIdentity":  answer(resource.PropertyMap{"accountId": text("111122223333"), "id": text("111122223333")}),
		"azure-native:operationalinsights:getSharedKeys": answer(resource.PropertyMap{"primarySharedKey": text("key-of-logs")}),
		"azure-native:storage:listStorageAccountKeys": answer(resource.PropertyMap{"keys": resource.NewProperty([]resource.PropertyValue{
			resource.NewProperty(resource.PropertyMap{"value": text("key-of-files")}),
		})}),
	}}
}

// plain is a function with nothing that need not be.
func plain() *serverless.FunctionArgs {
	return &serverless.FunctionArgs{
		ImageURI: pulumi.String(image), Architecture: "x86_64", Memory: 3008, EphemeralStorage: 512, Timeout: 60, LogRetentionDays: 30,
	}
}

// full is a function with everything.
func full() *serverless.FunctionArgs {
	reserved := 20
	return &serverless.FunctionArgs{
		ImageURI: pulumi.String(image), Architecture: "arm64", Memory: 10240, EphemeralStorage: 10240, Timeout: 900, LogRetentionDays: 7,
		ProvisionedConcurrency: 2, ReservedConcurrency: &reserved, Tracing: true,
		Scaling:   &serverless.Scaling{Max: 10, Target: 0.7, Schedules: []serverless.Schedule{{Name: "day", Cron: "0 8 ? * MON-FRI *", Timezone: "Europe/Berlin", Min: 4, Max: 10}}},
		Weights:   &serverless.Weights{Source: "s3://models-eu/dir/yolov8n.safetensors", Path: "/tmp/weights", SHA256: strings.Repeat("ab", 32), Size: 4096, MemoryMap: true},
		Queue:     &serverless.Queue{MaxReceive: 3, MaxConcurrency: 5, BatchSize: 1},
		Async:     &serverless.Async{Retries: 1, MaxAge: 3600},
		URL:       &serverless.URL{Stream: true},
		SubnetIDs: pulumi.StringArray{pulumi.String("subnet-a"), pulumi.String("subnet-b")}, SecurityGroupID: pulumi.String("sg-functions"),
		AccessPointARN: pulumi.String("arn:aws:elasticfilesystem:eu-west-1:111122223333:access-point/fsap-0123456789abcdef0"), MountPath: "/mnt/models",
		AlarmEmail: "oncall@example.com", Environment: map[string]string{"LEVEL": "info"}, Tags: map[string]string{"team": "ml"},
	}
}

func runFunction(t *testing.T, args *serverless.FunctionArgs) *pulumitest.Graph {
	t.Helper()
	return pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := serverless.NewFunction(ctx, "burst-tuner", args)
		return err
	}, world())
}

func TestFunctionGraphs(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*serverless.FunctionArgs{"plain": plain(), "full": full()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pulumitest.Golden(t, runFunction(t, args).String(), "testdata/function-"+name+".golden")
		})
	}
}

const (
	aliasToken = "aws:lambda/alias:Alias"
	warmToken  = "aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig"
)

// A fixed number of copies is the version's, and the alias moves when they are ready.
func TestAliasWaitsForWarmCopies(t *testing.T) {
	t.Parallel()
	args := full()
	args.Scaling = nil
	graph := runFunction(t, args)
	if got := graph.Get(t, aliasToken, "burst-tuner").Dependencies; !slices.Contains(got, warmToken+" burst-tuner") {
		t.Errorf("the alias waits for %v", got)
	}
	warm := graph.Get(t, warmToken, "burst-tuner")
	if got := warm.Inputs["qualifier"].StringValue(); got != "7" {
		t.Errorf("the warm copies are of %q, and the version is 7", got)
	}
}

// A number that follows the load is the alias's: on the version, each release would begin with the smallest, and what a
// schedule has set would be gone until its next time.
func TestScaledCopiesOutliveVersions(t *testing.T) {
	t.Parallel()
	graph := runFunction(t, full())
	if got := graph.Get(t, warmToken, "burst-tuner").Inputs["qualifier"].StringValue(); got != "live" {
		t.Errorf("the warm copies are of %q", got)
	}
	for token, name := range map[string]string{"target:Target": "", "policy:Policy": "", "scheduledAction:ScheduledAction": "-day"} {
		r := graph.Get(t, "aws:appautoscaling/"+token, "burst-tuner"+name)
		if got := r.Inputs["resourceId"].StringValue(); got != "function:burst-tuner:live" {
			t.Errorf("%s scales %q", token, got)
		}
	}
}

func TestFunctionIsToldOfItsWeights(t *testing.T) {
	t.Parallel()
	f := runFunction(t, full()).Get(t, "aws:lambda/function:Function", "burst-tuner")
	got := f.Inputs["environment"].ObjectValue()["variables"].ObjectValue()
	for name, want := range map[string]string{
		serverless.EnvWeightsSource: "s3://models-eu/dir/yolov8n.safetensors", serverless.EnvWeightsPath: "/tmp/weights",
		serverless.EnvWeightsMemoryMap: "true", serverless.EnvWeightsSize: "4294967296", "LEVEL": "info",
	} {
		if v := got[resource.PropertyKey(name)]; !v.IsString() || v.StringValue() != want {
			t.Errorf("%s is %v, want %s", name, v, want)
		}
	}
}

func TestWrongFunctionsAreRefused(t *testing.T) {
	t.Parallel()
	one := 1
	for want, change := range map[string]func(*serverless.FunctionArgs){
		"memory: 64 is not between 128 and 10240":             func(a *serverless.FunctionArgs) { a.Memory = 64 },
		"ephemeralStorage: 20480 is not between":              func(a *serverless.FunctionArgs) { a.EphemeralStorage = 20480 },
		"timeout: 901 is not between 1 and 900":               func(a *serverless.FunctionArgs) { a.Timeout = 901 },
		"architecture: \"riscv\" is unknown":                  func(a *serverless.FunctionArgs) { a.Architecture = "riscv" },
		"reservedConcurrency: 1 is less than":                 func(a *serverless.FunctionArgs) { a.ReservedConcurrency = &one },
		"scaling.max: 1 must be at least":                     func(a *serverless.FunctionArgs) { a.Scaling.Max = 1 },
		"scaling.target: 0.99 is not":                         func(a *serverless.FunctionArgs) { a.Scaling.Target = 0.99 },
		"scaling.schedules: \"day\"":                          func(a *serverless.FunctionArgs) { a.Scaling.Schedules[0].Cron = "0 8 * * *" },
		"weights.source: \"http://x\" is no address":          func(a *serverless.FunctionArgs) { a.Weights.Source = "http://x" },
		"weights.path: \"/opt/w\" is not below":               func(a *serverless.FunctionArgs) { a.Weights.Path = "/opt/w" },
		"9000 MiB of weights need 10800 MiB of ephemeral":     func(a *serverless.FunctionArgs) { a.Weights.Size = 9000 },
		"9000 MiB of weights need 11312 MiB of memory":        func(a *serverless.FunctionArgs) { a.Weights.Size = 9000 },
		"queue.visibility: 900 seconds are less than 5400":    func(a *serverless.FunctionArgs) { a.Queue.Visibility = 900 },
		"queue.maxConcurrency: 1 is not between 2 and 1000":   func(a *serverless.FunctionArgs) { a.Queue.MaxConcurrency = 1 },
		"queue.maxConcurrency: 30 is more than the 20 copies": func(a *serverless.FunctionArgs) { a.Queue.MaxConcurrency = 30 },
		"subnetIds: subnets and a security group are given":   func(a *serverless.FunctionArgs) { a.SecurityGroupID = nil },
		"mountPath: \"/models\" must begin with /mnt/":        func(a *serverless.FunctionArgs) { a.MountPath = "/models" },
		"environment: GPUYARD_WEIGHTS_PATH is set":            func(a *serverless.FunctionArgs) { a.Environment["GPUYARD_WEIGHTS_PATH"] = "x" },
		"a function has 4096":                                 func(a *serverless.FunctionArgs) { a.Environment["LONG"] = strings.Repeat("x", 4096) },
		"alarmEmail: a topic is given as well":                func(a *serverless.FunctionArgs) { a.AlarmTopicARN = pulumi.String("arn:aws:sns:eu-west-1:1:t") },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			args := full()
			change(args)
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := serverless.NewFunction(ctx, "burst-tuner", args)
				return err
			}, world())
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
			if len(graph.Resources) > 0 {
				t.Errorf("something was registered:\n%s", graph)
			}
		})
	}
}

func TestWhatFunctionsShare(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		if _, err := serverless.NewRepository(ctx, "burst-tuner-images", &serverless.RepositoryArgs{RepositoryName: "burst/tuner", Keep: 10, ForceDelete: true}); err != nil {
			return err
		}
		_, err := serverless.NewRegistry(ctx, "burst-registry", &serverless.RegistryArgs{
			PullThrough: []serverless.PullThrough{{Prefix: "ecr-public", Upstream: "public.ecr.aws"}}, ReplicateTo: []string{"eu-central-1"}, Prefix: "burst/",
		})
		if err != nil {
			return err
		}
		attachment, err := serverless.NewAttachment(ctx, "burst-functions", &serverless.AttachmentArgs{VpcID: pulumi.String("vpc-1")})
		if err != nil {
			return err
		}
		_, err = serverless.NewFileSystem(ctx, "burst-files", &serverless.FileSystemArgs{
			SubnetIDs: []pulumi.StringInput{pulumi.String("subnet-a"), pulumi.String("subnet-b")}, SecurityGroupID: attachment.SecurityGroupID,
		})
		return err
	}, world())
	pulumitest.Golden(t, graph.String(), "testdata/shared.golden")
}

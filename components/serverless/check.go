package serverless

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// mostEnvironment is how many bytes of environment variables a function has.
// Source: Lambda Developer Guide, "Lambda quotas".
const mostEnvironment = 4096

var functionName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// checkFunction reports everything that Lambda would refuse.
// Source: Lambda Developer Guide, "Lambda quotas"; Lambda API, CreateFunction.
func checkFunction(name string, a *FunctionArgs) error {
	c := argument.For(TypeFunction, name)
	if a == nil {
		c.Failf("args", "they are not given")
		return c.Err()
	}
	if !functionName.MatchString(name) {
		c.Failf("name", "%q is no name of a function: up to 64 letters, digits, dashes and underscores", name)
	}
	if a.ImageURI == nil {
		c.Failf("imageUri", "it is not given")
	}
	if a.Architecture != "x86_64" && a.Architecture != "arm64" {
		c.Failf("architecture", "%q is unknown: it may be x86_64 or arm64", a.Architecture)
	}
	between(c, "memory", a.Memory, catalog.LambdaMemoryMiBMin, catalog.LambdaMemoryMiBMax)
	between(c, "ephemeralStorage", a.EphemeralStorage, catalog.LambdaTmpMiBMin, catalog.LambdaTmpMiBMax)
	between(c, "timeout", a.Timeout, 1, catalog.LambdaTimeoutMax)
	checkConcurrency(c, a)
	checkWeights(c, a)
	checkQueue(c, a)
	checkVPC(c, a)
	checkEnvironment(c, a)
	if a.AlarmEmail != "" && a.AlarmTopicARN != nil {
		c.Failf("alarmEmail", "a topic is given as well: it is one or the other")
	}
	return c.Err()
}

func between(c *argument.Checker, name string, n, low, high int) {
	if n < low || n > high {
		c.Failf(name, "%d is not between %d and %d", n, low, high)
	}
}

func checkConcurrency(c *argument.Checker, a *FunctionArgs) {
	if a.ProvisionedConcurrency < 0 {
		c.Failf("provisionedConcurrency", "%d is less than 0", a.ProvisionedConcurrency)
	}
	reserved := a.ReservedConcurrency
	if reserved != nil && (*reserved < 0 || a.ProvisionedConcurrency > *reserved) {
		c.Failf("reservedConcurrency", "%d is less than 0 or than the %d copies that are kept warm", *reserved, a.ProvisionedConcurrency)
	}
	s := a.Scaling
	if s == nil {
		return
	}
	if a.ProvisionedConcurrency == 0 || s.Max < a.ProvisionedConcurrency || reserved != nil && s.Max > *reserved {
		c.Failf("scaling.max", "%d must be at least provisionedConcurrency, %d, which is at least 1, and at most what is reserved", s.Max, a.ProvisionedConcurrency)
	}
	if s.Target < 0.1 || s.Target > 0.9 {
		c.Failf("scaling.target", "%g is not between 0.1 and 0.9", s.Target)
	}
	for _, at := range s.Schedules {
		if len(strings.Fields(at.Cron)) != 6 || at.Min > at.Max || at.Name == "" {
			c.Failf("scaling.schedules", "%q has no name, no six cron fields, or a minimum above its maximum", at.Name)
		}
	}
}

func checkQueue(c *argument.Checker, a *FunctionArgs) {
	q := a.Queue
	if q == nil {
		return
	}
	between(c, "queue.maxReceive", q.MaxReceive, 1, 1000)
	between(c, "queue.batchSize", q.BatchSize, 1, 10)
	if q.MaxConcurrency != 0 {
		between(c, "queue.maxConcurrency", q.MaxConcurrency, 2, 1000)
	}
	if r := a.ReservedConcurrency; r != nil && q.MaxConcurrency > *r {
		c.Failf("queue.maxConcurrency", "%d is more than the %d copies that are reserved", q.MaxConcurrency, *r)
	}
	if least := visibility(a.Timeout); q.Visibility != 0 && q.Visibility < least {
		c.Failf("queue.visibility", "%d seconds are less than %d, six times the timeout: a message would be handed out again while it is handled", q.Visibility, least)
	}
}

func checkVPC(c *argument.Checker, a *FunctionArgs) {
	if (a.SubnetIDs == nil) != (a.SecurityGroupID == nil) {
		c.Failf("subnetIds", "subnets and a security group are given together or not at all")
	}
	if (a.AccessPointARN == nil) != (a.MountPath == "") {
		c.Failf("mountPath", "an access point and a path are given together or not at all")
	}
	if a.MountPath != "" && (!strings.HasPrefix(a.MountPath, "/mnt/") || a.SubnetIDs == nil) {
		c.Failf("mountPath", "%q must begin with /mnt/, and the function needs subnets to reach a file system", a.MountPath)
	}
}

func checkEnvironment(c *argument.Checker, a *FunctionArgs) {
	size := 0
	for _, name := range slices.Sorted(maps.Keys(a.Environment)) {
		if strings.HasPrefix(name, "GPUYARD_WEIGHTS_") || strings.HasPrefix(name, "AWS_LAMBDA_") {
			c.Failf("environment", "%s is set for the function already", name)
		}
	}
	for name, value := range a.variables() {
		size += len(name) + len(value)
	}
	if size > mostEnvironment {
		c.Failf("environment", "the variables have %d bytes in all, and a function has %d", size, mostEnvironment)
	}
}

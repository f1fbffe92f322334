package aws

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// suffixLength is how many characters the AWS provider puts behind a namePrefix.
// Source: Terraform plugin SDK, id.UniqueIDSuffixLength.
const suffixLength = 26

// nameOf returns the name of the resource that is being created: the one given, or a new one behind the prefix.
func nameOf(c *engine.Call, property, prefix string) (string, error) {
	if name := c.In.Str(property); name != "" {
		return name, nil
	}
	suffix, err := c.NewHex("name")
	return c.In.Str(prefix) + suffix[:suffixLength], err
}

// arn returns the Amazon resource name of something in the call's account and region.
func arn(c *engine.Call, service, name string) string {
	return fmt.Sprintf("arn:%s:%s:%s:%s:%s", partition(c.Region).name, service, c.Region, engine.Account, name)
}

// globalARN returns the Amazon resource name of something without a region.
func globalARN(c *engine.Call, service, name string) string {
	return fmt.Sprintf("arn:%s:%s::%s:%s", partition(c.Region).name, service, engine.Account, name)
}

// aPartition is one of AWS's separate worlds.
type aPartition struct{ name, dnsSuffix, reverseDNS string }

// partition returns the partition of a region.
// Source: AWS General Reference, "Amazon Resource Names".
func partition(region string) aPartition {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return aPartition{"aws-cn", "amazonaws.com.cn", "cn.com.amazonaws"}
	case strings.HasPrefix(region, "us-gov-"):
		return aPartition{"aws-us-gov", "amazonaws.com", "com.amazonaws"}
	default:
		return aPartition{"aws", "amazonaws.com", "com.amazonaws"}
	}
}

// nameLength is the rule on a name's length, and on that of a prefix, which has to leave room for the suffix.
func nameLength(a engine.AutoName) engine.Rule {
	says := fmt.Sprintf("`%s` has at most %d characters", a.Property, a.Max)
	if a.Prefix != "" {
		says += fmt.Sprintf(", `%s` at most %d, and only one of them is given", a.Prefix, a.Max-suffixLength)
	}
	return engine.Rule{
		Name: "name-length", Says: says, Source: "the service's API reference",
		Judge: func(c *engine.Call) error {
			if name := c.In.Str(a.Property); len(name) > a.Max {
				return engine.Invalid(a.Property, "got %d characters, at most %d are allowed", len(name), a.Max)
			}
			if a.Prefix == "" {
				return nil
			}
			if prefix := c.In.Str(a.Prefix); len(prefix) > a.Max-suffixLength {
				return engine.Invalid(a.Prefix, "got %d characters; at most %d are allowed, since %d follow", len(prefix), a.Max-suffixLength, suffixLength)
			}
			if c.In.Has(a.Property) && c.In.Has(a.Prefix) {
				return engine.Invalid(a.Prefix, "conflicts with %s: give one of them", a.Property)
			}
			return nil
		},
	}
}

package aws

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ssm"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

func getPartition() *engine.Function {
	return &engine.Function{
		Token: "aws:index/getPartition:getPartition", Args: &sdk.GetPartitionArgs{}, Result: &sdk.GetPartitionResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			p := partition(c.Region)
			return engine.Outputs{"id": p.name, "partition": p.name, "dnsSuffix": p.dnsSuffix, "reverseDnsPrefix": p.reverseDNS}, nil
		},
	}
}

func getRegion() *engine.Function {
	return &engine.Function{
		Token: "aws:index/getRegion:getRegion", Args: &sdk.GetRegionArgs{}, Result: &sdk.GetRegionResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			name := c.Region
			if given := c.In.Str("name"); given != "" {
				name = given
			}
			if !slices.Contains(c.Catalog().Regions(), name) {
				return nil, fmt.Errorf("region not found for name %q; the embedded cloud knows %s", name, nearOrAll(name, c.Catalog().Regions()))
			}
			return engine.Outputs{"id": name, "name": name, "endpoint": "ec2." + name + "." + partition(name).dnsSuffix, "description": name}, nil
		},
	}
}

func getCallerIdentity() *engine.Function {
	return &engine.Function{
		Token: "aws:index/getCallerIdentity:getCallerIdentity", Args: &sdk.GetCallerIdentityArgs{}, Result: &sdk.GetCallerIdentityResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			return engine.Outputs{"id": engine.Account, "accountId": engine.Account, "arn": caller(c), "userId": "AIDASIMULATEDGPUYARD0"}, nil
		},
	}
}

func getAvailabilityZones() *engine.Function {
	return &engine.Function{
		Token: "aws:index/getAvailabilityZones:getAvailabilityZones", Args: &sdk.GetAvailabilityZonesArgs{}, Result: &sdk.GetAvailabilityZonesResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			var names, ids []any
			keep, err := zoneFilter(c)
			for _, z := range zonesOf(c.Catalog(), c.Region) {
				if keep(z) {
					names, ids = append(names, z.name), append(ids, z.id)
				}
			}
			return engine.Outputs{"id": c.Region, "names": names, "zoneIds": ids, "groupNames": []any{c.Region}}, err
		},
	}
}

// zoneFilter returns the zones that the arguments of getAvailabilityZones keep.
func zoneFilter(c *engine.Call) (func(zone) bool, error) {
	var errs []error
	facts := map[string]func(zone) string{
		"zone-name": func(z zone) string { return z.name }, "zone-id": func(z zone) string { return z.id },
		"region-name": func(zone) string { return c.Region }, "group-name": func(zone) string { return c.Region },
		"opt-in-status": func(zone) string { return "opt-in-not-required" }, "state": func(zone) string { return "available" },
		"zone-type": func(zone) string { return "availability-zone" },
	}
	filters := c.In.Blocks("filters[*]")
	for _, f := range filters {
		if facts[f.Str("name")] == nil {
			errs = append(errs, engine.Refuse("InvalidParameterValue", "The filter '%s' is invalid", f.Str("name")))
		}
	}
	if state := c.In.Str("state"); state != "" && state != "available" {
		return func(zone) bool { return false }, errors.Join(errs...)
	}
	return func(z zone) bool {
		if slices.Contains(c.In.Strs("excludeNames[*]"), z.name) || slices.Contains(c.In.Strs("excludeZoneIds[*]"), z.id) {
			return false
		}
		return !slices.ContainsFunc(filters, func(f engine.Props) bool {
			fact := facts[f.Str("name")]
			return fact != nil && !slices.Contains(f.Strs("values[*]"), fact(z))
		})
	}, errors.Join(errs...)
}

func getInstanceTypeOfferings() *engine.Function {
	return &engine.Function{
		Token: "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings", Args: &ec2.GetInstanceTypeOfferingsArgs{}, Result: &ec2.GetInstanceTypeOfferingsResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			place, err := locationOf(c.In.Str("locationType"), c.Region)
			if err != nil {
				return nil, err
			}
			var types, locations, kinds []any
			for _, t := range c.Catalog().Types() {
				var seen []string
				for _, z := range zonesOf(c.Catalog(), c.Region) {
					location := place(z)
					if !c.Catalog().Offered(t.Name, c.Region, z.id) || slices.Contains(seen, location) || !offeringKept(c, t.Name, location) {
						continue
					}
					seen = append(seen, location)
					types, locations, kinds = append(types, t.Name), append(locations, location), append(kinds, locationType(c))
				}
			}
			for _, f := range c.In.Strs("filters[*].name") {
				if f != "instance-type" && f != "location" {
					return nil, engine.Refuse("InvalidParameterValue", "The filter '%s' is invalid; wanted instance-type or location", f)
				}
			}
			return engine.Outputs{"id": c.Region, "instanceTypes": types, "locations": locations, "locationTypes": kinds}, nil
		},
	}
}

func locationType(c *engine.Call) string {
	if t := c.In.Str("locationType"); t != "" {
		return t
	}
	return "region"
}

// locationOf returns how a location type calls a zone.
func locationOf(kind, region string) (func(zone) string, error) {
	switch kind {
	case "", "region":
		return func(zone) string { return region }, nil
	case "availability-zone":
		return func(z zone) string { return z.name }, nil
	case "availability-zone-id":
		return func(z zone) string { return z.id }, nil
	default:
		return nil, engine.Refuse("InvalidParameterValue", "Value (%s) for parameter locationType is invalid; wanted region, availability-zone or availability-zone-id", kind)
	}
}

// offeringKept says whether the filters of getInstanceTypeOfferings keep an offering. A value may have * in it.
func offeringKept(c *engine.Call, instanceType, location string) bool {
	for _, f := range c.In.Blocks("filters[*]") {
		value := location
		if f.Str("name") == "instance-type" {
			value = instanceType
		}
		if !slices.ContainsFunc(f.Strs("values[*]"), func(pattern string) bool { return matches(pattern, value) }) {
			return false
		}
	}
	return true
}

// getParameter answers for the parameters under which EKS publishes its images, and for no others.
// Source: EKS User Guide, "Retrieve recommended Amazon Linux AMI IDs" and "Retrieve recommended Bottlerocket AMI IDs".
func getParameter() *engine.Function {
	return &engine.Function{
		Token: "aws:ssm/getParameter:getParameter", Args: &ssm.LookupParameterArgs{}, Result: &ssm.LookupParameterResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			name := c.In.Str("name")
			value, ok := imageParameters(c.Region)[name]
			if !ok {
				var names []string
				for n := range imageParameters(c.Region) {
					names = append(names, n)
				}
				slices.Sort(names)
				return nil, engine.Refuse("ParameterNotFound", "Systems Manager Parameter %s was not found; near it there are %s", name, list(catalog.Near(name, names)))
			}
			return engine.Outputs{
				"id": name, "name": name, "type": "String", "value": value, "insecureValue": value, "version": 1,
				"arn": "arn:" + partition(c.Region).name + ":ssm:" + c.Region + "::parameter" + name,
			}, nil
		},
	}
}

// imageParameters returns every image parameter of a region with its value, which is simulated.
func imageParameters(region string) map[string]string {
	all := map[string]string{}
	for _, v := range kubernetesVersions {
		for _, variant := range []string{"x86_64/standard", "x86_64/nvidia", "x86_64/neuron", "arm64/standard", "arm64/nvidia"} {
			prefix := "/aws/service/eks/optimized-ami/" + v.version + "/amazon-linux-2023/" + variant + "/recommended/"
			sum := sha256.Sum256([]byte(region + prefix + v.release()))
			all[prefix+"release_version"] = v.release()
			all[prefix+"image_id"] = "ami-0" + hex.EncodeToString(sum[:])[:16]
		}
		for _, variant := range []string{"", "-nvidia", "-fips", "-nvidia-fips"} {
			for _, arch := range []string{"x86_64", "arm64"} {
				prefix := "/aws/service/bottlerocket/aws-k8s-" + v.version + variant + "/" + arch + "/latest/"
				sum := sha256.Sum256([]byte(region + prefix + bottlerocketVersion))
				all[prefix+"image_version"] = bottlerocketVersion
				all[prefix+"image_id"] = "ami-0" + hex.EncodeToString(sum[:])[:16]
			}
		}
	}
	return all
}

func getAddonVersion() *engine.Function {
	return &engine.Function{
		Token: "aws:eks/getAddonVersion:getAddonVersion", Args: &eks.GetAddonVersionArgs{}, Result: &eks.GetAddonVersionResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			name, version := c.In.Str("addonName"), c.In.Str("kubernetesVersion")
			kind, ok := knownAddon(name)
			if !ok {
				return nil, engine.Refuse("InvalidParameterException", "Addon %s is not supported; did you mean %s?", name, nearOrAll(name, addonNames()))
			}
			if _, ok := knownVersion(version); !ok {
				return nil, engine.Refuse("InvalidParameterException", "unsupported Kubernetes version %s; the embedded cloud runs %s", version, strings.Join(versionNames(), ", "))
			}
			versions := kind.versionsFor(version)
			chosen := versions[0]
			if c.In.Bool("mostRecent") {
				chosen = versions[len(versions)-1]
			}
			return engine.Outputs{"id": name, "addonName": name, "kubernetesVersion": version, "version": chosen}, nil
		},
	}
}

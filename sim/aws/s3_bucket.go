package aws

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/s3"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	bucketToken          = "aws:s3/bucketV2:BucketV2"
	directoryBucketToken = "aws:s3/directoryBucket:DirectoryBucket"
)

// bucketNames are the rules on names of buckets.
const bucketNames = "Amazon S3 User Guide, \"General purpose bucket naming rules\""

func bucket() *engine.Resource {
	return &engine.Resource{
		Token: bucketToken, Args: s3.BucketV2Args{}, State: s3.BucketV2{},
		Replace:  []string{"bucket", "bucketPrefix", "objectLockEnabled"},
		AutoName: &engine.AutoName{Property: "bucket", Prefix: "bucketPrefix", Max: 63},
		Plan:     []engine.Rule{bucketName, nothingInline},
		Apply:    []engine.Rule{bucketNameFree},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "bucket", "bucketPrefix")
			domain := name + ".s3." + partition(c.Region).dnsSuffix
			out := engine.Outputs{
				"bucket": name, "arn": "arn:" + partition(c.Region).name + ":s3:::" + name, "region": c.Region,
				"bucketDomainName": domain, "bucketRegionalDomainName": name + ".s3." + c.Region + "." + partition(c.Region).dnsSuffix,
				"hostedZoneId": "Z3BJ6K6RIION7M",
			}
			return name, out, err
		},
	}
}

var (
	bucketShape = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	address     = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$`)
)

var bucketName = engine.Rule{
	Name: "bucket-name", Says: "the name has 3 to 63 lower-case letters, digits, dashes and dots, is no IP address and has no reserved beginning or end", Source: bucketNames,
	Judge: func(c *engine.Call) error {
		name := c.In.Str("bucket")
		switch {
		case name == "":
			if p := c.In.Str("bucketPrefix"); p != "" && !bucketShape.MatchString(p+"00") {
				return engine.Invalid("bucketPrefix", "got %q: lower-case letters, digits, dashes and dots only", p)
			}
		case !bucketShape.MatchString(name) || strings.Contains(name, "..") || address.MatchString(name):
			return engine.Invalid("bucket", "got %q: 3 to 63 lower-case letters, digits, dashes and dots, no two dots together, a letter or a digit at both ends, and no IP address", name)
		case reservedBucket(name):
			return engine.Invalid("bucket", "got %q, whose beginning or end is reserved: xn--, sthree- and amzn-s3-demo- at the beginning, -s3alias, --ol-s3, .mrap, --x-s3 and --table-s3 at the end", name)
		}
		return nil
	},
}

func reservedBucket(name string) bool {
	for _, begin := range []string{"xn--", "sthree-", "amzn-s3-demo-"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	for _, end := range []string{"-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// nothingInline refuses the blocks that have resources of their own: with both, each takes away what the other made.
var nothingInline = engine.Rule{
	Name: "nothing-inline", Says: "what has a resource of its own (ACL, lifecycle, policy, versioning, encryption and others) is not written inside the bucket", Source: "AWS provider, aws_s3_bucket (deprecated arguments)",
	Judge: func(c *engine.Call) error {
		for _, path := range []string{
			"accelerationStatus", "acl", "corsRules", "grants", "lifecycleRules", "loggings", "objectLockConfiguration", "policy",
			"replicationConfigurations", "requestPayer", "serverSideEncryptionConfigurations", "versionings", "websites",
		} {
			if c.In.Has(path) {
				return engine.Invalid(path, "it is deprecated inside a bucket: use the resource of its own")
			}
		}
		return nil
	},
}

// takenBuckets are names that somebody else in the world has.
func takenBuckets() []string {
	return []string{"data", "datasets", "checkpoints", "models", "training", "test"}
}

var bucketNameFree = engine.Rule{
	Name: "bucket-name-free", Says: "no bucket in the world has the name: plain words such as `datasets` are taken", Source: "S3 API, CreateBucket (BucketAlreadyExists, BucketAlreadyOwnedByYou)",
	Judge: func(c *engine.Call) error {
		name := c.In.Str("bucket")
		if c.ID != "" || name == "" {
			return nil
		}
		for _, taken := range takenBuckets() {
			if name == taken {
				return engine.Refuse("BucketAlreadyExists", "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again: %s", name)
			}
		}
		if c.Anywhere(bucketToken, "bucket", name) {
			return engine.Refuse("BucketAlreadyOwnedByYou", "Your previous request to create the named bucket succeeded and you already own it: %s", name)
		}
		return nil
	},
}

// bucketID is the reference of a resource that configures a bucket.
var bucketID = engine.Ref{Path: "bucket", To: bucketToken, By: byID, Code: "NoSuchBucket"}

func directoryBucket() *engine.Resource {
	const source = "S3 API, CreateBucket, for directory buckets"
	return &engine.Resource{
		Token: directoryBucketToken, Args: s3.DirectoryBucketArgs{}, State: s3.DirectoryBucket{},
		Replace: []string{"bucket", "dataRedundancy", "location", "type"},
		Plan: []engine.Rule{
			oneOf("dataRedundancy", source, "SingleAvailabilityZone", "SingleLocalZone"),
			oneOf("type", source, "Directory"),
			oneOf("location.type", source, "AvailabilityZone", "LocalZone"),
			given("location"),
			directoryName,
		},
		Apply: []engine.Rule{expressZone},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("bucket")
			if _, taken := c.Get(directoryBucketToken, name); taken {
				return "", nil, engine.Refuse("BucketAlreadyOwnedByYou", "Your previous request to create the named bucket succeeded and you already own it: %s", name)
			}
			out := engine.Outputs{"arn": arn(c, "s3express", "bucket/"+name)}
			setDefault(c, out, "dataRedundancy", "SingleAvailabilityZone")
			setDefault(c, out, "type", "Directory")
			return name, out, nil
		},
	}
}

var directoryShape = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*[a-z0-9]--([a-z]+[0-9]-az[0-9]+)--x-s3$`)

var directoryName = engine.Rule{
	Name: "directory-bucket-name", Says: "the name is BASE--ZONE--x-s3 with the id of its zone, in 3 to 63 lower-case letters, digits and dashes", Source: "Amazon S3 User Guide, \"Directory bucket naming rules\"",
	Judge: func(c *engine.Call) error {
		name := c.In.Str("bucket")
		if name == "" {
			return nil
		}
		parts := directoryShape.FindStringSubmatch(name)
		switch zone := c.In.Str("location.name"); {
		case parts == nil || len(name) > 63:
			return engine.Invalid("bucket", "got %q, wanted BASE--ZONE--x-s3 in at most 63 lower-case letters, digits and dashes", name)
		case zone != "" && parts[1] != zone:
			return engine.Invalid("bucket", "got %q, which names the zone %s, in a bucket of %s", name, parts[1], zone)
		}
		return nil
	},
}

// expressZones are the zones with S3 Express One Zone, of the regions whose list was to be had whole.
// Source: Amazon S3 User Guide, "Regions and Zones for directory buckets".
func expressZones() map[string][]string {
	return map[string][]string{
		"us-east-1": {"use1-az4", "use1-az5", "use1-az6"}, "us-east-2": {"use2-az1", "use2-az2"}, "us-west-2": {"usw2-az1", "usw2-az3", "usw2-az4"},
		"ap-south-1": {"aps1-az1", "aps1-az3"}, "ap-northeast-1": {"apne1-az1", "apne1-az4"},
	}
}

var expressZone = engine.Rule{
	Name: "express-zone", Says: "the zone has S3 Express One Zone, and is given by its id", Source: "Amazon S3 User Guide, \"Regions and Zones for directory buckets\"",
	Judge: func(c *engine.Call) error {
		zone := c.In.Str("location.name")
		if _, ok := zoneWithID(c, zone); !ok {
			return engine.Refuse("InvalidBucketName", "%s is no zone of %s; give the zone's id", zone, c.Region)
		}
		offered := expressZones()[c.Region]
		for _, z := range offered {
			if z == zone {
				return nil
			}
		}
		return engine.Refuse("InvalidRequest", "S3 Express One Zone is not in %s; in %s it is in %s", zone, c.Region, list(offered))
	},
}

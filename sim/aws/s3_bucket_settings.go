package aws

import (
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/s3"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	accessBlockToken = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"
	ownershipToken   = "aws:s3/bucketOwnershipControls:BucketOwnershipControls"
	encryptionToken  = "aws:s3/bucketServerSideEncryptionConfigurationV2:BucketServerSideEncryptionConfigurationV2"
	versioningToken  = "aws:s3/bucketVersioningV2:BucketVersioningV2"
	bucketPolicyOf   = "aws:s3/bucketPolicy:BucketPolicy"
)

// ofBucket is a resource that sets one thing of a bucket: it is named after the bucket, goes with it, and there is one.
func ofBucket(token string, args, state any) *engine.Resource {
	return &engine.Resource{
		Token: token, Args: args, State: state,
		Replace: []string{"bucket"},
		Refs:    []engine.Ref{bucketID},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("bucket")
			c.ComeWith(bucketToken, name)
			if _, taken := c.Get(token, name); taken {
				return "", nil, engine.Refuse("OperationAborted", "the bucket %s has one already, and a second would take away what it set: keep one resource for a bucket", name)
			}
			return name, nil, nil
		},
	}
}

func bucketAccessBlock() *engine.Resource {
	return ofBucket(accessBlockToken, s3.BucketPublicAccessBlockArgs{}, s3.BucketPublicAccessBlock{})
}

func bucketOwnership() *engine.Resource {
	r := ofBucket(ownershipToken, s3.BucketOwnershipControlsArgs{}, s3.BucketOwnershipControls{})
	r.Plan = []engine.Rule{oneOf("rule.objectOwnership", "S3 API, PutBucketOwnershipControls", "BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter")}
	return r
}

func bucketVersioning() *engine.Resource {
	r := ofBucket(versioningToken, s3.BucketVersioningV2Args{}, s3.BucketVersioningV2{})
	r.Plan = []engine.Rule{oneOf("versioningConfiguration.status", "S3 API, PutBucketVersioning", "Enabled", "Suspended", "Disabled")}
	r.Apply = []engine.Rule{versionsStay}
	return r
}

var versionsStay = engine.Rule{
	Name: "versions-stay", Says: "a bucket that had versions is suspended, and cannot be as if it never had any", Source: "Amazon S3 User Guide, \"How S3 Versioning works\"",
	Judge: func(c *engine.Call) error {
		before := c.Was.Str("versioningConfiguration.status")
		if before != "" && before != "Disabled" && c.In.Str("versioningConfiguration.status") == "Disabled" {
			return engine.Refuse("InvalidArgument", "versioning_configuration.status cannot be updated from '%s' to 'Disabled': set it to Suspended", before)
		}
		return nil
	},
}

func bucketEncryption() *engine.Resource {
	r := ofBucket(encryptionToken, s3.BucketServerSideEncryptionConfigurationV2Args{}, s3.BucketServerSideEncryptionConfigurationV2{})
	r.Required = []string{"rules"}
	r.Refs = append(r.Refs, engine.Ref{Path: "rules[*].applyServerSideEncryptionByDefault.kmsMasterKeyId", To: keyToken, By: []string{"id", "arn"}, Code: "KMS.NotFoundException"})
	r.Plan = []engine.Rule{
		oneOf("rules[*].applyServerSideEncryptionByDefault.sseAlgorithm", "S3 API, PutBucketEncryption", "AES256", "aws:kms", "aws:kms:dsse"),
		keyWithKMS,
	}
	return r
}

var keyWithKMS = engine.Rule{
	Name: "key-with-kms", Says: "a key is given with the algorithm aws:kms only", Source: "S3 API, ServerSideEncryptionByDefault",
	Judge: func(c *engine.Call) error {
		for _, rule := range c.In.Blocks("rules[*].applyServerSideEncryptionByDefault") {
			if rule.Has("kmsMasterKeyId") && rule.Str("sseAlgorithm") == "AES256" {
				return engine.Invalid("rules.applyServerSideEncryptionByDefault.kmsMasterKeyId", "a KMS key is given, and the algorithm is AES256: set aws:kms")
			}
		}
		return nil
	},
}

func bucketPolicy() *engine.Resource {
	r := ofBucket(bucketPolicyOf, s3.BucketPolicyArgs{}, s3.BucketPolicy{})
	r.Plan = []engine.Rule{policyDocument("policy", resourcePolicy)}
	r.Apply = []engine.Rule{policyOfBucket, policyNotPublic}
	return r
}

var policyOfBucket = engine.Rule{
	Name: "policy-of-bucket", Says: "its resources are the bucket and its objects", Source: "S3 API, PutBucketPolicy (MalformedPolicy)",
	Judge: func(c *engine.Call) error {
		doc, err := parseDocument(c.In.Str("policy"), resourcePolicy)
		if err != nil {
			return nil // another rule says so
		}
		b, _ := c.Resolve("bucket")
		own := b.Out.Str("arn")
		for _, s := range doc.Statement {
			for _, r := range s.Resources {
				if r != own && !matches(r, own) && !withinBucket(r, own) {
					return engine.Refuse("MalformedPolicy", "Policy has invalid resource: %s; wanted %s or %s/*", r, own, own)
				}
			}
		}
		return nil
	},
}

func withinBucket(resource, bucketARN string) bool {
	return len(resource) > len(bucketARN) && resource[:len(bucketARN)+1] == bucketARN+"/"
}

var policyNotPublic = engine.Rule{
	Name: "policy-not-public", Says: "a bucket that blocks public policies takes none that allows everybody something", Source: "Amazon S3 User Guide, \"Blocking public access\" (BlockPublicPolicy)",
	Judge: func(c *engine.Call) error {
		block, ok := c.Get(accessBlockToken, c.In.Str("bucket"))
		if !ok || !block.In.Bool("blockPublicPolicy") {
			return nil
		}
		doc, err := parseDocument(c.In.Str("policy"), resourcePolicy)
		if err != nil {
			return nil
		}
		for _, s := range doc.Statement {
			if s.Effect == "Allow" && s.everybody() {
				return engine.Refuse("AccessDenied", "User is not authorized to perform: s3:PutBucketPolicy because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access")
			}
		}
		return nil
	},
}

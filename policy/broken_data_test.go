package main

import (
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/lambda"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/s3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// brokenData are programs with plain buckets and functions, and one thing wrong in each.
var brokenData = map[string]func(ctx *pulumi.Context, w *world) error{
	"bucket-access-block": func(ctx *pulumi.Context, w *world) error {
		return w.bucket(ctx, bucketParts{policy: true, versions: true})
	},
	"bucket-tls-only": func(ctx *pulumi.Context, w *world) error {
		return w.bucket(ctx, bucketParts{block: true, versions: true})
	},
	"bucket-versioned": func(ctx *pulumi.Context, w *world) error {
		return w.bucket(ctx, bucketParts{block: true, policy: true})
	},
	"bucket-public": func(ctx *pulumi.Context, w *world) error {
		return w.bucket(ctx, bucketParts{block: true, open: true, policy: true, versions: true})
	},
	"lambda-image-digest": func(ctx *pulumi.Context, w *world) error {
		_, err := w.function(ctx, func(args *lambda.FunctionArgs) {
			args.ImageUri = pulumi.String("111122223333.dkr.ecr.us-east-2.amazonaws.com/tune:latest")
		})
		return err
	},
	"lambda-url-auth": func(ctx *pulumi.Context, w *world) error {
		f, err := w.function(ctx, func(*lambda.FunctionArgs) {})
		if err != nil {
			return err
		}
		_, err = lambda.NewFunctionUrl(ctx, "url", &lambda.FunctionUrlArgs{FunctionName: f.Name, AuthorizationType: pulumi.String("NONE")}, w.made)
		return err
	},
	"plain-secrets": func(ctx *pulumi.Context, w *world) error {
		_, err := w.function(ctx, func(args *lambda.FunctionArgs) {
			args.Environment = lambda.FunctionEnvironmentArgs{Variables: pulumi.StringMap{"DB_PASSWORD": pulumi.String("not-a-real-one")}}
		})
		return err
	},
}

// bucketParts are what stands around a bucket; open leaves a hole in its block.
type bucketParts struct{ block, open, policy, versions bool }

// bucket makes a bucket of checkpoints with some of what belongs to it.
func (w *world) bucket(ctx *pulumi.Context, parts bucketParts) error {
	const name = "train-checkpoints"
	bucket, err := s3.NewBucketV2(ctx, name, &s3.BucketV2Args{Bucket: pulumi.String(name)}, w.made)
	if err != nil {
		return err
	}
	if parts.block {
		if _, err := s3.NewBucketPublicAccessBlock(ctx, name, &s3.BucketPublicAccessBlockArgs{Bucket: bucket.Bucket, BlockPublicAcls: pulumi.Bool(true),
			BlockPublicPolicy: pulumi.Bool(!parts.open), IgnorePublicAcls: pulumi.Bool(true), RestrictPublicBuckets: pulumi.Bool(true)}, w.made); err != nil {
			return err
		}
	}
	if parts.policy {
		if _, err := s3.NewBucketPolicy(ctx, name, &s3.BucketPolicyArgs{Bucket: bucket.Bucket, Policy: pulumi.String(`{"Version":"2012-10-17","Statement":[{
			"Effect":"Deny","Principal":"*","Action":"s3:*","Resource":["arn:aws:s3:::` + name + `","arn:aws:s3:::` + name + `/*"],
			"Condition":{"Bool":{"aws:SecureTransport":"false"}}}]}`)}, w.made); err != nil {
			return err
		}
	}
	if parts.versions {
		_, err = s3.NewBucketVersioningV2(ctx, name, &s3.BucketVersioningV2Args{Bucket: bucket.Bucket,
			VersioningConfiguration: s3.BucketVersioningV2VersioningConfigurationArgs{Status: pulumi.String("Enabled")}}, w.made)
	}
	return err
}

// function makes a function that is right but for what change does to it.
func (w *world) function(ctx *pulumi.Context, change func(*lambda.FunctionArgs)) (*lambda.Function, error) {
	args := &lambda.FunctionArgs{
		PackageType: pulumi.String("Image"), Role: pulumi.String("arn:aws:iam::111122223333:role/tune"),
		ImageUri: pulumi.String("111122223333.dkr.ecr.us-east-2.amazonaws.com/tune@sha256:" +
			"abababababababababababababababababababababababababababababababab"),
		MemorySize: pulumi.Int(2048), Timeout: pulumi.Int(60),
	}
	change(args)
	return lambda.NewFunction(ctx, "tune", args, w.made)
}

package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Ages in days that every bucket has.
const (
	uploadDays     = 2 // parts of an upload that was never finished are invisible, and charged for
	noncurrentDays = 7 // long enough to see that a checkpoint was overwritten by a broken job
)

// lifecycle registers versioning and the rules by which objects move and go. There is one resource for all rules of a
// bucket: a second one would take away what the first put there. Versioning comes first, since a rule on versions means
// nothing before.
func (b *bucketBuilder) lifecycle(bucket *lightaws.Bucket) error {
	opts := b.opts
	if b.args.versioned() {
		versioning, err := lightaws.NewBucketSetting(b.ctx, lightaws.BucketVersioning, b.name, bucket, pulumi.Map{
			"versioningConfiguration": pulumi.StringMap{"status": pulumi.String("Enabled")},
		}, b.opts...)
		if err != nil {
			return err
		}
		opts = append([]pulumi.ResourceOption{pulumi.DependsOn([]pulumi.Resource{versioning})}, b.opts...)
	}
	var rules pulumi.MapArray
	for _, r := range lifecycleRules(b.args) {
		rules = append(rules, r.inputs())
	}
	_, err := lightaws.NewBucketSetting(b.ctx, lightaws.BucketLifecycle, b.name, bucket, pulumi.Map{"rules": rules}, opts...)
	return err
}

// lifecycleRule is one rule of a bucket's lifecycle, with what it does.
type lifecycleRule struct {
	id            string
	abortUploads  int // days
	expire        int // days
	deleteMarkers bool
	noncurrent    int    // days
	class         string // that objects move to after move days
	move          int
}

// lifecycleRules are the rules of a bucket, each with one purpose. What removes old versions and what removes the markers
// that deletions leave are two rules: with both in one, the provider shows a difference for ever (pulumi-aws#2128).
func lifecycleRules(args *S3Args) []lifecycleRule {
	rules := []lifecycleRule{{id: "unfinished-uploads", abortUploads: uploadDays}}
	if args.Tiered {
		rules = append(rules, lifecycleRule{id: "tier-by-use", class: "INTELLIGENT_TIERING"})
	}
	if args.ArchiveDays > 0 {
		rules = append(rules, lifecycleRule{id: "archive", class: "GLACIER_IR", move: args.ArchiveDays})
	}
	if args.ExpireDays > 0 {
		rules = append(rules, lifecycleRule{id: "expire", expire: args.ExpireDays})
	}
	if args.versioned() {
		rules = append(rules,
			lifecycleRule{id: "old-versions", noncurrent: noncurrentDays},
			lifecycleRule{id: "delete-markers", deleteMarkers: true})
	}
	return rules
}

// inputs returns the rule as the provider takes it. The filter is written although it is empty: without it the rule has
// the deprecated prefix.
func (r lifecycleRule) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"id": pulumi.String(r.id), "status": pulumi.String("Enabled"),
		"filter": pulumi.StringMap{"prefix": pulumi.String("")},
	}
	if r.abortUploads > 0 {
		inputs["abortIncompleteMultipartUpload"] = pulumi.IntMap{"daysAfterInitiation": pulumi.Int(r.abortUploads)}
	}
	if r.class != "" {
		inputs["transitions"] = pulumi.MapArray{pulumi.Map{"days": pulumi.Int(r.move), "storageClass": pulumi.String(r.class)}}
	}
	switch {
	case r.expire > 0:
		inputs["expiration"] = pulumi.IntMap{"days": pulumi.Int(r.expire)}
	case r.deleteMarkers:
		inputs["expiration"] = pulumi.BoolMap{"expiredObjectDeleteMarker": pulumi.Bool(true)}
	}
	if r.noncurrent > 0 {
		inputs["noncurrentVersionExpiration"] = pulumi.IntMap{"noncurrentDays": pulumi.Int(r.noncurrent), "newerNoncurrentVersions": pulumi.Int(1)}
	}
	return inputs
}

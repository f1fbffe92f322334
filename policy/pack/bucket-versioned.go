package pack

import (
	"strings"
)

var bucketVersioned = Policy{
	Name: "bucket-versioned", Level: Mandatory, Area: Storage,
	Summary: "Buckets that hold checkpoints keep versions.",
	Why: "A checkpoint that a broken job overwrites, or a cleanup deletes, is weeks of GPU time. With versions it is a minute of work " +
		"to get back.",
	Fix: "Add an `aws.s3.BucketVersioningV2` with status `Enabled`, and a lifecycle rule for noncurrent versions.",
	Stack: func(s *Stack, _ Config) []Finding {
		findings := bucketsWithout(s, tokenBucketVersioning, "versioning", holdsCheckpoints, "The bucket holds checkpoints and keeps no versions.")
		for _, r := range s.Of(tokenBucketVersioning) {
			bucket := s.Meant(r, "bucket", r.Get("bucket"), tokenBucketV2)
			status := r.Get("versioningConfiguration", "status")
			if text, ok := status.Text(); bucket != nil && holdsCheckpoints(bucket) && ok && text != "Enabled" {
				findings = append(findings, at(bucket, "The bucket holds checkpoints and its versioning is %s.", status.Quote()))
			}
		}
		return findings
	},
}

// holdsCheckpoints judges a bucket by its names and tags, which is all that a plan says about its contents.
func holdsCheckpoints(b *Resource) bool {
	words := []string{b.Name}
	for _, name := range []string{"bucket", "bucketPrefix"} {
		text, _ := b.Get(name).Text()
		words = append(words, text)
	}
	tags, _ := b.Get("tags").Entries()
	for _, v := range tags {
		text, _ := v.Text()
		words = append(words, text)
	}
	for _, w := range words {
		if w = strings.ToLower(w); strings.Contains(w, "checkpoint") || strings.Contains(w, "ckpt") {
			return true
		}
	}
	return false
}

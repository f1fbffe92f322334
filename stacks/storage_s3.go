package stacks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/storage"
)

func s3Kind() storageKind {
	return storageKind{kind: "s3", explain: explainS3, deploy: deployS3}
}

const day = 24 * time.Hour

// frequentTier is how long Intelligent-Tiering keeps every object in its first tier: for what goes sooner it does nothing
// and charges for watching it.
// Source: Amazon S3 User Guide, "How S3 Intelligent-Tiering works".
const frequentTier = 30 * day

// s3Args maps a bucket of the blueprint to the arguments of its component.
func s3Args(p *Plan, s *blueprint.Storage) *storage.S3Args {
	b := p.Blueprint
	return &storage.S3Args{
		Checkpoints:   b.HoldsCheckpoints(s) && !isExpress(s),
		Versioned:     b.Versioned(s) && !isExpress(s),
		ExpireDays:    int(s.S3.ExpireAfter.Value / day),
		ArchiveDays:   int(s.S3.ArchiveAfter.Value / day),
		Tiered:        isTiered(s),
		ExpressZone:   s.S3.ExpressZone.Value,
		LustreLinked:  slices.ContainsFunc(b.Storage, func(f *blueprint.Storage) bool { return f.FSxLustre != nil && f.FSxLustre.LinkedTo.Value == s }),
		AllowDataLoss: s.AllowDataLoss(),
		Tags:          environmentTags(p),
	}
}

func isExpress(s *blueprint.Storage) bool { return s.S3 != nil && s.S3.ExpressZone.IsSet() }

// isTiered says whether objects of a bucket move by use: those of the cold tier that stay long enough to gain by it.
func isTiered(s *blueprint.Storage) bool {
	expire := s.S3.ExpireAfter
	return s.S3.Tier.Value == "cold" && !isExpress(s) && !s.S3.ArchiveAfter.IsSet() && (!expire.IsSet() || expire.Value > frequentTier)
}

// deployS3 makes the buckets, and mounts those that pods mount.
func deployS3(d *storing, stores []*blueprint.Storage) error {
	env := d.plan.Blueprint.Environment
	mounts := &storage.MountpointArgs{
		ClusterName: d.eks.Name, Version: env.KubernetesVersion.Value, Region: env.Region.Value, Tags: d.tags,
	}
	for _, s := range stores {
		name := s.Name.Value
		bucket, err := storage.NewS3(d.ctx, d.name(name), s3Args(d.plan, s), d.cloud...)
		if err != nil {
			return err
		}
		d.buckets[name] = bucket
		output := pulumi.Map{"kind": pulumi.String("s3"), "bucket": bucket.BucketName}
		if s.S3.Mount.Value != "none" {
			mounts.Buckets = append(mounts.Buckets, storage.MountedBucket{
				Name: name, BucketName: bucket.BucketName, BucketARN: bucket.BucketARN, KeyARN: bucket.KeyARN,
				Express: isExpress(s), Write: s.S3.Mount.Value == "write",
			})
			output["claim"] = pulumi.String(name)
		}
		d.outputs[name] = output
	}
	if len(mounts.Buckets) == 0 {
		return nil
	}
	mounted, err := storage.NewMountpoint(d.ctx, env.Name.Value, mounts, d.providers, pulumi.DependsOn(d.nodes))
	if err != nil {
		return err
	}
	d.claims = mounted.Ready()
	return nil
}

func explainS3(p *Plan, s *blueprint.Storage) []Fact {
	var x Section
	args := s3Args(p, s)
	if isExpress(s) {
		x.add("bucket", "S3 Express One Zone in "+args.ExpressZone, stated(s.S3.ExpressZone))
	} else {
		x.add("bucket", "in all zones of "+p.Blueprint.Environment.Region.Value, "a bucket is in one zone only if express_zone names it")
	}
	x.add("access", "private, TLS only", "always")
	key, why := "S3's own key", "no request to KMS for each object"
	if args.Checkpoints {
		key, why = "a key of its own, rotated every year", "it holds checkpoints; a bucket key keeps requests to KMS few"
	}
	x.add("encryption", key, why)
	x.add("versions", versionsText(args), versionsWhy(p, s))
	x.addLifecycle(s, args)
	x.add("mount", mountText(s), stated(s.S3.Mount))
	x.addCheckpoints(s.Checkpoints(), 0)
	x.addDataLoss(s)
	return x.Facts
}

func versionsText(args *storage.S3Args) string {
	if args.Versioned || args.Checkpoints {
		return "kept for 7 days, the newest of them as long as the object"
	}
	return "none"
}

func versionsWhy(p *Plan, s *blueprint.Storage) string {
	switch {
	case isExpress(s):
		return "S3 Express One Zone has none"
	case s.S3.Versioned.IsSet():
		return stated(s.S3.Versioned)
	case p.Blueprint.HoldsCheckpoints(s):
		return "it holds checkpoints"
	case p.Blueprint.ExportedTo(s):
		return "a file system exports to it: a file that is deleted there deletes its object here"
	default:
		return "default"
	}
}

// addLifecycle says what becomes of objects with age.
func (s *Section) addLifecycle(store *blueprint.Storage, args *storage.S3Args) {
	if isExpress(store) {
		s.add("lifecycle", "none", "S3 Express One Zone has one storage class")
		return
	}
	var rules []string
	why := "tier " + store.S3.Tier.Value
	switch {
	case args.Tiered:
		rules = append(rules, "Intelligent-Tiering: what nobody reads for 30 days costs less, and is back at the first read")
	case args.ArchiveDays > 0:
		rules, why = append(rules, fmt.Sprintf("to Glacier Instant Retrieval after %d days", args.ArchiveDays)), stated(store.S3.ArchiveAfter)
	}
	if args.ExpireDays > 0 {
		rules, why = append(rules, fmt.Sprintf("deleted after %d days", args.ExpireDays)), stated(store.S3.ExpireAfter)
	}
	rules = append(rules, "unfinished uploads removed after 2 days")
	s.add("lifecycle", strings.Join(rules, "; "), why)
}

func mountText(s *blueprint.Storage) string {
	if s.S3.Mount.Value == "none" {
		return "not mounted"
	}
	return fmt.Sprintf("claim %s in namespace default, to %s", s.Name.Value, s.S3.Mount.Value)
}

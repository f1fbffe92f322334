package aws

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/s3"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const bucketLifecycleToken = "aws:s3/bucketLifecycleConfigurationV2:BucketLifecycleConfigurationV2"

// storageClass is a class that objects move to: its place in the waterfall, and after how many days an object may move
// there at all.
type storageClass struct {
	name     string
	earliest int
}

// storageClasses are in the order in which objects may move, and never back.
// Source: Amazon S3 User Guide, "Transitioning objects using Amazon S3 Lifecycle".
var storageClasses = []storageClass{
	{"STANDARD_IA", 30}, {"INTELLIGENT_TIERING", 0}, {"ONEZONE_IA", 30}, {"GLACIER_IR", 0}, {"GLACIER", 0}, {"DEEP_ARCHIVE", 0},
}

const lifecycleSource = "S3 API, PutBucketLifecycleConfiguration"

func bucketLifecycle() *engine.Resource {
	r := ofBucket(bucketLifecycleToken, s3.BucketLifecycleConfigurationV2Args{}, s3.BucketLifecycleConfigurationV2{})
	var classes []string
	for _, class := range storageClasses {
		classes = append(classes, class.name)
	}
	r.Required = []string{"rules"}
	r.Plan = []engine.Rule{
		oneOf("rules[*].status", lifecycleSource, "Enabled", "Disabled"),
		oneOf("rules[*].transitions[*].storageClass", lifecycleSource, classes...),
		oneOf("transitionDefaultMinimumObjectSize", lifecycleSource, "all_storage_classes_128K", "varies_by_storage_class"),
		ruleIDs, ruleActs, ruleExpiration, ruleOrder, ruleUploads,
	}
	r.Apply = []engine.Rule{versionsFirst}
	r.Create = settingDefault(r.Create, "transitionDefaultMinimumObjectSize", "all_storage_classes_128K")
	return r
}

// settingDefault fills an output in that the program did not give.
func settingDefault(create func(*engine.Call) (string, engine.Outputs, error), name string, value any) func(*engine.Call) (string, engine.Outputs, error) {
	return func(c *engine.Call) (string, engine.Outputs, error) {
		id, out, err := create(c)
		if out == nil {
			out = engine.Outputs{}
		}
		setDefault(c, out, name, value)
		return id, out, err
	}
}

// perRule is a rule on each rule of a lifecycle.
func perRule(name, says, source string, judge func(r engine.Props) error) engine.Rule {
	return engine.Rule{Name: name, Says: says, Source: source, Judge: func(c *engine.Call) error {
		var errs []error
		for i, r := range c.In.Blocks("rules[*]") {
			if err := judge(r); err != nil {
				errs = append(errs, engine.Invalid(fmt.Sprintf("rules[%d]", i), "%v", err))
			}
		}
		return errors.Join(errs...)
	}}
}

var ruleIDs = engine.Rule{
	Name: "rule-ids", Says: "at most 1,000 rules, each with an id of its own of up to 255 characters", Source: lifecycleSource,
	Judge: func(c *engine.Call) error {
		var ids []string
		for i, r := range c.In.Blocks("rules[*]") {
			id := r.Str("id")
			if len(id) > 255 || slices.Contains(ids, id) && id != "" {
				return engine.Invalid(fmt.Sprintf("rules[%d].id", i), "got %q: an id has at most 255 characters and is there once", id)
			}
			ids = append(ids, id)
		}
		if len(ids) > 1000 {
			return engine.Invalid("rules", "got %d rules, at most 1000 are allowed", len(ids))
		}
		return nil
	},
}

var ruleActs = perRule("rule-acts", "a rule has a filter, not the old prefix, and does something", lifecycleSource, func(r engine.Props) error {
	acts := false
	for _, path := range []string{"abortIncompleteMultipartUpload", "expiration", "transitions", "noncurrentVersionExpiration", "noncurrentVersionTransitions"} {
		acts = acts || r.Has(path)
	}
	switch {
	case r.Has("prefix"):
		return errors.New("prefix is deprecated: write filter")
	case !r.Has("filter"):
		return errors.New("it has no filter; an empty one is for all objects")
	case !acts:
		return errors.New("it does nothing: give an action")
	}
	return nil
})

var ruleExpiration = perRule("rule-expiration", "an expiration has one of date, days (1 or more) and expiredObjectDeleteMarker", lifecycleSource, func(r engine.Props) error {
	for _, e := range r.Blocks("expiration") {
		days, hasDays := e.Int("days")
		marker := e.Bool("expiredObjectDeleteMarker")
		switch {
		case hasDays && days < 1:
			return fmt.Errorf("objects expire after %d days, wanted 1 or more", days)
		case hasDays && marker || hasDays && e.Has("date") || marker && e.Has("date"):
			return errors.New("an expiration has one of date, days and expiredObjectDeleteMarker; write two rules")
		case !hasDays && !marker && !e.Has("date"):
			return errors.New("an expiration has one of date, days and expiredObjectDeleteMarker, and this has none")
		}
	}
	for _, e := range r.Blocks("noncurrentVersionExpiration") {
		days, _ := e.Int("noncurrentDays")
		if newer, ok := e.Int("newerNoncurrentVersions"); days < 1 || ok && (newer < 1 || newer > 100) {
			return errors.New("old versions expire after 1 day or more, and 1 to 100 of them may be kept")
		}
	}
	return nil
})

var ruleOrder = perRule("rule-order", "objects move down the storage classes with age, 30 days at least into the infrequent ones, and expire after they have moved",
	"Amazon S3 User Guide, \"Transitioning objects using Amazon S3 Lifecycle\"", func(r engine.Props) error {
		before, last := -1, -1
		for _, t := range r.Blocks("transitions[*]") {
			days, known := t.Int("days")
			at := slices.IndexFunc(storageClasses, func(c storageClass) bool { return c.name == t.Str("storageClass") })
			if at < 0 || !known {
				continue
			}
			class := storageClasses[at]
			switch {
			case days < class.earliest:
				return fmt.Errorf("'Days' in Transition action must be greater than or equal to %d for storageClass '%s'; got %d", class.earliest, class.name, days)
			case at <= before || days <= last:
				return fmt.Errorf("objects move to %s after %d days, which is not after and below the transition before it", class.name, days)
			}
			before, last = at, days
		}
		if days, ok := r.Int("expiration.days"); ok && last >= 0 && days <= last {
			return fmt.Errorf("'Days' in the Expiration action must be greater than 'Days' in the Transition action; got %d and %d", days, last)
		}
		return nil
	})

var ruleUploads = perRule("rule-uploads", "unfinished uploads are removed after 1 day or more, by a rule for objects of all sizes", lifecycleSource, func(r engine.Props) error {
	for _, a := range r.Blocks("abortIncompleteMultipartUpload") {
		days, _ := a.Int("daysAfterInitiation")
		_, greater := r.Int("filter.objectSizeGreaterThan")
		_, less := r.Int("filter.objectSizeLessThan")
		if days < 1 || greater || less || r.Has("filter.tag") {
			return errors.New("AbortIncompleteMultipartUpload takes 1 day or more, and a filter by prefix only")
		}
	}
	return nil
})

var versionsFirst = engine.Rule{
	Name: "versions-first", Says: "rules on old versions come when the bucket has versions: before, they do nothing", Source: "AWS provider, aws_s3_bucket_lifecycle_configuration (versioning)",
	Judge: func(c *engine.Call) error {
		if !c.In.Has("rules[*].noncurrentVersionExpiration") && !c.In.Has("rules[*].noncurrentVersionTransitions") {
			return nil
		}
		v, ok := c.Get(versioningToken, c.In.Str("bucket"))
		if ok && v.In.Str("versioningConfiguration.status") == "Enabled" {
			return nil
		}
		return engine.Refuse("InvalidRequest", "the bucket %s has no versions: let the lifecycle depend on its BucketVersioningV2", c.In.Str("bucket"))
	},
}

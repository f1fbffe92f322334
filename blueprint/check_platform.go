package blueprint

import "github.com/hashicorp/hcl/v2"

// checkPlatform refuses a platform without a cluster, and parts that lack what they work on.
func checkPlatform(b *Blueprint, _ known) hcl.Diagnostics {
	p := b.Platform
	if p == nil {
		return nil
	}
	var diags hcl.Diagnostics
	if b.Network == nil {
		diags = append(diags, errorf(p.Range, "Platform without a cluster", "The platform runs on a cluster, and a blueprint without a network block has none."))
	}
	bucket := func(s Value[*Storage], what string) {
		if s.Value != nil && s.Value.S3 == nil {
			diags = append(diags, errorf(s.Range, "Artifacts outside a bucket", "%s keeps artifacts in a bucket, and storage.%s is of kind %s. Refer to a storage of kind s3.", what, s.Value.Name.Value, s.Value.Kind))
		}
	}
	if p.Tracking != nil {
		bucket(p.Tracking.Artifacts, "tracking")
	}
	if p.Workflows != nil {
		bucket(p.Workflows.Artifacts, "workflows")
	}
	return diags
}

package blueprint

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

const day = 24 * time.Hour

// archiveStay is what Glacier Instant Retrieval charges for at least.
//
// Source: Amazon S3 User Guide, "Understanding and managing Amazon S3 storage classes".
const archiveStay = 90 * day

// checkBucketAges judges the ages at which objects of a bucket move and go. S3 counts whole days, and charges for the
// whole stay in an archive whenever an object goes.
//
// Source: Amazon S3 User Guide, "Transitioning objects using Amazon S3 Lifecycle".
func checkBucketAges(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.S3 == nil {
			continue
		}
		archive, expire := s.S3.ArchiveAfter, s.S3.ExpireAfter
		for _, age := range []Value[time.Duration]{archive, expire} {
			if age.IsSet() && age.Value%day != 0 {
				diags = append(diags, errorf(age.Range, "Age in parts of a day", "S3 counts whole days: write %q or %q.",
					formatDuration(age.Value.Truncate(day)), formatDuration(age.Value.Truncate(day)+day)))
			}
		}
		if archive.IsSet() && expire.IsSet() && expire.Value < archive.Value+archiveStay {
			diags = append(diags, errorf(expire.Range, "Objects expire in the archive",
				"Objects move to Glacier Instant Retrieval after %s, which charges for 90 days at least. Let them expire after %s or later, or leave archive_after out.",
				formatDuration(archive.Value), formatDuration(archive.Value+archiveStay)))
		}
	}
	return diags
}

package aws_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func bucketRefusals() []refusal {
	location := func(name string) m { return m{"name": name} }
	return []refusal{
		{token: bucket, rule: "bucket-name", in: m{"bucket": "Standard"}, want: `got "Standard": 3 to 63 lower-case letters`},
		{token: bucket, rule: "bucket-name", in: m{"bucket": "10.0.0.1"}, want: "no IP address"},
		{token: bucket, rule: "bucket-name", in: m{"bucket": "xn--bucket"}, want: "is reserved"},
		{token: bucket, rule: "bucket-name", in: m{"bucket": "bucket--x-s3"}, want: "is reserved"},
		{token: bucket, rule: "bucket-name", in: m{"bucket": nil, "bucketPrefix": "A_"}, want: `bucketPrefix: got "A_"`},
		{token: bucket, rule: "nothing-inline", in: m{"acl": "private"}, want: "acl: it is deprecated inside a bucket"},
		{token: bucket, rule: "bucket-name-free", in: m{"bucket": "datasets"}, want: "BucketAlreadyExists"},
		{token: bucket, rule: "bucket-name-free", in: m{"bucket": "standard-datasets"}, want: "BucketAlreadyOwnedByYou"},
		{token: bucket, rule: "bucket-name-free", prepare: inVirginia, in: m{"bucket": "standard-datasets"}, want: "BucketAlreadyOwnedByYou"},
		{token: directoryBucket, rule: "legal-data-redundancy", in: m{"dataRedundancy": "ThreeZones"}, want: "wanted one of SingleAvailabilityZone"},
		{token: directoryBucket, rule: "legal-type", in: m{"type": "General"}, want: "wanted one of Directory"},
		{token: directoryBucket, rule: "legal-location-type", in: m{"location": m{"name": "usw2-az3", "type": "Zone"}}, want: "wanted one of AvailabilityZone"},
		{token: directoryBucket, rule: "given-location", in: m{"location": nil}, want: "location: missing"},
		{token: directoryBucket, rule: "directory-bucket-name", in: m{"bucket": "another"}, want: "wanted BASE--ZONE--x-s3"},
		{token: directoryBucket, rule: "directory-bucket-name", in: m{"location": location("usw2-az4")}, want: "names the zone usw2-az3, in a bucket of usw2-az4"},
		{token: directoryBucket, rule: "express-zone", in: m{"bucket": "another--usw2-az2--x-s3", "location": location("usw2-az2")}, want: "in us-west-2 it is in usw2-az1, usw2-az3, usw2-az4"},
		{token: directoryBucket, rule: "express-zone", in: m{"bucket": "another--use2-az1--x-s3", "location": location("use2-az1")}, want: "is no zone of us-west-2"},
		{token: directoryBucket, in: m{"bucket": "standard--usw2-az1--x-s3", "location": location("usw2-az1")}, want: "BucketAlreadyOwnedByYou"},
		{token: accessBlock, in: m{"bucket": "${bucket}"}, want: "has one already"},
		{token: ownership, rule: "legal-rule-object-ownership", in: m{"rule": m{"objectOwnership": "Me"}}, want: "wanted one of BucketOwnerEnforced"},
		{token: versioning, rule: "legal-versioning-configuration-status", in: m{"versioningConfiguration": m{"status": "On"}}, want: "wanted one of Enabled"},
		{token: versioning, rule: "versions-stay", update: "versioning", in: m{"versioningConfiguration": m{"status": "Disabled"}}, want: "cannot be updated from 'Enabled' to 'Disabled'"},
		{token: encryption, rule: "legal-rules-apply-server-side-encryption-by-default-sse-algorithm", in: encryptedBy("${bare-bucket}", "DES", nil), want: "wanted one of AES256"},
		{token: encryption, rule: "key-with-kms", in: encryptedBy("${bare-bucket}", "AES256", "${key.arn}"), want: "the algorithm is AES256: set aws:kms"},
		{token: bucketPolicy, rule: "document-policy", in: m{"policy": allowAll}, want: "of kind resource need a Principal"},
		{token: bucketPolicy, rule: "policy-of-bucket", in: m{"policy": bucketStatement("Allow", "arn:aws:s3:::other", "")}, want: "Policy has invalid resource: arn:aws:s3:::other"},
		{token: bucketPolicy, rule: "policy-not-public", update: "bucket-policy", in: m{"policy": bucketStatement("Allow", "${bucket.arn}", "")}, want: "public policies are prevented by the BlockPublicPolicy setting"},
	}
}

func lifecycleRefusals() []refusal {
	rules := func(rules ...any) m { return m{"rules": rules} }
	one := func(actions m) m { return rules(lifecycleRule("one", actions)) }
	move := func(class string, days int) m { return m{"storageClass": class, "days": days} }
	expire := m{"days": 30}
	return []refusal{
		{token: lifecycle, rule: "legal-rules-status", in: rules(m{"id": "one", "status": "On", "filter": m{"prefix": ""}, "expiration": expire}), want: "wanted one of Enabled"},
		{token: lifecycle, rule: "legal-rules-transitions-storage-class", in: one(m{"transitions": []any{move("COLD", 30)}}), want: "wanted one of STANDARD_IA"},
		{token: lifecycle, rule: "legal-transition-default-minimum-object-size", in: m{"transitionDefaultMinimumObjectSize": "1K"}, want: "wanted one of all_storage_classes_128K"},
		{token: lifecycle, rule: "rule-ids", in: rules(lifecycleRule("one", m{"expiration": expire}), lifecycleRule("one", m{"expiration": expire})), want: "is there once"},
		{token: lifecycle, rule: "rule-acts", in: one(nil), want: "it does nothing"},
		{token: lifecycle, rule: "rule-acts", in: rules(m{"id": "one", "status": "Enabled", "prefix": "a/", "expiration": expire}), want: "prefix is deprecated"},
		{token: lifecycle, rule: "rule-acts", in: rules(m{"id": "one", "status": "Enabled", "expiration": expire}), want: "it has no filter"},
		{token: lifecycle, rule: "rule-expiration", in: one(m{"expiration": m{"days": 0}}), want: "wanted 1 or more"},
		{token: lifecycle, rule: "rule-expiration", in: one(m{"expiration": m{"days": 30, "expiredObjectDeleteMarker": true}}), want: "write two rules"},
		{token: lifecycle, rule: "rule-expiration", in: one(m{"noncurrentVersionExpiration": m{"noncurrentDays": 0}}), want: "after 1 day or more"},
		{token: lifecycle, rule: "rule-order", in: one(m{"transitions": []any{move("STANDARD_IA", 29)}}), want: "greater than or equal to 30 for storageClass 'STANDARD_IA'; got 29"},
		{token: lifecycle, rule: "rule-order", in: one(m{"transitions": []any{move("GLACIER", 90), move("STANDARD_IA", 120)}}), want: "not after and below the transition before it"},
		{token: lifecycle, rule: "rule-order", in: one(m{"transitions": []any{move("GLACIER_IR", 30)}, "expiration": expire}), want: "must be greater than 'Days' in the Transition action; got 30 and 30"},
		{token: lifecycle, rule: "rule-uploads", in: one(m{"abortIncompleteMultipartUpload": m{"daysAfterInitiation": 0}}), want: "takes 1 day or more"},
		{token: lifecycle, rule: "versions-first", in: one(m{"noncurrentVersionExpiration": m{"noncurrentDays": 7}}), want: "let the lifecycle depend on its BucketVersioningV2"},
		{token: lifecycle, in: m{"rules": []any{}}, want: "rules: missing"},
	}
}

func lustreRefusals() []refusal {
	kind := func(kind string, more m) m {
		in := m{"deploymentType": kind, "perUnitStorageThroughput": nil, "metadataConfiguration": nil}
		for k, v := range more {
			in[k] = v
		}
		return in
	}
	return []refusal{
		{token: lustre, rule: "legal-deployment-type", in: m{"deploymentType": "PERSISTENT_3"}, want: "wanted one of PERSISTENT"},
		{token: lustre, rule: "legal-storage-type", in: m{"storageType": "NVME"}, want: "wanted one of SSD"},
		{token: lustre, rule: "legal-data-compression-type", in: m{"dataCompressionType": "ZSTD"}, want: "wanted one of NONE, LZ4"},
		{token: lustre, rule: "legal-file-system-type-version", in: m{"fileSystemTypeVersion": "2.16"}, want: "wanted one of 2.1"},
		{token: lustre, rule: "legal-metadata-configuration-mode", in: m{"metadataConfiguration": m{"mode": "MANUAL"}}, want: "wanted one of AUTOMATIC"},
		{token: lustre, rule: "range-automatic-backup-retention-days", in: m{"automaticBackupRetentionDays": 91}, want: "wanted 0 to 90"},
		{token: lustre, rule: "given-storage-capacity", in: m{"storageCapacity": nil}, want: "storageCapacity: missing"},
		{token: lustre, rule: "lustre-throughput", in: m{"perUnitStorageThroughput": 200}, want: "got 200, wanted one of [125 250 500 1000]"},
		{token: lustre, rule: "lustre-throughput", in: m{"perUnitStorageThroughput": nil}, want: "missing: PERSISTENT_2 needs one of"},
		{token: lustre, rule: "lustre-throughput", in: kind("SCRATCH_2", m{"perUnitStorageThroughput": 250}), want: "only persistent file systems have it"},
		{token: lustre, rule: "lustre-capacity", in: m{"storageCapacity": 3600}, want: "got 3600 GiB, wanted a multiple of 2400"},
		{token: lustre, rule: "lustre-capacity", in: simtest.With(efaLustre(), m{"storageCapacity": 12288}), want: "got 12288 GiB, wanted a multiple of 4800"},
		{token: lustre, rule: "lustre-efa", in: withoutMetadata(), want: "a file system with EFA needs one"},
		{token: lustre, rule: "lustre-efa", in: kind("SCRATCH_2", m{"efaEnabled": true}), want: "only PERSISTENT_2 has EFA"},
		{token: lustre, rule: "lustre-metadata", in: m{"metadataConfiguration": m{"mode": "AUTOMATIC", "iops": 3000}}, want: "goes with the mode USER_PROVISIONED"},
		{token: lustre, rule: "lustre-metadata", in: m{"metadataConfiguration": m{"mode": "USER_PROVISIONED", "iops": 4000}}, want: "got 4000, wanted 1500, 3000, 6000"},
		{token: lustre, rule: "lustre-version", in: m{"fileSystemTypeVersion": "2.10"}, want: "has no Lustre 2.10: set 2.15"},
		{token: lustre, rule: "lustre-backups", in: kind("SCRATCH_2", m{"automaticBackupRetentionDays": 7}), want: "a scratch file system has no backups"},
		{token: lustre, rule: "lustre-backups", in: m{"dailyAutomaticBackupStartTime": "03:00"}, want: "there are no daily backups"},
		{token: lustre, rule: "lustre-group", in: m{"securityGroupIds": []any{"${group}"}}, want: "does not permit Lustre LNET network traffic on port 988"},
		{token: lustre, rule: "lustre-group", in: m{"securityGroupIds": nil}, want: "give securityGroupIds"},
		{token: lustre, rule: "lustre-group", in: simtest.With(efaLustre(), m{"securityGroupIds": []any{"${lustre-group}"}}), want: "does not permit all traffic to and from itself"},
		{token: lustre, rule: "throughput-fixed", update: "efa-lustre", in: m{"perUnitStorageThroughput": 500, "storageCapacity": 9600}, want: "it has 1000, got 500"},
	}
}

func linkRefusals() []refusal {
	return []refusal{
		{token: link, rule: "shape-of-data-repository-path", in: m{"dataRepositoryPath": "standard-bare"}, want: "is s3:// and a bucket"},
		{token: link, rule: "shape-of-file-system-path", in: m{"fileSystemPath": "datasets"}, want: "begins with a slash"},
		{token: link, rule: "legal-s3-auto-import-policy-events", in: m{"s3": m{"autoImportPolicy": m{"events": []any{"MOVED"}}}}, want: "wanted one of NEW"},
		{token: link, rule: "legal-s3-auto-export-policy-events", in: m{"s3": m{"autoExportPolicy": m{"events": []any{"MOVED"}}}}, want: "wanted one of NEW"},
		{token: link, rule: "range-imported-file-chunk-size", in: m{"importedFileChunkSize": 0}, want: "wanted 1 to 512000"},
		{token: link, rule: "linked-type", in: m{"fileSystemId": "${old-lustre}"}, want: "it is SCRATCH_1 with Lustre 2.10"},
		{token: link, rule: "linked-bucket", in: m{"dataRepositoryPath": "s3://nobody"}, want: "The S3 bucket nobody does not exist"},
		{token: link, rule: "linked-bucket", in: m{"dataRepositoryPath": "s3://standard--usw2-az1--x-s3"}, want: "is a directory bucket"},
		{token: link, rule: "linked-bucket", in: m{"dataRepositoryPath": "s3://standard-datasets"}, want: "FSx cannot use the key"},
		{token: link, rule: "links-apart", in: m{"fileSystemId": "${efa-lustre}", "fileSystemPath": "/bare/below"}, want: "fileSystemPath /bare/below overlaps /bare"},
		{token: link, rule: "links-apart", in: m{"fileSystemId": "${efa-lustre}"}, want: "dataRepositoryPath s3://standard-bare overlaps s3://standard-bare/sets"},
		{token: link, rule: "links-few", prepare: eightLinks, want: "has 8 data repository associations, and 8 are allowed"},
		{token: link, rule: "links-without-backups", in: m{"fileSystemId": "${backed-lustre}"}, want: "set automaticBackupRetentionDays of ${backed-lustre} to 0"},
	}
}

// eightLinks links the file system as often as is allowed.
func eightLinks(_ *testing.T, w *simtest.World) {
	for i := range 8 {
		w.MustCreate(fmt.Sprintf("link-%d", i), link, m{
			"fileSystemId": "${lustre}", "fileSystemPath": fmt.Sprintf("/%d", i), "dataRepositoryPath": "s3://standard-bare/" + strings.Repeat("a", i+1),
		})
	}
}

// withoutMetadata takes the metadata configuration away from a file system with EFA.
func withoutMetadata() m {
	in := efaLustre()
	in["metadataConfiguration"] = nil
	return in
}

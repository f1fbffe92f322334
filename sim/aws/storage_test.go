package aws_test

// standardStorage are the buckets and file systems of the standard environment.
func standardStorage() []one {
	return []one{
		{"bucket", bucket, m{"bucket": "standard-datasets"}},
		{"bare-bucket", bucket, m{"bucket": "standard-bare"}},
		{"express-bucket", directoryBucket, m{"bucket": "standard--usw2-az1--x-s3", "location": m{"name": "usw2-az1", "type": "AvailabilityZone"}}},
		{"access-block", accessBlock, m{"bucket": "${bucket}", "blockPublicAcls": true, "blockPublicPolicy": true, "ignorePublicAcls": true, "restrictPublicBuckets": true}},
		{"ownership", ownership, m{"bucket": "${bucket}", "rule": m{"objectOwnership": "BucketOwnerEnforced"}}},
		{"versioning", versioning, m{"bucket": "${bucket}", "versioningConfiguration": m{"status": "Enabled"}}},
		{"encryption", encryption, encryptedBy("${bucket}", "aws:kms", "${key.arn}")},
		{"bucket-policy", bucketPolicy, m{"bucket": "${bucket}", "policy": bucketStatement("Deny", "${bucket.arn}", `,"Condition":{"Bool":{"aws:SecureTransport":"false"}}`)}},
		{"lifecycle", lifecycle, m{"bucket": "${bucket}", "rules": []any{
			lifecycleRule("uploads", m{"abortIncompleteMultipartUpload": m{"daysAfterInitiation": 2}}),
			lifecycleRule("old", m{"noncurrentVersionExpiration": m{"noncurrentDays": 7, "newerNoncurrentVersions": 1}}),
		}}},
		{"lustre-group", "aws:ec2/securityGroup:SecurityGroup", m{"vpcId": "${vpc}"}},
		{"lustre-988", ingress, selfRule("${lustre-group}", "tcp", 988, 988)},
		{"lustre-1018", ingress, selfRule("${lustre-group}", "tcp", 1018, 1023)},
		{"efa-group", "aws:ec2/securityGroup:SecurityGroup", m{"vpcId": "${vpc}"}},
		{"efa-in", ingress, m{"securityGroupId": "${efa-group}", "referencedSecurityGroupId": "${efa-group}", "ipProtocol": "-1"}},
		{"efa-out", egress, m{"securityGroupId": "${efa-group}", "referencedSecurityGroupId": "${efa-group}", "ipProtocol": "-1"}},
		{"lustre", lustre, lustreWith(nil)},
		{"efa-lustre", lustre, efaLustre()},
		{"old-lustre", lustre, m{"subnetIds": "${private-a}", "securityGroupIds": []any{"${lustre-group}"}, "storageCapacity": 1200}},
		{"backed-lustre", lustre, lustreWith(m{"automaticBackupRetentionDays": 7, "kmsKeyId": "${key.arn}"})},
		{"link", link, m{"fileSystemId": "${efa-lustre}", "fileSystemPath": "/bare", "dataRepositoryPath": "s3://standard-bare/sets"}},
	}
}

// Tokens of storage.
const (
	bucket          = "aws:s3/bucketV2:BucketV2"
	directoryBucket = "aws:s3/directoryBucket:DirectoryBucket"
	accessBlock     = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"
	ownership       = "aws:s3/bucketOwnershipControls:BucketOwnershipControls"
	versioning      = "aws:s3/bucketVersioningV2:BucketVersioningV2"
	encryption      = "aws:s3/bucketServerSideEncryptionConfigurationV2:BucketServerSideEncryptionConfigurationV2"
	bucketPolicy    = "aws:s3/bucketPolicy:BucketPolicy"
	lifecycle       = "aws:s3/bucketLifecycleConfigurationV2:BucketLifecycleConfigurationV2"
	lustre          = "aws:fsx/lustreFileSystem:LustreFileSystem"
	link            = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"
	ingress         = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
	egress          = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
)

func encryptedBy(name, algorithm string, key any) m {
	return m{"bucket": name, "rules": []any{m{"bucketKeyEnabled": true, "applyServerSideEncryptionByDefault": m{"sseAlgorithm": algorithm, "kmsMasterKeyId": key}}}}
}

func bucketStatement(effect, resource, more string) string {
	return `{"Version":"2012-10-17","Statement":[{"Effect":"` + effect + `","Principal":{"AWS":"*"},"Action":"s3:*","Resource":["` + resource + `","` + resource + `/*"]` + more + `}]}`
}

func lifecycleRule(id string, actions m) m {
	rule := m{"id": id, "status": "Enabled", "filter": m{"prefix": ""}}
	for k, v := range actions {
		rule[k] = v
	}
	return rule
}

func selfRule(group, protocol string, from, to int) m {
	return m{"securityGroupId": group, "referencedSecurityGroupId": group, "ipProtocol": protocol, "fromPort": from, "toPort": to}
}

// lustreWith describes a file system without EFA, with some changes.
func lustreWith(changes m) m {
	in := m{
		"deploymentType": "PERSISTENT_2", "storageType": "SSD", "fileSystemTypeVersion": "2.15", "storageCapacity": 2400, "perUnitStorageThroughput": 250,
		"metadataConfiguration": m{"mode": "USER_PROVISIONED", "iops": 3000}, "subnetIds": "${private-a}", "securityGroupIds": []any{"${lustre-group}"},
		"skipFinalBackup": false,
	}
	for k, v := range changes {
		if in[k] = v; v == nil {
			delete(in, k)
		}
	}
	return in
}

func efaLustre() m {
	return lustreWith(m{"efaEnabled": true, "storageCapacity": 4800, "perUnitStorageThroughput": 1000, "metadataConfiguration": m{"mode": "AUTOMATIC"},
		"securityGroupIds": []any{"${efa-group}"}})
}

func storageLives() []life {
	rules := func(more m) m { return m{"rules": []any{lifecycleRule("one", more)}} }
	return []life{
		{bucket, m{"bucket": "another-bucket"}, m{"forceDestroy": true}, m{"bucket": "third-bucket"}},
		{directoryBucket, m{"bucket": "another--usw2-az3--x-s3", "location": m{"name": "usw2-az3"}}, m{"forceDestroy": true},
			m{"bucket": "another--usw2-az4--x-s3", "location": m{"name": "usw2-az4"}}},
		{accessBlock, m{"bucket": "${bare-bucket}", "blockPublicPolicy": true}, m{"blockPublicAcls": true}, m{"bucket": "${bucket}"}},
		{ownership, m{"bucket": "${bare-bucket}", "rule": m{"objectOwnership": "BucketOwnerEnforced"}}, m{"rule": m{"objectOwnership": "ObjectWriter"}}, m{"bucket": "${bucket}"}},
		{versioning, m{"bucket": "${bare-bucket}", "versioningConfiguration": m{"status": "Enabled"}}, m{"versioningConfiguration": m{"status": "Suspended"}}, m{"bucket": "${bucket}"}},
		{encryption, encryptedBy("${bare-bucket}", "AES256", nil), encryptedBy("${bare-bucket}", "aws:kms", "${key.arn}"), m{"bucket": "${bucket}"}},
		{bucketPolicy, m{"bucket": "${bare-bucket}", "policy": bucketStatement("Allow", "${bare-bucket.arn}", "")},
			m{"policy": bucketStatement("Deny", "${bare-bucket.arn}", "")}, m{"bucket": "${bucket}"}},
		{lifecycle, m{"bucket": "${bare-bucket}", "rules": rules(m{"expiration": m{"days": 30}})["rules"]}, rules(m{"expiration": m{"days": 60}}), m{"bucket": "${bucket}"}},
		{lustre, lustreWith(nil), m{"storageCapacity": 4800}, m{"storageCapacity": 1200}},
		{link, m{"fileSystemId": "${lustre}", "fileSystemPath": "/datasets", "dataRepositoryPath": "s3://standard-bare", "s3": m{"autoImportPolicy": m{"events": []any{"NEW"}}}},
			m{"s3": m{"autoExportPolicy": m{"events": []any{"NEW", "DELETED"}}}}, m{"fileSystemPath": "/other"}},
	}
}

package pack

var bucketEncrypted = Policy{
	Name: "bucket-encrypted", Level: Advisory, Area: Storage,
	Summary: "Every bucket states how it is encrypted.",
	Why: "S3 encrypts with its own key by itself. Stating the configuration makes the key a decision, and with a bucket key a KMS key costs " +
		"next to nothing.",
	Fix: "Add an `aws.s3.BucketServerSideEncryptionConfigurationV2` for the bucket.",
	Stack: func(s *Stack, _ Config) []Finding {
		return bucketsWithout(s, tokenBucketEncryption, "serverSideEncryptionConfiguration", nil, "The bucket has no encryption configuration.")
	},
}

package pack

var bucketAccessBlock = Policy{
	Name: "bucket-access-block", Level: Mandatory, Area: Storage,
	Summary: "Every bucket has a public access block.",
	Why:     "The block holds whatever ACL or policy is added later, by whomever. Accounts differ in what they block by default.",
	Fix:     "Add an `aws.s3.BucketPublicAccessBlock` with all four flags for the bucket.",
	Stack: func(s *Stack, _ Config) []Finding {
		return bucketsWithout(s, tokenAccessBlock, "", nil, "The bucket has no public access block.")
	},
}

// bucketsWithout reports the buckets for which the stack has no resource of a type, and that do not have the inline block
// of a name either. Only buckets for which want holds are looked at. If some resource of the type cannot be told which
// bucket it is for, nothing is reported: it may be this one's.
func bucketsWithout(s *Stack, token, inline string, want func(*Resource) bool, message string) []Finding {
	covered := map[*Resource]bool{}
	for _, r := range s.Of(token) {
		name := r.Get("bucket")
		bucket := s.Meant(r, "bucket", name, tokenBucketV2)
		if bucket == nil {
			bucket = s.Meant(r, "bucket", name, tokenBucket)
		}
		if _, known := name.Text(); bucket == nil && !known {
			return nil
		}
		covered[bucket] = true
	}
	var findings []Finding
	for _, b := range s.Of(tokenBucketV2, tokenBucket) {
		if covered[b] || want != nil && !want(b) || inline != "" && states(b.Get(inline)) {
			continue
		}
		findings = append(findings, at(b, "%s", message))
	}
	return findings
}

// states says whether a bucket has a block of its own, or may: one that was made without shows an empty text.
func states(v Value) bool {
	text, ok := v.Text()
	return !v.Absent() && !(ok && text == "")
}

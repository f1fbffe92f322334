package pack

import (
	"strings"
)

var bucketTLSOnly = Policy{
	Name: "bucket-tls-only", Level: Mandatory, Area: Storage,
	Summary: "Every bucket refuses requests that do not use TLS.",
	Why:     "S3 answers plain HTTP. A loader with a wrong endpoint then sends signed requests and data in the clear.",
	Fix:     "Add a bucket policy that denies `s3:*` where `aws:SecureTransport` is `false`.",
	Stack:   judgeBucketTLSOnly,
}

func judgeBucketTLSOnly(s *Stack, _ Config) []Finding {
	findings := bucketsWithout(s, tokenBucketPolicy, "policy", nil, "The bucket has no policy that denies requests without TLS.")
	for _, r := range s.Of(tokenBucketPolicy, tokenBucket, tokenBucketV2) {
		document := r.Get("policy")
		// A bucket that has its policy from a resource of its own shows an empty one.
		if text, ok := document.Text(); ok && text != "" && !deniesPlain(document) {
			findings = append(findings, at(r, "The policy does not deny requests whose aws:SecureTransport is false."))
		}
	}
	return findings
}

// deniesPlain says whether a policy denies everything to requests without TLS.
func deniesPlain(document Value) bool {
	for _, s := range statements(document) {
		condition := strings.ToLower(string(s.Condition))
		if s.Effect == "Deny" && s.anyone() && strings.Contains(condition, "aws:securetransport") && strings.Contains(condition, "false") {
			return true
		}
	}
	return false
}

package pack

import (
	"strings"
)

var bucketPublic = Policy{
	Name: "bucket-public", Level: Mandatory, Area: Storage,
	Summary: "No bucket is public.",
	Why:     "Data sets, checkpoints and logs are the whole value of a training environment, and scanners find a public bucket by its name.",
	Fix:     "Remove the public ACL or policy, and set all four flags of the public access block.",
	Tokens:  []string{tokenBucket, tokenBucketV2, tokenBucketACL, tokenAccessBlock, tokenBucketPolicy},

	Resource: judgeBucketPublic,
}

// blockFlags are the four flags of a public access block. Each is false where it is left out.
// Source: S3 API, PublicAccessBlockConfiguration.
var blockFlags = []string{"blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"}

func judgeBucketPublic(r *Resource, _ Config) []Finding {
	switch r.Type {
	case tokenAccessBlock:
		var off []string
		for _, name := range blockFlags {
			if on, ok := r.Get(name).FlagOr(false); ok && !on {
				off = append(off, name)
			}
		}
		if len(off) > 0 {
			return one("The public access block leaves %s off.", join(off))
		}
	case tokenBucketPolicy:
		return publicStatements(r.Get("policy"))
	default:
		if acl, _ := r.Get("acl").Text(); strings.HasPrefix(acl, "public-") || acl == "authenticated-read" {
			return one("The ACL is %s.", r.Get("acl").Quote())
		}
		return publicStatements(r.Get("policy"))
	}
	return nil
}

// publicStatements finds statements that let everybody in without a condition.
func publicStatements(document Value) []Finding {
	for i, s := range statements(document) {
		if s.Effect == "Allow" && s.anyone() && !s.conditional() {
			return one("Statement %d of the policy allows everybody, without a condition.", i+1)
		}
	}
	return nil
}

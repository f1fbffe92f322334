package pack

import (
	"strings"
)

var lambdaImageDigest = Policy{
	Name: "lambda-image-digest", Level: Mandatory, Area: Serverless,
	Summary: "Functions from an image name it by digest.",
	Why: "A tag can be moved: the next cold start, or the next region, then runs other code than was tested. The plan also does not see " +
		"that anything changed.",
	Fix:    "Write `imageUri` as `REPOSITORY@sha256:…`.",
	Tokens: []string{tokenFunction},

	Resource: func(r *Resource, _ Config) []Finding {
		kind, _ := r.Get("packageType").TextOr("Zip")
		image := r.Get("imageUri")
		if text, ok := image.Text(); ok && text != "" && kind == "Image" && !strings.Contains(text, "@sha256:") {
			return one("imageUri is %s, which names no digest.", image.Quote())
		}
		return nil
	},
}

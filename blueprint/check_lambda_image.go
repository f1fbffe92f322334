package blueprint

import (
	"regexp"

	"github.com/hashicorp/hcl/v2"
)

var (
	imageDigest    = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	imageTag       = regexp.MustCompile(`^[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}$`)
	repositoryName = regexp.MustCompile(`^[a-z0-9]+([._/-][a-z0-9]+)*$`)
)

// checkLambdaImage refuses images that are not named as a registry names them.
//
// Sources: Lambda API, CreateFunction (one image, by its address in a private registry of the same region); ECR API,
// CreateRepository; OCI distribution specification, "Pulling manifests".
func checkLambdaImage(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		var diags hcl.Diagnostics
		i := f.Image
		if i.Repository.IsSet() && !repositoryName.MatchString(i.Repository.Value) {
			diags = append(diags, errorf(i.Repository.Range, "Illegal repository", "%q is no name of a repository in the environment's own registry, such as tuner: lower-case letters and digits, with single . _ - or / between them. "+
				"An image of another registry is copied there first: Lambda pulls from a private registry of its own region only.", i.Repository.String()))
		}
		switch {
		case i.Repository.IsSet() && i.Tag.missing() == i.Digest.missing():
			diags = append(diags, errorf(i.Range, "Tag or digest", "An image is named by a tag or by a digest, by one of them."))
		case i.Digest.IsSet() && !imageDigest.MatchString(i.Digest.Value):
			diags = append(diags, errorf(i.Digest.Range, "Illegal digest", "%q is no digest: sha256: and 64 hexadecimal digits.", i.Digest.String()))
		case i.Tag.IsSet() && !imageTag.MatchString(i.Tag.Value):
			diags = append(diags, errorf(i.Tag.Range, "Illegal tag", "%q is no tag: up to 128 letters, digits and . _ -, the first of them no . or -.", i.Tag.String()))
		}
		return diags
	})
}

package stacks

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ecr"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/lambda"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
)

// foundImage is what the registry says of a function's image.
type foundImage struct {
	// Digest is the image's digest; "" while there is no repository to push it to.
	Digest string
}

// findImages asks the registry, before anything is made, which digest each function's tag names today.
//
// The registry is the environment's own, so that the first run has to come before the first push: without the
// repository, the function is left out and the run says what to push where. Afterwards a missing image is an error, and
// never a reason to leave a function out: it would be taken away from its callers.
func findImages(d *serving, provider pulumi.ProviderResource) (map[*blueprint.Serverless]foundImage, error) {
	found := map[*blueprint.Serverless]foundImage{}
	var diags hcl.Diagnostics
	for _, s := range serverlessOf(d.plan.Blueprint, "lambda") {
		image, err := findImage(d, s, provider)
		if diag := imageError(d.plan, s, err); diag != nil {
			diags = append(diags, diag)
			continue
		} else if err != nil {
			return nil, err
		}
		found[s] = image
	}
	return found, d.plan.Blueprint.Diagnostics(diags).Err()
}

// repositoryOf is the full name of a function's repository.
func repositoryOf(p *Plan, s *blueprint.Serverless) string {
	return p.Blueprint.Environment.Name.Value + "/" + s.Lambda.Image.Repository.Value
}

// goneError says that a function runs whose repository is gone.
type goneError struct{ repository string }

func (e goneError) Error() string { return "no repository " + e.repository }

func findImage(d *serving, s *blueprint.Serverless, provider pulumi.ProviderResource) (foundImage, error) {
	args := &ecr.GetImageArgs{RepositoryName: repositoryOf(d.plan, s)}
	if i := s.Lambda.Image; i.Digest.Value != "" {
		args.ImageDigest = &i.Digest.Value
	} else {
		args.ImageTag = &i.Tag.Value
	}
	answer, err := ecr.GetImage(d.ctx, args, pulumi.Provider(provider))
	switch {
	case err == nil:
		return foundImage{answer.ImageDigest}, nil
	case !strings.Contains(err.Error(), "RepositoryNotFoundException"):
		return foundImage{}, fmt.Errorf("asking the registry for the image of %s: %w", s.Name.Value, err)
	}
	_, err = lambda.LookupFunction(d.ctx, &lambda.LookupFunctionArgs{FunctionName: d.name(s.Name.Value)}, pulumi.Provider(provider))
	switch {
	case err == nil:
		return foundImage{}, goneError{args.RepositoryName}
	case strings.Contains(err.Error(), "ResourceNotFoundException"), strings.Contains(err.Error(), "couldn't find resource"):
		return foundImage{}, nil
	default:
		return foundImage{}, fmt.Errorf("asking whether the function %s is there: %w", s.Name.Value, err)
	}
}

// imageError is the diagnostic of an image that is not there, or nil if that is not the error.
func imageError(p *Plan, s *blueprint.Serverless, err error) *hcl.Diagnostic {
	if err == nil {
		return nil
	}
	image := s.Lambda.Image
	at, what := image.Tag.Range, "tag "+image.Tag.Value
	if image.Digest.Value != "" {
		at, what = image.Digest.Range, image.Digest.Value
	}
	diag := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Image not in the registry", Subject: at.Ptr()}
	gone, isGone := err.(goneError)
	switch {
	case strings.Contains(err.Error(), "ImageNotFoundException"):
		diag.Detail = fmt.Sprintf("The repository %s has no %s. Push it there, and run this again. Nothing was changed: a function that runs goes on running its own image.",
			repositoryOf(p, s), what)
	case isGone:
		diag.Detail = fmt.Sprintf("The function %s runs, and its repository %s is gone. Make the repository again with `pulumi refresh` and `pulumi up --target`, and push the image, before anything else is changed.",
			p.Blueprint.Environment.Name.Value+"-"+s.Name.Value, gone.repository)
	default:
		return nil
	}
	return diag
}

// pushAdvice says how an image gets to where its function looks for it.
func pushAdvice(p *Plan, s *blueprint.Serverless) string {
	tag := s.Lambda.Image.Tag.Value
	if tag == "" {
		tag = "TAG"
	}
	return fmt.Sprintf("The function %q waits for its image. This run makes the repository %s; then push the image there, as one manifest for %s and without attestations, and run this again:\n"+
		"  docker buildx build --platform linux/%s --provenance=false --sbom=false --push -t REPOSITORY:%s .\n"+
		"REPOSITORY is the output serverless.%s.repository; on the embedded cloud, `gpuyard cloud push-image %s %s %s` does it.",
		s.Name.Value, repositoryOf(p, s), s.Lambda.Architecture.Value, dockerArchitecture(s.Lambda.Architecture.Value), tag,
		s.Name.Value, p.Blueprint.Environment.Name.Value, repositoryOf(p, s), tag)
}

// dockerArchitecture is how images call an architecture of Lambda.
func dockerArchitecture(lambda string) string {
	if lambda == "x86_64" {
		return "amd64"
	}
	return lambda
}

package stacks

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ecr"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
)

// preflightServerless finds the images of functions, and has every image looked at by its registry where that can be
// reached: a list of images, or one for another architecture, is refused by the service after everything else was made.
func preflightServerless(d *serving) error {
	var err error
	if d.images, err = findImages(d, d.aws); err != nil {
		return err
	}
	var diags hcl.Diagnostics
	for _, s := range d.plan.Blueprint.Serverless {
		look, ok := d.lookAt(s)
		if !ok {
			continue
		}
		facts, err := look.facts()
		if err != nil {
			// Nothing is wrong that is known: it is said that nobody looked.
			message := fmt.Sprintf("The image %s was not looked at before this run, so an image of the wrong kind is found only by the service: %v.", look.image, err)
			if err := d.ctx.Log.Warn(message, nil); err != nil {
				return err
			}
			continue
		}
		if problem := facts.problem(look.platform, look.oneManifest); problem != "" {
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Image of the wrong kind", Subject: look.at.Ptr(),
				Detail: fmt.Sprintf("%s cannot be run: %s.", look.image, problem),
			})
		}
	}
	return d.plan.Blueprint.Diagnostics(diags).Err()
}

// lookedAt is an image that a registry is asked about.
type lookedAt struct {
	image, platform string
	oneManifest     bool
	at              hcl.Range
	facts           func() (imageFacts, error)
}

// lookAt says what to ask about a block's image; nothing where there is no image yet.
func (d *serving) lookAt(s *blueprint.Serverless) (lookedAt, bool) {
	if a := s.ContainerApp; a != nil {
		return lookedAt{image: a.Image.Value, platform: "linux/amd64", at: a.Image.Range, facts: func() (imageFacts, error) {
			if a.Registry != nil {
				return imageFacts{}, errors.New("its registry asks who is there, and only the app itself may pull")
			}
			return inspectImage(d.ctx.Context(), a.Image.Value, authn.Anonymous)
		}}, true
	}
	found := d.images[s]
	if found.Digest == "" {
		return lookedAt{}, false
	}
	name := repositoryOf(d.plan, s) + "@" + found.Digest
	return lookedAt{
		image: name, platform: "linux/" + dockerArchitecture(s.Lambda.Architecture.Value), oneManifest: true, at: s.Lambda.Image.Range,
		facts: func() (imageFacts, error) {
			token, err := ecr.GetAuthorizationToken(d.ctx, nil, pulumi.Provider(d.aws))
			if err != nil {
				return imageFacts{}, fmt.Errorf("the registry gives no token: %w", err)
			}
			host := strings.TrimPrefix(token.ProxyEndpoint, "https://")
			return inspectImage(d.ctx.Context(), host+"/"+name, &authn.Basic{Username: token.UserName, Password: token.Password})
		},
	}, true
}

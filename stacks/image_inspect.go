package stacks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// inspectTimeout is how long a registry has to answer. A plan must not wait for one that is out of reach.
const inspectTimeout = 5 * time.Second

// imageFacts is what a registry says an image is.
type imageFacts struct {
	// Index says that the name stands for a list of images, as tools push it that add attestations.
	Index bool
	// Platforms are what the image, or the images of the list, run on: linux/amd64.
	Platforms []string
}

// errNoRegistry says that there is no registry of a name, which needs no network to know.
var errNoRegistry = errors.New("its host is a name that RFC 2606 reserves for examples")

// inspectImage asks a registry what an image is: HOST/NAME:TAG or HOST/NAME@DIGEST.
func inspectImage(ctx context.Context, image string, as authn.Authenticator) (imageFacts, error) {
	ref, err := name.ParseReference(image, name.StrictValidation)
	if err != nil {
		return imageFacts{}, fmt.Errorf("%s names no image of a registry: %w", image, err)
	}
	if exampleHost(ref.Context().RegistryStr()) {
		return imageFacts{}, errNoRegistry
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTimeout)
	defer cancel()
	found, err := remote.Get(ref, remote.WithContext(ctx), remote.WithAuth(as))
	if err != nil {
		return imageFacts{}, fmt.Errorf("asking the registry: %w", err)
	}
	if found.MediaType.IsIndex() {
		return factsOfIndex(found)
	}
	one, err := found.Image()
	if err != nil {
		return imageFacts{}, fmt.Errorf("reading the manifest: %w", err)
	}
	config, err := one.ConfigFile()
	if err != nil {
		return imageFacts{}, fmt.Errorf("reading what the image runs on: %w", err)
	}
	return imageFacts{Platforms: []string{config.OS + "/" + config.Architecture}}, nil
}

func factsOfIndex(found *remote.Descriptor) (imageFacts, error) {
	list, err := found.ImageIndex()
	if err != nil {
		return imageFacts{}, fmt.Errorf("reading the list of images: %w", err)
	}
	manifest, err := list.IndexManifest()
	if err != nil {
		return imageFacts{}, fmt.Errorf("reading the list of images: %w", err)
	}
	facts := imageFacts{Index: true}
	for _, m := range manifest.Manifests {
		if p := m.Platform; p != nil && p.OS != "unknown" { // what only describes another entry runs on nothing
			facts.Platforms = append(facts.Platforms, p.OS+"/"+p.Architecture)
		}
	}
	return facts, nil
}

// exampleHost says whether a host cannot exist. Source: RFC 2606, sections 2 and 3.
func exampleHost(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	for _, suffix := range []string{"example", "test", "invalid", "example.com", "example.net", "example.org"} {
		if host == suffix || strings.HasSuffix(host, "."+suffix) {
			return true
		}
	}
	return false
}

// problem says why a service cannot run an image, or "".
func (f imageFacts) problem(platform string, oneManifest bool) string {
	switch {
	case f.Index && oneManifest:
		return fmt.Sprintf("it is a list of images and not an image, which Lambda refuses (InvalidParameterValueException, media type). "+
			"Build it without attestations: docker buildx build --platform %s --provenance=false --sbom=false", platform)
	case len(f.Platforms) > 0 && !slices.Contains(f.Platforms, platform):
		return fmt.Sprintf("it runs on %s, and %s is wanted. Build it with --platform %s", strings.Join(f.Platforms, ", "), platform, platform)
	default:
		return ""
	}
}

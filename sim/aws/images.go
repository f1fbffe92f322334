package aws

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// ImageToken is how the embedded cloud calls an image that was pushed to a repository. No provider has such a resource.
const ImageToken = "embedded:ecr:Image"

// Image is what somebody pushes to a repository.
type Image struct {
	// Repository is the repository's full name and Tag the tag that names the image.
	Repository, Tag string
	// Architecture is amd64 or arm64.
	Architecture string
	// Index pushes a list of images, as tools do that add attestations.
	Index bool
}

var (
	tagShape      = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`)
	architectures = []string{"amd64", "arm64"}
)

// pushedSize is how large a pushed image is, in MiB.
const pushedSize = 512

// Push puts an image into a repository and returns its digest. Other images have other digests, the same the same.
func Push(tx *store.Tx, now int64, image Image) (string, error) {
	if !tagShape.MatchString(image.Tag) || !slices.Contains(architectures, image.Architecture) {
		return "", fmt.Errorf("%q of architecture %q: wanted a tag, and one of %v", image.Tag, image.Architecture, architectures)
	}
	repository, ok := tx.Get(repositoryToken, image.Repository)
	if !ok {
		return "", fmt.Errorf("name unknown: The repository with name '%s' does not exist in the registry with id '%s': bring the environment up once, which makes it", image.Repository, engine.Account)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", image))
	digest := "sha256:" + hex.EncodeToString(sum[:])
	immutable := engine.Props(repository.Outputs).Str("imageTagMutability") == "IMMUTABLE"
	for _, r := range tx.All(ImageToken) {
		out := engine.Props(r.Outputs)
		if out.Str("repository") != image.Repository || !slices.Contains(out.Strs("tags[*]"), image.Tag) {
			continue
		}
		if out.Str("digest") == digest {
			return digest, nil
		}
		if immutable {
			return "", fmt.Errorf("tag invalid: The image tag '%s' already exists in the '%s' repository and cannot be overwritten because the tag is immutable", image.Tag, image.Repository)
		}
		return "", errors.New("the embedded cloud moves no tags: push under another one")
	}
	return digest, tx.Put(&store.Record{
		Provider: "aws", Token: ImageToken, ID: image.Repository + "@" + digest, Region: repository.Region, Owner: repositoryToken + " " + image.Repository,
		Outputs: resource.NewPropertyMapFromMap(map[string]any{
			"repository": image.Repository, "digest": digest, "tags": []any{image.Tag}, "architecture": image.Architecture,
			"index": image.Index, "pushedAt": float64(now), "sizeMiB": float64(pushedSize),
		}),
	})
}

// pushed is an image that is there.
type pushed struct {
	repository, digest, architecture string
	tags                             []string
	index                            bool
	pushed, sizeMiB                  int
}

// is says whether a tag or a digest names the image.
func (p pushed) is(tag, digest string) bool {
	return digest != "" && p.digest == digest || digest == "" && slices.Contains(p.tags, tag)
}

// imagesOf returns the images of a repository.
func imagesOf(c *engine.Call, repository string) []pushed {
	var all []pushed
	for _, i := range c.All(ImageToken) {
		if i.Out.Str("repository") != repository {
			continue
		}
		at, _ := i.Out.Int("pushedAt")
		size, _ := i.Out.Int("sizeMiB")
		all = append(all, pushed{repository, i.Out.Str("digest"), i.Out.Str("architecture"), i.Out.Strs("tags[*]"), i.Out.Bool("index"), at, size})
	}
	return all
}

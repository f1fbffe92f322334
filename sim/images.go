package sim

import (
	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Image is what somebody pushes to a repository of the embedded cloud. It has no layers: what is simulated is that it
// is there, under a tag, with a digest and an architecture.
type Image = aws.Image

// PushImage puts an image into a repository, as `docker push` does, and returns its digest.
func (c *Cloud) PushImage(image Image) (digest string, err error) {
	err = c.store.Update(func(tx *store.Tx) error {
		digest, err = aws.Push(tx, c.now().Unix(), image)
		return err
	})
	return digest, err
}

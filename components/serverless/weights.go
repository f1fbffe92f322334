package serverless

import (
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// The environment variables that tell a function of its weights. The package says what each means.
const (
	EnvWeightsSource    = "GPUYARD_WEIGHTS_SOURCE"
	EnvWeightsPath      = "GPUYARD_WEIGHTS_PATH"
	EnvWeightsSHA256    = "GPUYARD_WEIGHTS_SHA256"
	EnvWeightsSize      = "GPUYARD_WEIGHTS_SIZE"
	EnvWeightsMemoryMap = "GPUYARD_WEIGHTS_MEMORY_MAP"
)

// object returns the bucket and the key of the weights.
func (w *Weights) object() (bucket, key string) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(w.Source, "s3://"), "/")
	return bucket, key
}

// checkWeights reports weights that cannot be fetched, and such that do not fit.
func checkWeights(c *argument.Checker, a *FunctionArgs) {
	w := a.Weights
	if w == nil {
		return
	}
	if bucket, key := w.object(); !strings.HasPrefix(w.Source, "s3://") || bucket == "" || key == "" {
		c.Failf("weights.source", "%q is no address such as s3://bucket/model.safetensors", w.Source)
	}
	mounted := a.MountPath != "" && strings.HasPrefix(w.Path, a.MountPath+"/")
	if !mounted && !strings.HasPrefix(w.Path, "/tmp/") {
		c.Failf("weights.path", "%q is not below /tmp/ or the mounted file system, where alone a function can write", w.Path)
	}
	tmp, memory := catalog.LambdaWeightsNeed(w.Size)
	if w.Size > 0 && !mounted && tmp > a.EphemeralStorage {
		c.Failf("weights.size", "%d MiB of weights need %d MiB of ephemeral storage, and there are %d", w.Size, tmp, a.EphemeralStorage)
	}
	if w.Size > 0 && memory > a.Memory {
		c.Failf("weights.size", "%d MiB of weights need %d MiB of memory, mapped or read, and there are %d", w.Size, memory, a.Memory)
	}
}

package blueprint

import (
	"regexp"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

var (
	weightsSource = regexp.MustCompile(`^s3://[a-z0-9][-a-z0-9.]{1,61}[a-z0-9]/.+[^/]$`)
	sha256Form    = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// slowInit is the size, in MiB, of weights that are fetched in ten seconds at a good rate, 100 MB/s.
const slowInit = 1024

// checkLambdaWeights refuses weights that cannot be fetched or do not fit, and warns of those that are slow to fetch.
//
// Source: Lambda Developer Guide, "Understanding the Lambda execution environment lifecycle" (initialization of ten
// seconds, begun again in the first call) and "Lambda quotas".
func checkLambdaWeights(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		w := f.Weights
		if w == nil {
			return nil
		}
		var diags hcl.Diagnostics
		if w.Source.IsSet() && !weightsSource.MatchString(w.Source.Value) {
			diags = append(diags, errorf(w.Source.Range, "Illegal source of weights", "Weights are fetched from an address such as s3://bucket/model.safetensors."))
		}
		onEFS := f.EFS != nil && f.EFS.Path.Value != "" && strings.HasPrefix(w.Path.Value, f.EFS.Path.Value+"/")
		if w.Path.IsSet() && !onEFS && !strings.HasPrefix(w.Path.Value, "/tmp/") {
			diags = append(diags, errorf(w.Path.Range, "Illegal path of weights", "A function can write below /tmp/ only, and below the path of its efs."))
		}
		if w.SHA256.IsSet() && !sha256Form.MatchString(w.SHA256.Value) {
			diags = append(diags, errorf(w.SHA256.Range, "Illegal SHA-256", "%q is no SHA-256: 64 hexadecimal digits in lower case.", w.SHA256.String()))
		}
		if w.Size.IsSet() {
			diags = append(diags, judgeWeights(f, w, onEFS)...)
		}
		return diags
	})
}

// judgeWeights holds the size of weights against what the function has, and what any function can have.
func judgeWeights(f *Lambda, w *Weights, onEFS bool) hcl.Diagnostics {
	tmp, memory := catalog.LambdaWeightsNeed(w.Size.Value)
	if !onEFS && tmp > catalog.LambdaTmpMiBMax || memory > catalog.LambdaMemoryMiBMax {
		return hcl.Diagnostics{errorf(w.Size.Range, "Weights too large for Lambda",
			`Weights of %d MiB need %d MiB of ephemeral storage and %d MiB of memory, and a function has %d of either at most. serverless "container_app" has up to 220 GiB of memory, and a node pool has more.`,
			w.Size.Value, tmp, memory, catalog.LambdaMemoryMiBMax)}
	}
	var diags hcl.Diagnostics
	if !onEFS && tmp > f.EphemeralStorage.Value {
		diags = append(diags, errorf(w.Size.Range, "Weights larger than storage", "Weights of %d MiB need %d MiB of ephemeral storage, a fifth more than they have, and there are %d. Write ephemeral_storage = \"%dMiB\".", w.Size.Value, tmp, f.EphemeralStorage.Value, tmp))
	}
	if memory > f.Memory.Value {
		diags = append(diags, errorf(w.Size.Range, "Weights larger than memory", "Weights of %d MiB need %d MiB of memory, mapped or read, and there are %d. Write memory = \"%dMiB\".", w.Size.Value, memory, f.Memory.Value, memory))
	}
	if len(diags) == 0 && w.Size.Value > slowInit && f.ProvisionedConcurrency.Value == 0 {
		diags = append(diags, warnf(w.Size.Range, "Weights slower than initialization",
			"Weights of %d MiB are not fetched within the %d seconds of an initialization: it begins again in the first call. provisioned_concurrency = 1 fetches them before any call.", w.Size.Value, catalog.LambdaInitSeconds))
	}
	return diags
}

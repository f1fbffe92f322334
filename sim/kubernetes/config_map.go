package kubernetes

import (
	"regexp"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// configMapArgs are the arguments of a config map.
// Source: Kubernetes API, v1.
type configMapArgs struct {
	APIVersion *string           `pulumi:"apiVersion"`
	Kind       *string           `pulumi:"kind"`
	Metadata   *objectMeta       `pulumi:"metadata"`
	Data       map[string]string `pulumi:"data"`
	BinaryData map[string]string `pulumi:"binaryData"`
	Immutable  *bool             `pulumi:"immutable"`
}

var configMap = kind{apiVersion: "v1", name: "ConfigMap", args: configMapArgs{}, plan: []engine.Rule{configKeys}}

var configKey = regexp.MustCompile(`^[-._a-zA-Z0-9]{1,253}$`)

var configKeys = engine.Rule{
	Name: "config-keys", Says: "keys are file names, and all data is at most 1 MiB", Source: "Kubernetes, \"ConfigMaps\"",
	Judge: func(c *engine.Call) error {
		size := 0
		for key, value := range c.In.Map("data") {
			if !configKey.MatchString(key) {
				return engine.Invalid("data", "%q is no name of a file", key)
			}
			size += len(value)
		}
		if size > 1<<20 {
			return engine.Invalid("data", "it has %d bytes, wanted at most %d", size, 1<<20)
		}
		return nil
	},
}

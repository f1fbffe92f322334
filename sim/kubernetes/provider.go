package kubernetes

import (
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// Provider returns the kubernetes provider.
func Provider() *engine.Provider {
	return &engine.Provider{
		Name: "kubernetes",
		Version: engine.SDKVersion(func(ctx *pulumi.Context) error {
			_, err := kubernetes.NewProvider(ctx, "version", &kubernetes.ProviderArgs{})
			return err
		}),
		Config:    kubernetes.ProviderArgs{},
		Configure: configure,
		Instance: func(cfg engine.Props) string {
			t, _ := targetOf(cfg)
			return t.server
		},
		Throttled: func(string) string {
			return "the server has received too many requests and has asked us to try again later (429 TooManyRequests)"
		},
		Replace:   []string{"kubeconfig", "context", "cluster"},
		Resources: resources(),
	}
}

// resources are the resource types, one entry each.
func resources() []*engine.Resource {
	all := []*engine.Resource{release(), daemonSet(), priorityClass()}
	for _, k := range append([]kind{
		configMap, job, persistentVolume, persistentVolumeClaim, storageClass, volumeSnapshotClass, snapshotSchedule,
	}, customKinds()...) {
		all = append(all, k.resource())
	}
	return all
}

// configure wants the text of a kubeconfig, as far as it is known.
func configure(cfg engine.Props) error {
	if cfg.Unknown("kubeconfig") {
		return nil
	}
	_, err := targetOf(cfg)
	return err
}

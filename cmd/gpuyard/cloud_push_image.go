package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/sim"
)

// cloudPushImageCommand stands for `docker push` to the embedded cloud's registry.
func (a *app) cloudPushImageCommand() *cobra.Command {
	var architecture string
	var index bool
	cmd := &cobra.Command{
		Use: "push-image ENVIRONMENT REPOSITORY TAG", Short: "Push an image without layers to a repository, as docker does",
		Long: `Push an image to a repository of the embedded cloud, so that a function has one to run. It has no layers: what is
simulated is that it is there, under a tag, with a digest and an architecture.`,
		Example: `  gpuyard cloud push-image burst burst/tuner 2026.11.1`,
		Args:    exactly(3, "an environment, a repository and a tag"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.inCloud(args[0], func(c *sim.Cloud) error {
				digest, err := c.PushImage(sim.Image{Repository: args[1], Tag: args[2], Architecture: architecture, Index: index})
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%s:%s %s\n", args[1], args[2], digest)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&architecture, "architecture", "amd64", "what it runs on: amd64 or arm64")
	cmd.Flags().BoolVar(&index, "index", false, "push a list of images, as tools do that add attestations")
	return cmd
}

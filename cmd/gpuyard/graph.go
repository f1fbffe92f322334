package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/picture"
)

func (a *app) graphCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "graph ENVIRONMENT|FILE",
		Short:   "Draw an environment as an SVG: zones, subnets, pools, network cards and EFA interfaces",
		Example: "  gpuyard graph dev > dev.svg\n  gpuyard graph --output prod.svg prod",
		Args:    exactly(1, "one environment or one blueprint file"),
		RunE: func(_ *cobra.Command, args []string) error {
			plan, err := a.plan(args[0])
			if err != nil {
				return err
			}
			svg, err := picture.Draw(plan)
			if err != nil {
				return err
			}
			if file == "" {
				_, err = a.out.Write(svg)
			} else {
				err = os.WriteFile(file, svg, 0o644)
			}
			if err != nil {
				return fmt.Errorf("writing the picture: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to this file instead of the standard output")
	return cmd
}

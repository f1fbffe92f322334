package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeLustreDriver is the type token of LustreDriver.
const TypeLustreDriver = "gpuyard:storage:LustreDriver"

// lustreChartVersion is the version of the chart, with the driver 1.9.0.
const lustreChartVersion = "1.17.0"

// LustreDriver is the CSI driver by which pods mount file systems of FSx for Lustre. Only its part on the nodes is
// installed: file systems are made by NewFSxLustre and not by claims, so the part that calls FSx, and its role with all
// rights on FSx, are not needed.
type LustreDriver struct {
	pulumi.ResourceState
}

// NewLustreDriver registers a LustreDriver, once for a cluster.
func NewLustreDriver(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*LustreDriver, error) {
	c := &LustreDriver{}
	if err := ctx.RegisterComponentResourceV2(TypeLustreDriver, name, pulumi.Map{}, c, opts...); err != nil {
		return nil, err
	}
	chart := helm.Chart{Name: "aws-fsx-csi-driver", Version: lustreChartVersion, Repository: "https://kubernetes-sigs.github.io/aws-fsx-csi-driver"}
	// The chart's own nodeComponentOnly takes away the disruption budget and leaves the Deployment.
	values := pulumi.Map{"controller": pulumi.Map{
		"replicaCount":        pulumi.Int(0),
		"podDisruptionBudget": pulumi.Map{"enabled": pulumi.Bool(false)},
	}}
	if _, err := helm.NewRelease(ctx, name, chart, values, pulumi.Parent(c)); err != nil {
		return nil, err
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{})
}

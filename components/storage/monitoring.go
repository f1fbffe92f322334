package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeMonitoring is the type token of Monitoring.
const TypeMonitoring = "gpuyard:storage:Monitoring"

// monitoringVersion is the version of the chart prometheus-operator-crds; the operator's is 0.93.1.
const monitoringVersion = "31.0.1"

// Monitoring brings the kinds of the Prometheus operator, in which alerts and scraped services are written. What reads
// them is the cluster's own Prometheus. A cluster has it once, and none where somebody else installs these kinds.
type Monitoring struct {
	pulumi.ResourceState

	ready []pulumi.Resource
}

// Ready is what alerts wait for, by pulumi.DependsOn: before it their kinds do not exist.
func (m *Monitoring) Ready() []pulumi.Resource { return m.ready }

// NewMonitoring registers Monitoring.
func NewMonitoring(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*Monitoring, error) {
	m := &Monitoring{}
	if err := ctx.RegisterComponentResourceV2(TypeMonitoring, name, pulumi.Map{}, m, opts...); err != nil {
		return nil, err
	}
	kinds, err := helm.Install(ctx, name+"-monitoring-kinds", helm.Release{
		Chart:     helm.Chart{Name: "prometheus-operator-crds", Version: monitoringVersion, Repository: "https://prometheus-community.github.io/helm-charts"},
		Namespace: "monitoring",
	}, pulumi.Map{}, pulumi.Parent(m))
	if err != nil {
		return nil, err
	}
	m.ready = []pulumi.Resource{kinds}
	return m, ctx.RegisterResourceOutputs(m, pulumi.Map{})
}

package kubernetes

import (
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

var chartsBefore = engine.Rule{
	Name: "charts-before", Says: "the charts whose definitions and programs a chart stands on are installed before it", Source: "Rook 1.20.6, Documentation/Helm-Charts/csi-drivers-chart.md; rook#17644",
	Judge: func(c *engine.Call) error {
		ch, err := findChart(c.In.Str("repositoryOpts.repo"), c.In.Str("chart"), c.In.Str("version"))
		if err != nil {
			return nil // chartKnown says so
		}
		after := ch.after
		if ch.alerts != "" && c.In.Bool("values."+ch.alerts) {
			after = append(slices.Clone(after), promKinds)
		}
		for _, before := range after {
			if len(releasesOf(c, before)) == 0 {
				return engine.Refuse("NotReady", "%s needs what the chart %s brings: make it depend on its release", ch.name, before)
			}
		}
		return nil
	},
}

var chartsAfter = engine.Rule{
	Name: "charts-after", Says: "a chart stays while others stand on it, and a Ceph cluster while it has pools: finalizers would wait for ever", Source: "Rook 1.20.6, Documentation/Storage-Configuration/ceph-teardown.md",
	Judge: func(c *engine.Call) error {
		ch, err := findChart(c.In.Str("repositoryOpts.repo"), c.In.Str("chart"), c.In.Str("version"))
		if err != nil {
			return nil
		}
		for _, on := range ch.keep {
			if len(releasesOf(c, on)) > 0 {
				return engine.Refuse("StillInUse", "the release of %s stands on %s: remove it first", on, ch.name)
			}
		}
		for _, d := range definitions() {
			stands := d.Chart == ch.name || ch.name == "rook-ceph-cluster" && d.APIVersion == apiCeph
			if !stands || d.Kind == "CephCluster" {
				continue
			}
			for _, i := range c.All("kubernetes:" + d.APIVersion + ":" + d.Kind) {
				return engine.Refuse("StillInUse", "the %s %s stands on %s: remove it first", d.Kind, strings.TrimPrefix(i.ID, namespace(c)+"/"), ch.name)
			}
		}
		return nil
	},
}

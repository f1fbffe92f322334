package blueprint

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

// A kubernetesRelease is a minor version on EKS with the last day of its standard support.
type kubernetesRelease struct {
	version string
	until   time.Time
	// tooNew says that not every chart that gpuyard installs supports the version yet.
	tooNew bool
}

// kubernetesReleases are the versions that gpuyard supports, oldest first. The table is dated 2026-11-30.
//
// Sources: endoflife.date, Amazon EKS; EKS User Guide, "Kubernetes version lifecycle": 14 months of standard and 12 of
// extended support. 1.36: named by the EKS User Guide; Volcano 1.15 and Cilium 1.19 are tested up to 1.35. Its date is
// not published yet, so it is left open.
func kubernetesReleases() []kubernetesRelease {
	day := func(year int, month time.Month, d int) time.Time {
		return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
	}
	return []kubernetesRelease{
		{version: "1.33", until: day(2026, time.July, 29)},
		{version: "1.34", until: day(2026, time.December, 2)},
		{version: "1.35", until: day(2027, time.March, 27)},
		{version: "1.36", tooNew: true},
	}
}

// checkKubernetesVersion refuses versions that EKS does not run any more, and warns of those that cost extra or that
// the charts do not know yet.
func checkKubernetesVersion(b *Blueprint, k known) hcl.Diagnostics {
	v := b.Environment.KubernetesVersion
	if !v.IsSet() {
		return nil // the default is this package's business, and a test holds it to the table
	}
	var names []string
	for _, r := range kubernetesReleases() {
		if r.version != v.Value {
			names = append(names, r.version)
			continue
		}
		const date = "2006-01-02"
		extended := r.until.AddDate(1, 0, 0)
		switch today := k.now.UTC().Truncate(24 * time.Hour); {
		case r.tooNew:
			return hcl.Diagnostics{warnf(v.Range, "Kubernetes version too new",
				"Not every chart that gpuyard installs supports Kubernetes %s yet: Volcano and Cilium are tested up to 1.35.", v)}
		case today.After(extended):
			return hcl.Diagnostics{errorf(v.Range, "Kubernetes version out of support",
				"Extended support of Kubernetes %s on EKS ended on %s: a cluster cannot be made with it.", v, extended.Format(date))}
		case today.After(r.until):
			return hcl.Diagnostics{warnf(v.Range, "Kubernetes version in extended support",
				"Standard support of Kubernetes %s on EKS ended on %s: the cluster costs six times as much until it is upgraded, and is upgraded by force after %s.",
				v, r.until.Format(date), extended.Format(date))}
		}
		return nil
	}
	return hcl.Diagnostics{errorf(v.Range, "Unknown Kubernetes version", "gpuyard does not support Kubernetes %q. Legal: %s.", v.String(), list(names))}
}

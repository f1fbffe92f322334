package blueprint

import (
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkLustre judges where a Lustre file system stands and what it is linked to. It lives in one zone: from another one
// each read crosses zones, and over EFA nothing arrives. FSx backs up no file system that is linked to a bucket.
//
// Sources: FSx for Lustre User Guide, "Working with EFA-enabled file systems" and "Using data repositories".
func checkLustre(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.FSxLustre == nil {
			continue
		}
		diags = append(diags, judgeLustreZone(b, s.FSxLustre)...)
		diags = append(diags, judgeLustreLink(s.FSxLustre)...)
	}
	return diags
}

// judgeLustreZone wants pools in the file system's zone: for EFA one with a fabric, else any with accelerators that there
// are at all.
func judgeLustreZone(b *Blueprint, f *FSxLustre) hcl.Diagnostics {
	if !f.Zone.IsSet() || b.Network == nil || !slices.ContainsFunc(b.Network.Zones, func(z Value[string]) bool { return z.Value == f.Zone.Value }) {
		return nil // zone-of-network says what is wrong
	}
	var diags hcl.Diagnostics
	var fabrics, accelerated []string
	near := false
	for _, p := range b.NodePools {
		zones := p.Zones(b.Network)
		here := slices.Contains(zones, f.Zone.Value)
		if p.Fabric.Value == "efa" {
			fabrics = append(fabrics, zones...)
		}
		if slices.ContainsFunc(p.Types, hasAccelerator) {
			accelerated = append(accelerated, zones...)
			near = near || here
		}
		if here && p.OS.Value == "bottlerocket" {
			diags = append(diags, warnf(f.Zone.Range, "Lustre on Bottlerocket",
				"Pool %q runs Bottlerocket, of which some releases have no Lustre client. Check the release, or write os = \"al2023\" there.", p.Name.Value))
		}
	}
	switch {
	case f.EFA.Value && len(fabrics) == 0:
		diags = append(diags, errorf(f.EFA.Range, "EFA without a pool that has it",
			`The file system would serve EFA, and no node_pool has fabric = "efa". Give a pool in %s one, or leave efa out.`, f.Zone))
	case f.EFA.Value && !slices.Contains(fabrics, f.Zone.Value):
		diags = append(diags, errorf(f.Zone.Range, "File system in another zone than its fabric",
			"EFA reaches no other zone, and the pools with a fabric are in %s. Put the file system there.", list(slices.Compact(slices.Sorted(slices.Values(fabrics))))))
	case len(accelerated) > 0 && !near:
		diags = append(diags, warnf(f.Zone.Range, "File system in another zone than its nodes",
			"The pools with accelerators are in %s: each read crosses zones, which is slower and is paid by the gigabyte.", list(slices.Compact(slices.Sorted(slices.Values(accelerated))))))
	}
	return diags
}

func judgeLustreLink(f *FSxLustre) hcl.Diagnostics {
	link := f.LinkedTo
	if link.Value == nil {
		return nil
	}
	var diags hcl.Diagnostics
	switch to := link.Value; {
	case to.S3 == nil:
		diags = append(diags, errorf(link.Range, "Link to what is no bucket",
			"A file system shows the objects of a bucket, and storage.%s is of kind %s. Refer to a storage of kind s3.", to.Name.Value, to.Kind))
	case to.S3.ExpressZone.IsSet():
		diags = append(diags, errorf(link.Range, "Link to a directory bucket",
			"FSx links no bucket of S3 Express One Zone. Refer to a bucket without express_zone."))
	}
	if f.BackupDays.IsSet() && f.BackupDays.Value > 0 {
		diags = append(diags, errorf(f.BackupDays.Range, "Backups of a linked file system",
			"FSx backs up no file system that is linked to a bucket: what is exported there is the copy. Leave backup_days or linked_to out."))
	}
	return diags
}

func hasAccelerator(t *catalog.InstanceType) bool { return t.Accelerator != nil }

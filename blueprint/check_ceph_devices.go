package blueprint

import (
	"regexp"

	"github.com/hashicorp/hcl/v2"
)

var stableDisk = regexp.MustCompile(`^/dev/disk/by-(id|path|partuuid)/[^/\s]+$`)

// checkCephDevices wants the disks of servers by name, since Ceph would take every empty one; and none on EC2, where the
// instance type says what there is.
//
// Source: Rook, "CephCluster CRD", storage selection settings (useAllDevices is not recommended in production).
func checkCephDevices(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.Ceph == nil || s.Ceph.Pool.Value == nil {
			continue
		}
		c, hosts := s.Ceph, s.Ceph.Pool.Value.Hosts != nil
		switch {
		case hosts && len(c.Devices) == 0:
			diags = append(diags, errorf(c.Pool.Range, "Disks without names", "Pool %q is of hosts: name the disks of each in devices, or Ceph would take every empty one.", c.Pool.Value.Name.Value))
		case hosts && c.VolumeSize.IsSet():
			diags = append(diags, errorf(c.VolumeSize.Range, "EBS outside AWS", "Pool %q is of hosts, which EBS does not reach. Name their disks in devices.", c.Pool.Value.Name.Value))
		case !hosts && len(c.Devices) > 0:
			diags = append(diags, errorf(c.Devices[0].Range, "Disks of an instance", "The disks of pool %q are those of its instance types. Leave devices out.", c.Pool.Value.Name.Value))
		}
		for _, d := range c.Devices {
			if d.IsSet() && !stableDisk.MatchString(d.Value) {
				diags = append(diags, errorf(d.Range, "Disk that may move", "%q may be another disk after a restart. Name it by /dev/disk/by-id/…, by-path or by-partuuid.", d.String()))
			}
		}
	}
	return diags
}

package blueprint

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

var (
	sysctlKey    = regexp.MustCompile(`^[a-z0-9_]+([./][A-Za-z0-9_*-]+)+$`)
	driverNumber = regexp.MustCompile(`^[0-9]{3}\.[0-9]{1,3}(\.[0-9]{2})?$`)
	ncclKey      = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// limitNames are the items of limits.conf.
//
// Source: limits.conf(5), Linux-PAM.
func limitNames() []string {
	return []string{"as", "core", "cpu", "data", "fsize", "locks", "maxlogins", "maxsyslogins", "memlock", "msgqueue", "nice",
		"nofile", "nonewprivs", "nproc", "priority", "rss", "rtprio", "sigpending", "stack"}
}

// checkProfileValues refuses values of a profile that a node would not take, or that would lock people out of it.
//
// Sources: Kubernetes, "Manage HugePages" (2Mi and 1Gi on x86-64); sysctl.d(5); limits.conf(5); Linux-PAM#353 (a nofile
// above fs.nr_open refuses every login); NVIDIA/nccl#1333 and #2157 (a fixed GID index is wrong after a reboot).
func checkProfileValues(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodeProfiles {
		for _, size := range slices.Sorted(maps.Keys(p.Hugepages)) {
			if size != "2Mi" && size != "1Gi" {
				diags = append(diags, errorf(p.HugepagesAt[size], "Illegal size of huge pages", `%q is no size of huge pages. Legal: "2Mi", "1Gi".`, size))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(p.Sysctl)) {
			if !sysctlKey.MatchString(key) {
				diags = append(diags, errorf(p.SysctlAt[key], "Illegal kernel parameter", "%q is no name of a kernel parameter such as net.core.somaxconn.", key))
			}
		}
		if v := p.NVIDIADriver; v.IsSet() && !driverNumber.MatchString(v.Value) {
			diags = append(diags, errorf(v.Range, "Illegal driver version", "%q is no exact version of a driver such as 580.95.05. Driver, fabric manager and libraries must agree to the last digit.", v.String()))
		}
		diags = append(diags, judgeLimits(p)...)
		diags = append(diags, judgeNCCL(p)...)
		diags = append(diags, judgeSettings(p)...)
	}
	return diags
}

func judgeLimits(p *NodeProfile) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, name := range slices.Sorted(maps.Keys(p.Limits)) {
		value := p.Limits[name]
		number, err := strconv.ParseUint(value, 10, 63)
		switch {
		case !slices.Contains(limitNames(), name):
			diags = append(diags, errorf(p.LimitsAt[name], "Unknown limit", "There is no limit %q.%s Legal: %s.", name, didYouMean("", catalog.Near(name, limitNames())), strings.Join(limitNames(), ", ")))
		case name == "nofile" && err != nil:
			diags = append(diags, errorf(p.LimitsAt[name], "Illegal limit", "nofile is a number: with %q nobody could log in.", value))
		case err != nil && value != "unlimited":
			diags = append(diags, errorf(p.LimitsAt[name], "Illegal limit", `%s cannot be %q. Write a number, or "unlimited".`, name, value))
		case name == "nofile" && number > openFiles(p):
			diags = append(diags, errorf(p.LimitsAt[name], "Limit above the kernel's", "nofile is %s and fs.nr_open %d: nobody could log in. Raise fs.nr_open in sysctl.", value, openFiles(p)))
		}
	}
	return diags
}

// openFiles is fs.nr_open on a node with the profile, by default the kernel's.
//
// Source: Linux, admin-guide/sysctl/fs.rst, nr_open.
func openFiles(p *NodeProfile) uint64 {
	if n, err := strconv.ParseUint(p.Resolved().Sysctl["fs.nr_open"], 10, 63); err == nil {
		return n
	}
	return 1 << 20
}

func judgeNCCL(p *NodeProfile) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, key := range slices.Sorted(maps.Keys(p.NCCL)) {
		bare := strings.TrimPrefix(strings.ToLower(key), "nccl_")
		switch {
		case bare != key:
			diags = append(diags, errorf(p.NCCLAt[key], "Illegal NCCL parameter", "Write the parameter in lower case without NCCL_: %s.", bare))
		case !ncclKey.MatchString(key):
			diags = append(diags, errorf(p.NCCLAt[key], "Illegal NCCL parameter", "%q is no name of an NCCL parameter such as algo.", key))
		case key == "ib_gid_index":
			diags = append(diags, warnf(p.NCCLAt[key], "Fixed GID index", "The index differs from host to host and after a reboot; NCCL finds it by itself. Leave it out."))
		}
	}
	return diags
}

// judgeSettings refuses settings that have an attribute of their own, which would be said twice. Whether a key exists
// and its value is legal is the judgement of package nodeprep.
func judgeSettings(p *NodeProfile) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, key := range slices.Sorted(maps.Keys(p.Settings)) {
		group, _, _ := strings.Cut(key, ".")
		switch attribute := attributeOf(key); {
		case attribute != "":
			diags = append(diags, errorf(p.SettingsAt[key], "Setting with an attribute of its own", "Write %s with %s.", key, attribute))
		case group == "cluster":
			diags = append(diags, errorf(p.SettingsAt[key], "Setting of the pool", "%s is what the pool itself gives its hosts, by the cluster that they join. Leave it out.", key))
		}
	}
	return diags
}

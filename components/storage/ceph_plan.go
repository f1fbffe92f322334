package storage

import (
	"fmt"
	"regexp"

	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// CephPlan is what the arguments of a Ceph come to.
type CephPlan struct {
	// OSDs is how many disks hold data, one daemon each.
	OSDs int
	// FailureDomain is what copies are spread over, and Why says why.
	FailureDomain, Why string
	// Replicas is how many copies there are.
	Replicas int
	// Monitors and Managers are how many of each there are.
	Monitors, Managers int
	// RawGiB is the size of all disks, zero where it is not known, and UsableGiB what is left for data: Ceph stops to
	// write when a disk is 95 % full, and warns at 85 %.
	RawGiB, UsableGiB int
}

// Bounds of a plan.
const (
	nearFullPercent  = 85
	domainZone       = "zone"
	domainHost       = "host"
	leastForZones    = 3
	monitorsOfMany   = 3
	replicasOfSafety = 2
)

// PlanCeph works out a Ceph. Its error holds all that is wrong with the arguments.
func PlanCeph(name string, args *CephArgs) (CephPlan, error) {
	c := argument.For(TypeCeph, name)
	if args == nil {
		c.Failf("args", "they are missing")
		return CephPlan{}, c.Err()
	}
	args.Placement.check(c, "placement")
	plan := CephPlan{Replicas: args.replicas(), Monitors: 1, Managers: 1}
	nodes := args.planDisks(c, &plan)
	if nodes >= monitorsOfMany {
		plan.Monitors, plan.Managers = monitorsOfMany, 2
	}
	args.planDomain(c, &plan, nodes)
	if args.Snapshots != nil {
		args.Snapshots.check(c, "snapshots")
	}
	if plan.Replicas > 0 {
		plan.UsableGiB = plan.RawGiB / plan.Replicas * nearFullPercent / 100
	}
	return plan, c.Err()
}

// planDisks counts the disks, and returns the number of nodes.
func (a *CephArgs) planDisks(c *argument.Checker, plan *CephPlan) int {
	given := 0
	for _, disks := range []*CephDisks{a.LocalDisks, a.Volumes} {
		if disks == nil {
			continue
		}
		given++
		if disks.PerNode < 1 || disks.SizeGiB < 10 {
			c.Failf("localDisks, volumes", "%d disks of %d GiB a node: at least one of 10 GiB is needed", disks.PerNode, disks.SizeGiB)
		}
		plan.OSDs = a.Nodes * disks.PerNode
		plan.RawGiB = plan.OSDs * disks.SizeGiB
	}
	nodes := a.Nodes
	if len(a.Hosts) > 0 {
		given++
		nodes = len(a.Hosts)
		plan.OSDs = a.checkHosts(c)
	}
	if given != 1 {
		c.Failf("localDisks, volumes, hosts", "%d of them are given: one says where the data is", given)
	}
	return nodes
}

// stableDevice matches paths of disks that mean the same disk after a restart.
var stableDevice = regexp.MustCompile(`^/dev/disk/by-(id|path|partuuid)/[^/\s]+$`)

// checkHosts judges servers, and counts their disks.
func (a *CephArgs) checkHosts(c *argument.Checker) int {
	disks := 0
	seen := map[string]bool{}
	for i, h := range a.Hosts {
		at := fmt.Sprintf("hosts[%d]", i)
		if h.Name == "" || seen[h.Name] {
			c.Failf(at+".name", "%q is empty or there twice", h.Name)
		}
		seen[h.Name] = true
		if len(h.Devices) == 0 {
			c.Failf(at+".devices", "there are none: name each disk, or Ceph would take every empty one")
		}
		for _, d := range h.Devices {
			if !stableDevice.MatchString(d) {
				c.Failf(at+".devices", "%q may be another disk after a restart: name it by /dev/disk/by-id/…, by-path or by-partuuid", d)
			}
		}
		disks += len(h.Devices)
	}
	return disks
}

// planDomain says what copies are spread over: zones where there are three of them or as many as copies, because fewer
// cannot hold a copy each; else hosts.
func (a *CephArgs) planDomain(c *argument.Checker, plan *CephPlan, nodes int) {
	zones := min(a.Zones, nodes)
	enough := max(plan.Replicas, leastForZones)
	switch a.FailureDomain {
	case domainZone, domainHost:
		plan.FailureDomain, plan.Why = a.FailureDomain, "asked for"
	case "":
		plan.FailureDomain, plan.Why = domainHost, fmt.Sprintf("the nodes are in %d zones, and copies over zones need %d", zones, enough)
		if zones >= enough {
			plan.FailureDomain, plan.Why = domainZone, fmt.Sprintf("the nodes are in %d zones", zones)
		}
	default:
		c.Failf("failureDomain", "%q is unknown: it may be zone or host", a.FailureDomain)
		return
	}
	if plan.FailureDomain == domainZone && zones < enough {
		c.Failf("failureDomain", "%d copies over zones need %d zones, and the nodes are in %d", plan.Replicas, enough, zones)
	}
	if plan.FailureDomain == domainHost && nodes < plan.Replicas {
		c.Failf("replicas", "%d copies over hosts need as many nodes, and there are %d", plan.Replicas, nodes)
	}
	if a.Replicas < 0 {
		c.Failf("replicas", "there are %d", a.Replicas)
	}
}

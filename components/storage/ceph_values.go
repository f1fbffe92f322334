package storage

import (
	"fmt"

	"github.com/gpuyard/gpuyard/internal/headroom"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// operatorValues are the values of the operator's release.
func operatorValues(args *CephArgs) pulumi.Map {
	values := pulumi.Map{"priorityClassName": pulumi.String("system-cluster-critical")}
	if args.Monitoring {
		values["monitoring"] = pulumi.Map{"enabled": pulumi.Bool(true)}
	}
	return values
}

// driverValues are the values of the CSI drivers' release. The drivers' names and the set of images are Rook's: storage
// classes name the drivers.
//
// The chart's own policy for block volumes is to take no snapshots: nothing says so, and no snapshot is ever ready. It
// also leaves maps of resources empty, which it then writes as null, and asks for a rotation of logs whose configuration
// Rook does not make.
// Source: Rook 1.20.6, deploy/charts/ceph-csi-drivers/values.yaml; ceph-csi-operator 1.0.4, chart ceph-csi-drivers;
// rook#18156.
func driverValues() pulumi.Map {
	return pulumi.Map{
		"operatorConfig": pulumi.Map{
			"namespace": pulumi.String(cephNamespace),
			"driverSpecDefaults": pulumi.Map{
				"imageSet":         pulumi.Map{"name": pulumi.String("rook-csi-operator-image-set-configmap")},
				"log":              noRotation(),
				"nodePlugin":       pulumi.Map{"priorityClassName": pulumi.String("system-node-critical"), "tolerations": everyTaint(), "resources": emptyResources("registrar", "liveness", "addons", "logRotator", "plugin")},
				"controllerPlugin": pulumi.Map{"priorityClassName": pulumi.String("system-cluster-critical"), "replicas": pulumi.Int(2), "resources": controllerResources()},
			},
		},
		"drivers": pulumi.Map{
			"rbd":    driver("rbd", pulumi.Map{"snapshotPolicy": pulumi.String("volumeSnapshot")}),
			"cephfs": driver("cephfs", pulumi.Map{"snapshotPolicy": pulumi.String("volumeSnapshot")}),
			"nfs":    pulumi.Map{"enabled": pulumi.Bool(false), "name": pulumi.String(driverName("nfs"))},
			"nvmeof": pulumi.Map{"enabled": pulumi.Bool(false), "name": pulumi.String(driverName("nvmeof"))},
		},
	}
}

// driverName is the name of a CSI driver, which begins with the operator's namespace.
func driverName(kind string) string { return cephNamespace + "." + kind + ".csi.ceph.com" }

// driver returns the values of a driver that is installed.
func driver(kind string, more pulumi.Map) pulumi.Map {
	values := pulumi.Map{
		"enabled": pulumi.Bool(true), "name": pulumi.String(driverName(kind)), "log": noRotation(),
		// Pods on nodes with taints mount too.
		"nodePlugin":       pulumi.Map{"tolerations": everyTaint(), "resources": emptyResources("registrar", "liveness", "addons", "logRotator", "plugin")},
		"controllerPlugin": pulumi.Map{"replicas": pulumi.Int(2), "resources": controllerResources()},
	}
	for k, v := range more {
		values[k] = v
	}
	return values
}

func noRotation() pulumi.Map {
	return pulumi.Map{"rotation": pulumi.Map{"enabled": pulumi.Bool(false)}}
}

func controllerResources() pulumi.Map {
	return emptyResources("attacher", "snapshotter", "resizer", "provisioner", "omapGenerator", "liveness", "addons", "logRotator", "plugin")
}

// emptyResources says of each container that it asks for nothing.
func emptyResources(containers ...string) pulumi.Map {
	m := pulumi.Map{}
	for _, c := range containers {
		m[c] = pulumi.Map{}
	}
	return m
}

// clusterValues are the values of the cluster's release. Pools and classes are resources of their own, so that they wait
// for the disks and go before the cluster does.
func (b *cephBuilder) clusterValues() pulumi.Map {
	values := pulumi.Map{
		"cephBlockPools": pulumi.Array{}, "cephFileSystems": pulumi.Array{}, "cephObjectStores": pulumi.Array{},
		"cephClusterSpec": b.clusterSpec(),
	}
	if b.args.Monitoring {
		values["monitoring"] = pulumi.Map{"enabled": pulumi.Bool(true), "createPrometheusRules": pulumi.Bool(true)}
	}
	return values
}

// clusterSpec is what differs in the specification of the Ceph cluster from the chart's.
func (b *cephBuilder) clusterSpec() pulumi.Map {
	mon := pulumi.Map{"count": pulumi.Int(b.plan.Monitors), "allowMultiplePerNode": pulumi.Bool(false)}
	if len(b.args.Hosts) == 0 {
		mon["volumeClaimTemplate"] = pulumi.Map{"spec": pulumi.Map{
			"storageClassName": pulumi.String(b.monitorClass()),
			"resources":        pulumi.Map{"requests": pulumi.Map{"storage": pulumi.String("10Gi")}},
		}}
	}
	return pulumi.Map{
		"mon": mon,
		"mgr": pulumi.Map{"count": pulumi.Int(b.plan.Managers), "allowMultiplePerNode": pulumi.Bool(false)},
		// Kernels before 7.0 know no other kind of key.
		"security":  pulumi.Map{"cephx": pulumi.Map{"csi": pulumi.Map{"keyType": pulumi.String("aes")}}},
		"placement": b.placement(),
		"resources": pulumi.Map{"osd": pulumi.Map{
			// The limit is what Ceph sizes an OSD's cache by.
			"limits":   pulumi.Map{"memory": pulumi.String(fmt.Sprintf("%dMi", headroom.OSDMiB))},
			"requests": pulumi.Map{"cpu": pulumi.String("1"), "memory": pulumi.String(fmt.Sprintf("%dMi", headroom.OSDMiB))},
		}},
		"storage": b.storage(),
	}
}

// placement keeps all of Ceph on the pool, and monitors in different zones where copies are.
func (b *cephBuilder) placement() pulumi.Map {
	placement := pulumi.Map{"all": pulumi.Map{
		"nodeAffinity": pulumi.Map{"requiredDuringSchedulingIgnoredDuringExecution": b.args.Placement.nodeTerms()},
		"tolerations":  tolerate(b.args.Placement.Taints),
	}}
	if b.plan.FailureDomain == domainZone {
		placement["mon"] = pulumi.Map{"topologySpreadConstraints": spread("DoNotSchedule", "topology.kubernetes.io/zone", "rook-ceph-mon")}
	}
	return placement
}

// storage says which disks hold data: those of the plan and no other. The chart would take every empty disk of every node.
func (b *cephBuilder) storage() pulumi.Map {
	storage := pulumi.Map{"useAllNodes": pulumi.Bool(false), "useAllDevices": pulumi.Bool(false)}
	if len(b.args.Hosts) > 0 {
		var nodes pulumi.Array
		for _, h := range b.args.Hosts {
			var devices pulumi.Array
			for _, d := range h.Devices {
				devices = append(devices, pulumi.Map{"name": pulumi.String(d)})
			}
			nodes = append(nodes, pulumi.Map{"name": pulumi.String(h.Name), "devices": devices})
		}
		storage["nodes"] = nodes
		return storage
	}
	disks, portable := b.args.LocalDisks, false
	if disks == nil {
		disks, portable = b.args.Volumes, true
	}
	size := fmt.Sprintf("%dGi", disks.SizeGiB)
	if !portable {
		// Any disk of the class will do; its own size is not quite what the type's is said to be.
		size = "1Gi"
	}
	key := "kubernetes.io/hostname"
	if b.plan.FailureDomain == domainZone {
		key = "topology.kubernetes.io/zone"
	}
	storage["storageClassDeviceSets"] = pulumi.Array{pulumi.Map{
		"name": pulumi.String("data"), "count": pulumi.Int(b.plan.OSDs), "portable": pulumi.Bool(portable),
		"tuneDeviceClass":  pulumi.Bool(portable),
		"placement":        pulumi.Map{"topologySpreadConstraints": spread("ScheduleAnyway", "kubernetes.io/hostname", "rook-ceph-osd", "rook-ceph-osd-prepare")},
		"preparePlacement": pulumi.Map{"topologySpreadConstraints": spread("DoNotSchedule", key, "rook-ceph-osd-prepare")},
		// A single template has to be called data.
		"volumeClaimTemplates": pulumi.Array{pulumi.Map{
			"metadata": pulumi.Map{"name": pulumi.String("data")},
			"spec": pulumi.Map{
				"storageClassName": pulumi.String(b.diskClass()), "volumeMode": pulumi.String("Block"),
				"accessModes": pulumi.ToStringArray([]string{"ReadWriteOnce"}),
				"resources":   pulumi.Map{"requests": pulumi.Map{"storage": pulumi.String(size)}},
			},
		}},
	}}
	return storage
}

// spread returns a constraint that spreads pods of some apps.
func spread(otherwise, key string, apps ...string) pulumi.Array {
	return pulumi.Array{pulumi.Map{
		"maxSkew": pulumi.Int(1), "topologyKey": pulumi.String(key), "whenUnsatisfiable": pulumi.String(otherwise),
		"labelSelector": pulumi.Map{"matchExpressions": pulumi.Array{pulumi.Map{
			"key": pulumi.String("app"), "operator": pulumi.String("In"), "values": pulumi.ToStringArray(apps),
		}}},
	}}
}

package kubernetes

import (
	_ "embed" // the keys of large charts
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

//go:embed charts/rook-ceph-v1.20.6.txt
var rookKeys string

//go:embed charts/rook-ceph-cluster-v1.20.6.txt
var rookClusterKeys string

//go:embed charts/fluid-1.0.8.txt
var fluidKeys string

// driverKeys are the values of one driver of the chart ceph-csi-drivers.
var driverKeys = keys{
	"attachRequired": nil, "cephFsClientType": nil, "clusterName": nil, "deployCsiAddons": nil, "enableFencing": nil, "enableMetadata": nil,
	"enabled": nil, "fsGroupPolicy": nil, "fuseMountOptions": nil, "generateOMapInfo": nil, "grpcTimeout": nil, "kernelMountOptions": nil,
	"name": nil, "snapshotPolicy": nil,
	"controllerPlugin": {
		"affinity": nil, "containerExtraArgs": nil, "deploymentStrategy": nil, "hostNetwork": nil, "imagePullPolicy": nil, "priorityClassName": nil,
		"privileged": nil, "replicas": nil, "resources": nil, "tolerations": nil, "volumes": nil,
	},
	"encryption": {"configMapRef": nil}, "imageSet": {"name": nil}, "log": {"rotation": nil, "verbosity": nil},
	"nodePlugin": {
		"affinity": nil, "annotations": nil, "containerExtraArgs": nil, "enableSeLinuxHostMount": nil, "imagePullPolicy": nil, "kubeletDirPath": nil,
		"labels": nil, "priorityClassName": nil, "resources": nil, "tolerations": nil, "topology": nil, "updateStrategy": nil, "volumes": nil,
	},
}

// promKinds is the chart that brings the kinds of the Prometheus operator, and nothing else.
const promKinds = "prometheus-operator-crds"

// storageCharts are the charts of what holds, snapshots and caches data.
func storageCharts() []chart {
	return []chart{
		{
			repo: "https://charts.rook.io/release", name: "rook-ceph", version: "v1.20.6", appVersion: "v1.20.6", values: parseKeys(rookKeys),
			keep: []string{"rook-ceph-cluster", "ceph-csi-drivers"}, alerts: "monitoring.enabled",
		},
		{
			repo: "https://ceph.github.io/ceph-csi-operator", name: "ceph-csi-drivers", version: "1.0.4", appVersion: "v1.0.4",
			after: []string{"rook-ceph"}, keep: []string{"rook-ceph-cluster"}, judge: judgeCephDrivers,
			values: keys{
				"cephConnections": nil, "clientProfiles": nil, "drivers": {"cephfs": driverKeys, "nfs": driverKeys, "nvmeof": driverKeys, "rbd": driverKeys},
				"operatorConfig": {"create": nil, "driverSpecDefaults": driverKeys, "log": nil, "name": nil, "namespace": nil},
			},
		},
		{
			repo: "https://charts.rook.io/release", name: "rook-ceph-cluster", version: "v1.20.6", appVersion: "v1.20.6", values: parseKeys(rookClusterKeys),
			after: []string{"rook-ceph", "ceph-csi-drivers"}, judge: judgeCephCluster, alerts: "monitoring.enabled",
		},
		{
			repo: "https://backube.github.io/helm-charts", name: "snapscheduler", version: "3.6.0", appVersion: "3.5.0",
			values: keys{
				"affinity": nil, "enableLeaderElection": nil, "enableOwnerReferences": nil, "fullnameOverride": nil, "imagePullSecrets": nil,
				"manageCRDs": nil, "nameOverride": nil, "nodeSelector": nil, "podAnnotations": nil, "podLabels": nil, "podSecurityContext": nil,
				"priorityClassName": nil, "replicaCount": nil, "resources": nil, "revisionHistoryLimit": nil, "securityContext": nil,
				"tolerations": nil, "topologySpreadConstraints": nil,
				"image":   {"image": nil, "pullPolicy": nil, "repository": nil, "tagOverride": nil},
				"metrics": {"disableAuth": nil}, "rbacProxy": {"image": nil, "resources": nil}, "serviceAccount": {"create": nil, "name": nil},
			},
		},
		{
			repo: "https://kubernetes-sigs.github.io/sig-storage-local-static-provisioner", name: "local-static-provisioner", version: "2.9.0", appVersion: "2.9.0",
			judge: judgeProvisioner,
			values: keys{
				"additionalVolumeMounts": nil, "additionalVolumes": nil, "affinity": nil, "classes": nil, "enableWindows": nil, "fullnameOverride": nil,
				"hostPID": nil, "image": nil, "imagePullPolicy": nil, "imagePullSecrets": nil, "initContainers": nil, "kubeConfigEnv": nil,
				"labelsForPV": nil, "livenessProbe": nil, "minResyncPeriod": nil, "mountDevVolume": nil, "nameOverride": nil, "nodeLabels": nil,
				"nodeSelector": nil, "nodeSelectorWindows": nil, "podAnnotations": nil, "podLabels": nil, "priorityClassName": nil, "privileged": nil,
				"provisionerNotReadyNodeTaintKey": nil, "readinessProbe": nil, "removeNodeNotReadyTaint": nil, "resources": nil, "securityContext": nil,
				"setPVOwnerRef": nil, "startupProbe": nil, "tolerations": nil, "updateStrategy": nil, "useJobForCleaning": nil, "useNodeNameOnly": nil,
				"rbac": {"create": nil, "extraRules": nil}, "serviceAccount": {"create": nil, "name": nil},
				"serviceMonitor": {"additionalLabels": nil, "enabled": nil, "interval": nil, "namespace": nil, "relabelings": nil},
			},
		},
		{repo: "https://prometheus-community.github.io/helm-charts", name: promKinds, version: "31.0.1", appVersion: "v0.93.1", values: keys{"crds": nil}},
		{repo: "https://fluid-cloudnative.github.io/charts", name: "fluid", version: "1.0.8", appVersion: "1.0.8-6533239", values: parseKeys(fluidKeys)},
	}
}

// judgeCephCluster says what is wrong with the values of a Ceph cluster.
// Source: Rook 1.20.6, deploy/examples/crds.yaml and values.yaml of the chart rook-ceph-cluster; Rook, "CephCluster CRD".
func judgeCephCluster(_ *engine.Call, values engine.Props) error {
	spec := resource.PropertyMap{}
	if v, ok := values["cephClusterSpec"]; ok && v.IsObject() {
		spec = v.ObjectValue()
	}
	if errs := definitionOf("CephCluster").Spec.check("values.cephClusterSpec", resource.NewProperty(spec)); len(errs) > 0 {
		return errors.Join(errs...)
	}
	storage := engine.Props(spec)
	nodes, devices := storage.Leaves("storage.useAllNodes"), storage.Leaves("storage.useAllDevices")
	if len(nodes) == 0 || len(devices) == 0 || storage.Bool("storage.useAllNodes") && storage.Bool("storage.useAllDevices") {
		return engine.Invalid("values.cephClusterSpec.storage", "the chart takes every empty disk of every node unless useAllNodes and useAllDevices are false")
	}
	for i, set := range storage.Blocks("storage.storageClassDeviceSets[*]") {
		templates := set.Strs("volumeClaimTemplates[*].metadata.name")
		if len(templates) != 1 || templates[0] != "data" {
			return engine.Invalid("values.cephClusterSpec.storage.storageClassDeviceSets", "the only template of set %d has to be called data, got %v", i, templates)
		}
	}
	return nil
}

// judgeCephDrivers says what is wrong with the values of the CSI drivers.
// Source: Rook 1.20.6, Documentation/Helm-Charts/csi-drivers-chart.md: Rook's storage classes name the drivers.
func judgeCephDrivers(c *engine.Call, values engine.Props) error {
	for _, kind := range []string{"rbd", "cephfs"} {
		want := namespace(c) + "." + kind + ".csi.ceph.com"
		if got := values.Str("drivers." + kind + ".name"); got != want {
			return engine.Invalid("values.drivers."+kind+".name", "got %q; Rook knows the driver as %s", got, want)
		}
	}
	if got := values.Str("operatorConfig.namespace"); got != namespace(c) {
		return engine.Invalid("values.operatorConfig.namespace", "got %q, wanted the operator's, %s", got, namespace(c))
	}
	return nil
}

// judgeProvisioner says what is wrong with the values of the static provisioner.
// Source: sig-storage-local-static-provisioner 2.9.0, helm/provisioner/values.yaml and docs/provisioner.md.
func judgeProvisioner(_ *engine.Call, values engine.Props) error {
	classes := values.Blocks("classes[*]")
	if len(classes) == 0 {
		return engine.Invalid("values.classes", "missing: the chart's own looks for disks in /mnt/fast-disks")
	}
	for i, class := range classes {
		if !class.Has("name") || !class.Has("hostDir") {
			return engine.Invalid("values.classes", "class %d lacks a name or a hostDir", i)
		}
		if mode := class.Str("volumeMode"); mode != "" && mode != "Block" && mode != "Filesystem" {
			return engine.Invalid("values.classes", "the volumeMode of class %d is %q, wanted Block or Filesystem", i, mode)
		}
	}
	return nil
}

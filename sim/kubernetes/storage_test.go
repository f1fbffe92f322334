package kubernetes_test

import (
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

const (
	configMap     = "kubernetes:core/v1:ConfigMap"
	volume        = "kubernetes:core/v1:PersistentVolume"
	claim         = "kubernetes:core/v1:PersistentVolumeClaim"
	storageClass  = "kubernetes:storage.k8s.io/v1:StorageClass"
	job           = "kubernetes:batch/v1:Job"
	snapshotClass = "kubernetes:snapshot.storage.k8s.io/v1:VolumeSnapshotClass"
	schedule      = "kubernetes:snapscheduler.backube/v1:SnapshotSchedule"
	cephPool      = "kubernetes:ceph.rook.io/v1:CephBlockPool"
	dataset       = "kubernetes:data.fluid.io/v1alpha1:Dataset"
	runtime       = "kubernetes:data.fluid.io/v1alpha1:AlluxioRuntime"
)

// charts of what holds, snapshots and caches data.
var (
	rook = m{"name": "rook-ceph", "namespace": "rook-ceph", "createNamespace": true, "chart": "rook-ceph", "version": "v1.20.6", "repositoryOpts": m{"repo": "https://charts.rook.io/release"}}
	csi  = m{
		"name": "ceph-csi-drivers", "namespace": "rook-ceph", "chart": "ceph-csi-drivers", "version": "1.0.4", "repositoryOpts": m{"repo": "https://ceph.github.io/ceph-csi-operator"},
		"values": m{"operatorConfig": m{"namespace": "rook-ceph"}, "drivers": m{"rbd": rbd, "cephfs": m{"name": "rook-ceph.cephfs.csi.ceph.com"}}},
	}
	rbd  = m{"name": "rook-ceph.rbd.csi.ceph.com", "snapshotPolicy": "volumeSnapshot"}
	ceph = m{
		"name": "rook-ceph-cluster", "namespace": "rook-ceph", "chart": "rook-ceph-cluster", "version": "v1.20.6", "repositoryOpts": m{"repo": "https://charts.rook.io/release"},
		"values": m{"cephClusterSpec": m{"storage": few}},
	}
	few         = m{"useAllNodes": false, "useAllDevices": false}
	scheduler   = m{"name": "snapscheduler", "namespace": "kube-system", "chart": "snapscheduler", "version": "3.6.0", "repositoryOpts": m{"repo": "https://backube.github.io/helm-charts/"}}
	provisioner = m{
		"name": "disks", "namespace": "kube-system", "chart": "local-static-provisioner", "version": "2.9.0",
		"repositoryOpts": m{"repo": "https://kubernetes-sigs.github.io/sig-storage-local-static-provisioner"},
		"values":         m{"classes": []any{m{"name": "disks", "hostDir": "/dev/disk/by-id", "volumeMode": "Block"}}},
	}
	fluid = m{
		"name": "fluid", "namespace": "fluid-system", "createNamespace": true, "chart": "fluid", "version": "1.0.8",
		"repositoryOpts": m{"repo": "https://fluid-cloudnative.github.io/charts"},
		"values":         m{"csi": m{"featureGates": "FuseRecovery=true"}, "runtime": m{"alluxio": m{"enabled": true}}},
	}
)

// memory is a level of a cache in memory.
var memory = m{"mediumtype": "MEM", "path": "/dev/shm", "quota": "16Gi", "high": "0.95", "low": "0.7"}

// storageObjects are good arguments of objects that have to do with storage.
func storageObjects() map[string]m {
	inCeph := func(kind string, spec m) m {
		return m{"apiVersion": "ceph.rook.io/v1", "kind": kind, "metadata": m{"name": "store", "namespace": "rook-ceph"}, "spec": spec}
	}
	ofFluid := func(kind string, spec m) m {
		return m{"apiVersion": "data.fluid.io/v1alpha1", "kind": kind, "metadata": m{"name": "cache", "namespace": "default"}, "spec": spec}
	}
	return map[string]m{
		configMap: {"metadata": m{"name": "board", "namespace": "default"}, "data": m{"a.json": "{}"}},
		volume: {"metadata": m{"name": "data"}, "spec": m{
			"accessModes": []any{"ReadOnlyMany"}, "capacity": m{"storage": "1Pi"}, "claimRef": m{"namespace": "default", "name": "data"},
			"csi": m{"driver": "example.com", "volumeHandle": "data"},
		}},
		claim:        {"metadata": m{"name": "data", "namespace": "default"}, "spec": m{"accessModes": []any{"ReadWriteOnce"}, "resources": m{"requests": m{"storage": "1Gi"}}}},
		storageClass: {"metadata": m{"name": "fast", "annotations": m{"storageclass.kubernetes.io/is-default-class": "true"}}, "provisioner": "ebs.csi.aws.com", "volumeBindingMode": "WaitForFirstConsumer"},
		job: {"metadata": m{"name": "count", "namespace": "default"}, "spec": m{"template": m{"spec": m{
			"restartPolicy": "OnFailure", "containers": []any{m{"name": "count", "image": "registry.example.com/count:1"}},
		}}}},
		snapshotClass: {"metadata": m{"name": "block", "annotations": m{"snapshot.storage.kubernetes.io/is-default-class": "true"}}, "driver": "example.com", "deletionPolicy": "Delete"},
		schedule:      {"metadata": m{"name": "hourly", "namespace": "default"}, "spec": m{"schedule": "30 */6 * * *", "retention": m{"maxCount": 12}}},
		cephPool:      inCeph("CephBlockPool", m{"failureDomain": "zone", "replicated": m{"size": 3, "requireSafeReplicaSize": true}}),
		dataset:       ofFluid("Dataset", m{"mounts": []any{m{"mountPoint": "pvc://data", "path": "/"}}, "placement": "Exclusive"}),
		runtime:       ofFluid("AlluxioRuntime", m{"replicas": 2, "tieredstore": m{"levels": []any{memory}}, "worker": m{"resources": m{"limits": m{"memory": "20Gi"}}}}),
	}
}

// withCeph installs Ceph.
func withCeph(w *simtest.World) {
	w.MustCreate("rook", token, rook)
	w.MustCreate("csi", token, csi)
	w.MustCreate("ceph", token, ceph)
}

func withFluid(w *simtest.World) { w.MustCreate("fluid", token, fluid) }

// served installs the snapshot controller, and a node that its pods run on.
func served(w *simtest.World) {
	w.MustCreate("igw", "aws:ec2/internetGateway:InternetGateway", m{"vpcId": "${vpc}"})
	w.MustCreate("table", "aws:ec2/routeTable:RouteTable", m{"vpcId": "${vpc}"})
	w.MustCreate("out", "aws:ec2/route:Route", m{"routeTableId": "${table}", "destinationCidrBlock": "0.0.0.0/0", "gatewayId": "${igw}"})
	w.MustCreate("public", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${table}", "subnetId": "${b}"})
	w.MustCreate("eip", "aws:ec2/eip:Eip", m{"domain": "vpc"})
	w.MustCreate("nat", "aws:ec2/natGateway:NatGateway", m{"allocationId": "${eip}", "subnetId": "${b}"})
	w.MustCreate("private-table", "aws:ec2/routeTable:RouteTable", m{"vpcId": "${vpc}"})
	w.MustCreate("private-out", "aws:ec2/route:Route", m{"routeTableId": "${private-table}", "destinationCidrBlock": "0.0.0.0/0", "natGatewayId": "${nat}"})
	w.MustCreate("private", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${private-table}", "subnetId": "${a}"})
	w.MustCreate("worker-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("ec2.amazonaws.com")})
	for _, policy := range []string{"AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonEKS_CNI_Policy"} {
		w.MustCreate(policy, "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${worker-role}", "policyArn": "arn:aws:iam::aws:policy/" + policy})
	}
	w.MustCreate("workers", "aws:eks/nodeGroup:NodeGroup", m{
		"clusterName": "${cluster}", "nodeRoleArn": "${worker-role.arn}", "subnetIds": []any{"${a}"}, "amiType": "AL2023_x86_64_STANDARD",
		"instanceTypes": []any{"m7i.xlarge"}, "scalingConfig": m{"minSize": 1, "desiredSize": 1, "maxSize": 1},
	})
	w.MustCreate("snapshots", "aws:eks/addon:Addon", m{"clusterName": "${cluster}", "addonName": "snapshot-controller"})
}

func storageRefusals() []refusal {
	spec := func(kind string, changes m) m {
		return m{"spec": simtest.With(storageObjects()[kind]["spec"].(m), changes)}
	}
	values := func(release, changes m) m {
		of, _ := release["values"].(m)
		return simtest.With(release, m{"values": simtest.With(of, changes)})
	}
	cluster := func(storage m) m { return values(ceph, m{"cephClusterSpec": m{"storage": storage}}) }
	class := func(changes m) m { return simtest.With(m{"metadata": m{"name": "x"}}, changes) }
	pods := func(changes m) m {
		return spec(job, m{"template": m{"spec": simtest.With(m{"restartPolicy": "Never", "containers": []any{m{"name": "a", "image": "b"}}}, changes)}})
	}
	return []refusal{
		{rule: "charts-before", in: csi, prepare: func(w *simtest.World) {
			w.MustCreate("other", token, simtest.With(efa, m{"name": "other", "namespace": "rook-ceph", "createNamespace": true}))
		}, want: "ceph-csi-drivers needs what the chart rook-ceph brings"},
		{rule: "charts-before", in: simtest.With(rook, m{"values": m{"monitoring": m{"enabled": true}}}), want: "rook-ceph needs what the chart prometheus-operator-crds brings"},
		{rule: "values-known", in: simtest.With(csi, m{"values": m{"drivers": m{"rbd": m{"snapshotPolice": "volumeSnapshot"}}}}), want: "values.drivers.rbd.snapshotPolice: the chart reads no such value; did you mean snapshotPolicy?"},
		{rule: "values-known", in: values(fluid, m{"csi": m{"featureGate": "x"}}), want: "did you mean featureGates?"},
		{rule: "chart-agrees", in: values(csi, m{"drivers": m{"rbd": m{"name": "rbd.csi.ceph.com"}}}), want: "Rook knows the driver as rook-ceph.rbd.csi.ceph.com"},
		{rule: "chart-agrees", in: values(csi, m{"operatorConfig": m{"namespace": "default"}}), want: `values.operatorConfig.namespace: got "default"`},
		{rule: "chart-agrees", in: cluster(m{"useAllNodes": true, "useAllDevices": true}), want: "the chart takes every empty disk of every node"},
		{rule: "chart-agrees", in: values(ceph, m{"cephClusterSpec": m{}}), want: "the chart takes every empty disk of every node"},
		{rule: "chart-agrees", in: cluster(m{"useAllNode": false}), want: "values.cephClusterSpec.storage.useAllNode: unknown field; did you mean useAllNodes?"},
		{rule: "chart-agrees", in: cluster(simtest.With(few, m{"storageClassDeviceSets": []any{m{"name": "a", "count": 3, "volumeClaimTemplates": []any{m{"metadata": m{"name": "disk"}}}}}})), want: "has to be called data"},
		{rule: "chart-agrees", in: values(provisioner, m{"classes": []any{}}), want: "values.classes: missing"},
		{rule: "chart-agrees", in: values(provisioner, m{"classes": []any{m{"name": "a"}}}), want: "class 0 lacks a name or a hostDir"},
		{rule: "chart-agrees", in: values(provisioner, m{"classes": []any{m{"name": "a", "hostDir": "/a", "volumeMode": "Raw"}}}), want: `the volumeMode of class 0 is "Raw"`},
		{token: configMap, rule: "config-keys", in: m{"data": m{"a/b": ""}}, want: `"a/b" is no name of a file`},
		{token: volume, rule: "access-modes", in: spec(volume, m{"accessModes": []any{"ReadOnce"}}), want: `spec.accessModes: got "ReadOnce"`},
		{token: volume, rule: "volume-source", in: spec(volume, m{"hostPath": m{"path": "/a"}}), want: "it has 2 sources"},
		{token: volume, rule: "volume-source", in: spec(volume, m{"capacity": nil}), want: "spec.capacity.storage: missing"},
		{token: volume, rule: "handle-free", in: m{"metadata": m{"name": "second"}}, prepare: func(w *simtest.World) { w.MustCreate("first", volume, storageObjects()[volume]) }, want: `the volume data has the handle "data" already`},
		{token: volume, rule: "driver-there", in: spec(volume, m{"csi": m{"driver": "s3.csi.aws.com", "volumeHandle": "x"}}), want: "make it depend on the add-on aws-mountpoint-s3-csi-driver"},
		{token: claim, rule: "access-modes", in: spec(claim, m{"accessModes": nil}), want: "spec.accessModes: missing"},
		{token: claim, rule: "claim-size", in: spec(claim, m{"resources": nil}), want: "spec.resources.requests.storage: missing"},
		{token: claim, rule: "volume-there", in: spec(claim, m{"volumeName": "data"}), want: `persistentvolumes "data" not found`},
		{token: claim, rule: "volume-there", in: spec(claim, m{"storageClassName": "fast"}), want: `storageclass.storage.k8s.io "fast" not found`},
		{token: claim, rule: "volume-there", in: simtest.With(spec(claim, m{"volumeName": "data"}), m{"metadata": m{"name": "other", "namespace": "default"}}),
			prepare: func(w *simtest.World) { w.MustCreate("first", volume, storageObjects()[volume]) }, want: "is reserved for the claim default/data"},
		{token: storageClass, rule: "class-words", in: m{"reclaimPolicy": "Recycle"}, want: `reclaimPolicy: got "Recycle"`},
		{token: storageClass, rule: "class-words", in: m{"volumeBindingMode": "Late"}, want: `volumeBindingMode: got "Late"`},
		{token: storageClass, rule: "local-waits", in: m{"volumeBindingMode": "Immediate"}, want: "it has to be WaitForFirstConsumer"},
		{token: storageClass, rule: "one-default-class", in: m{"metadata": m{"name": "second", "annotations": m{"storageclass.kubernetes.io/is-default-class": "true"}}},
			prepare: func(w *simtest.World) { w.MustCreate("first", storageClass, storageObjects()[storageClass]) }, want: "the storage class fast is the default already"},
		{token: storageClass, rule: "pool-exists", in: class(m{"provisioner": "rook-ceph.rbd.csi.ceph.com", "volumeBindingMode": "Immediate", "parameters": m{"pool": "store"}}), want: `there is no CephBlockPool "store"`},
		{token: storageClass, rule: "pool-exists", in: class(m{"provisioner": "rook-ceph.cephfs.csi.ceph.com", "volumeBindingMode": "Immediate", "parameters": m{"fsName": "store"}}), want: `there is no CephFilesystem "store"`},
		{token: job, rule: "job-restarts", in: pods(m{"restartPolicy": "Always"}), want: "wanted OnFailure or Never"},
		{token: job, rule: "runs-containers", in: pods(m{"containers": []any{}}), want: "containers: missing"},
		{token: snapshotClass, rule: "deletion-policy", in: m{"deletionPolicy": "Keep"}, want: `deletionPolicy: got "Keep"`},
		{token: snapshotClass, rule: "snapshots-served", want: "make it depend on the add-on snapshot-controller"},
		{token: snapshotClass, rule: "one-default-snapshot-class", in: m{"metadata": m{"name": "second", "annotations": m{"snapshot.storage.kubernetes.io/is-default-class": "true"}}},
			prepare: func(w *simtest.World) {
				served(w)
				w.MustCreate("first", snapshotClass, storageObjects()[snapshotClass])
			}, want: "the class block is the default of the driver example.com already"},
		{token: snapshotClass, rule: "driver-snapshots", in: m{"driver": "rook-ceph.rbd.csi.ceph.com"}, prepare: served, want: "no driver rook-ceph.rbd.csi.ceph.com takes snapshots"},
		{token: snapshotClass, rule: "driver-snapshots", in: m{"driver": "rook-ceph.rbd.csi.ceph.com"}, prepare: func(w *simtest.World) {
			served(w)
			w.MustCreate("rook", token, rook)
			w.MustCreate("csi", token, values(csi, m{"drivers": m{"rbd": m{"name": "rook-ceph.rbd.csi.ceph.com"}, "cephfs": m{"name": "rook-ceph.cephfs.csi.ceph.com"}}}))
		}, want: "set drivers.rbd.name and drivers.rbd.snapshotPolicy"},
		{token: schedule, rule: "kind-defined", want: `no matches for kind "SnapshotSchedule" in version "snapscheduler.backube/v1"`},
		{token: schedule, rule: "schedule-words", in: spec(schedule, m{"schedule": "30 2-4/2 * * *"}), want: "wanted five fields"},
		{token: schedule, rule: "schedule-words", in: spec(schedule, m{"schedule": "every day"}), want: "wanted five fields"},
		{token: schedule, rule: "schedule-words", in: spec(schedule, m{"retention": m{"expires": "7d"}}), want: `spec.retention.expires: got "7d"`},
		{token: schedule, rule: "schedule-retains", in: spec(schedule, m{"retention": nil}), want: "snapshots would fill the pool"},
		{token: schedule, rule: "schedule-retains", in: spec(schedule, m{"retention": m{"maxCount": 0}}), want: "got 0, wanted at least 1"},
		{token: cephPool, rule: "legal-spec", in: spec(cephPool, m{"failuredomain": "zone"}), want: "spec.failuredomain: unknown field; did you mean failureDomain?"},
		{token: cephPool, rule: "legal-spec", in: spec(cephPool, m{"replicated": m{"size": "3"}}), want: "wanted a value of type integer"},
		{token: cephPool, rule: "kind-defined", in: m{"metadata": m{"name": "store", "namespace": "default"}}, want: "make it depend on the release of the chart rook-ceph"},
		{token: cephPool, rule: "in-ceph-cluster", prepare: func(w *simtest.World) { w.MustCreate("rook", token, rook) }, want: "there is no Ceph cluster in the namespace rook-ceph"},
		{token: dataset, rule: "legal-spec", in: spec(dataset, m{"placement": "Alone"}), want: "spec.placement: got Alone, wanted one of"},
		{token: dataset, rule: "legal-spec", in: spec(dataset, m{"mounts": []any{m{"path": "/"}}}), want: "spec.mounts[0].mountPoint: missing"},
		{token: runtime, rule: "of-dataset", prepare: withFluid, want: `datasets.data.fluid.io "cache" not found`},
		{token: runtime, rule: "tiers-fit", in: spec(runtime, m{"worker": m{"resources": m{"limits": m{"memory": "8Gi"}}}}), want: "the memory tiered store's size 16Gi is greater"},
		{token: runtime, rule: "tiers-fit", in: spec(runtime, m{"tieredstore": m{"levels": []any{m{"mediumtype": "SSD"}}}}), want: "level 0 lacks a path or a quota"},
	}
}

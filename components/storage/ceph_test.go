package storage

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func storagePool() Placement {
	return Placement{Pool: "storage", Taints: []Taint{{Key: "gpuyard.dev/role", Value: "storage", Effect: "NoSchedule"}}}
}

// cephs are the cases that the goldens show.
func cephs() map[string]*CephArgs {
	return map[string]*CephArgs{
		"nvme": {
			Placement: storagePool(), Nodes: 3, Zones: 3, LocalDisks: &CephDisks{PerNode: 1, SizeGiB: 3492}, DefaultClass: true,
			Snapshots: &SnapshotPlan{Every: 6 * time.Hour, Keep: 12}, Monitoring: true,
		},
		"ebs": {
			Placement: Placement{Pool: "storage"}, Nodes: 4, Zones: 1, Volumes: &CephDisks{PerNode: 2, SizeGiB: 500}, ObjectStore: true,
			Snapshots: &SnapshotPlan{Every: time.Hour, Keep: 24, Namespaces: []string{"default", "training"}},
		},
		"hosts": {
			Placement: Placement{Pool: "rack"}, Hosts: []CephHost{
				{Name: "a", Devices: []string{"/dev/disk/by-id/nvme-one", "/dev/disk/by-id/nvme-two"}},
				{Name: "b", Devices: []string{"/dev/disk/by-path/pci-0000:01:00.0-nvme-1"}}, {Name: "c", Devices: []string{"/dev/disk/by-id/nvme-three"}},
			}, ObjectStore: true,
		},
		"scratch": {
			Placement: Placement{Pool: "spot"}, Nodes: 1, Zones: 1, LocalDisks: &CephDisks{PerNode: 8, SizeGiB: 3492}, Replicas: 1, AllowDataLoss: true,
		},
	}
}

func runCeph(t *testing.T, args *CephArgs) (*pulumitest.Graph, *Ceph) {
	t.Helper()
	var ceph *Ceph
	graph := runInCluster(t, func(ctx *pulumi.Context) (err error) {
		ceph, err = NewCeph(ctx, "prod-shared", args)
		return err
	})
	return graph, ceph
}

func TestCephGraphs(t *testing.T) {
	t.Parallel()
	for name, args := range cephs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, ceph := runCeph(t, args)
			pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, ceph), "testdata/ceph-"+name+".golden")
			charted(t, graph, "ceph-"+name)
		})
	}
}

func TestPlanCeph(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*CephArgs)
		want   CephPlan
	}{
		"three zones": {func(*CephArgs) {}, CephPlan{OSDs: 3, FailureDomain: "zone", Why: "the nodes are in 3 zones", Replicas: 3, Monitors: 3, Managers: 2, RawGiB: 10476, UsableGiB: 2968}},
		"one zone": {func(a *CephArgs) { a.Zones = 1 }, CephPlan{
			OSDs: 3, FailureDomain: "host", Why: "the nodes are in 1 zones, and copies over zones need 3", Replicas: 3, Monitors: 3, Managers: 2, RawGiB: 10476, UsableGiB: 2968,
		}},
		"hosts asked for": {func(a *CephArgs) { a.FailureDomain = "host" }, CephPlan{OSDs: 3, FailureDomain: "host", Why: "asked for", Replicas: 3, Monitors: 3, Managers: 2, RawGiB: 10476, UsableGiB: 2968}},
		"more disks":      {func(a *CephArgs) { a.Nodes, a.LocalDisks.PerNode = 6, 8 }, CephPlan{OSDs: 48, FailureDomain: "zone", Why: "the nodes are in 3 zones", Replicas: 3, Monitors: 3, Managers: 2, RawGiB: 167616, UsableGiB: 47491}},
		"one node":        {func(a *CephArgs) { a.Nodes, a.Replicas = 1, 1 }, CephPlan{OSDs: 1, FailureDomain: "host", Why: "the nodes are in 1 zones, and copies over zones need 3", Replicas: 1, Monitors: 1, Managers: 1, RawGiB: 3492, UsableGiB: 2968}},
	} {
		args := *cephs()["nvme"]
		args.LocalDisks = &CephDisks{PerNode: 1, SizeGiB: 3492}
		c.change(&args)
		got, err := PlanCeph("x", &args)
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v\nwant %+v", name, got, err, c.want)
		}
	}
}

func TestCephRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*CephArgs)
		says   string
	}{
		"no disks":       {func(a *CephArgs) { a.LocalDisks = nil }, "localDisks, volumes, hosts: 0 of them are given"},
		"two owners":     {func(a *CephArgs) { a.Volumes = &CephDisks{PerNode: 1, SizeGiB: 100} }, "2 of them are given"},
		"small disks":    {func(a *CephArgs) { a.LocalDisks = &CephDisks{PerNode: 1, SizeGiB: 1} }, "at least one of 10 GiB is needed"},
		"two zones":      {func(a *CephArgs) { a.Zones, a.FailureDomain = 2, "zone" }, "failureDomain: 3 copies over zones need 3 zones, and the nodes are in 2"},
		"rack":           {func(a *CephArgs) { a.FailureDomain = "rack" }, `failureDomain: "rack" is unknown`},
		"two hosts":      {func(a *CephArgs) { a.Nodes = 2 }, "replicas: 3 copies over hosts need as many nodes, and there are 2"},
		"no pool":        {func(a *CephArgs) { a.Placement.Pool = "" }, "placement.pool: it is empty"},
		"taint":          {func(a *CephArgs) { a.Placement.Taints = []Taint{{Key: "a", Effect: "Never"}} }, `a has the effect "Never"`},
		"negative":       {func(a *CephArgs) { a.Replicas = -1 }, "replicas: there are -1"},
		"odd interval":   {func(a *CephArgs) { a.Snapshots.Every = 5 * time.Hour }, "snapshots.every: 5h0m0s is no interval"},
		"keeps none":     {func(a *CephArgs) { a.Snapshots.Keep = 0 }, "snapshots.keep: 0: at least one"},
		"namespace":      {func(a *CephArgs) { a.Snapshots.Namespaces = []string{"My"} }, `snapshots.namespaces: "My" is no name`},
		"moving device":  {func(a *CephArgs) { a.LocalDisks, a.Hosts = nil, []CephHost{{Name: "a", Devices: []string{"/dev/sdb"}}} }, `hosts[0].devices: "/dev/sdb" may be another disk after a restart`},
		"no device":      {func(a *CephArgs) { a.LocalDisks, a.Hosts = nil, []CephHost{{Name: "a"}} }, "name each disk, or Ceph would take every empty one"},
		"the same twice": {func(a *CephArgs) { a.LocalDisks, a.Hosts = nil, []CephHost{{Name: "a"}, {Name: "a"}} }, `hosts[1].name: "a" is empty or there twice`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := *cephs()["nvme"]
			c.change(&args)
			refusedWith(t, func(ctx *pulumi.Context) error {
				_, err := NewCeph(ctx, "prod-shared", &args)
				return err
			}, `gpuyard:storage:Ceph "prod-shared"`, c.says)
		})
	}
	refusedWith(t, func(ctx *pulumi.Context) error { _, err := NewCeph(ctx, "x", nil); return err }, "args: they are missing")
}

// rook#17644, RamenDR/ramen PR 2747: operator, drivers, cluster, disks, pools, classes, in this order, or claims fail.
func TestCephComesInOrder(t *testing.T) {
	t.Parallel()
	graph, _ := runCeph(t, cephs()["ebs"])
	const pool, class = "kubernetes:ceph.rook.io/v1:CephBlockPool", "kubernetes:storage.k8s.io/v1:StorageClass"
	release := func(chart string) string { return helm.TokenRelease + " prod-shared-" + chart }
	job := "kubernetes:batch/v1:Job prod-shared-osds"
	for _, edge := range [][3]string{
		{helm.TokenRelease, "prod-shared-ceph-csi-drivers", release("rook-ceph")},
		{helm.TokenRelease, "prod-shared-rook-ceph-cluster", release("ceph-csi-drivers")},
		{helm.TokenRelease, "prod-shared-rook-ceph-cluster", class + " prod-shared-disks"},
		{"kubernetes:batch/v1:Job", "prod-shared-osds", release("rook-ceph-cluster")},
		{pool, "prod-shared-block", job},
		{"kubernetes:ceph.rook.io/v1:CephFilesystem", "prod-shared-file", job},
		{"kubernetes:ceph.rook.io/v1:CephFilesystemSubVolumeGroup", "prod-shared-file-csi", "kubernetes:ceph.rook.io/v1:CephFilesystem prod-shared-file"},
		{class, "prod-shared-block", pool + " prod-shared-block"},
		{class, "prod-shared-bucket", "kubernetes:ceph.rook.io/v1:CephObjectStore prod-shared-object"},
		{"kubernetes:snapshot.storage.k8s.io/v1:VolumeSnapshotClass", "prod-shared-file", pool + " prod-shared-block"},
		{"kubernetes:snapscheduler.backube/v1:SnapshotSchedule", "prod-shared-snapshots-training", "kubernetes:snapshot.storage.k8s.io/v1:VolumeSnapshotClass prod-shared-block"},
	} {
		dependsOn(t, graph, edge[0], edge[1], edge[2])
	}
}

// rook#6832: the job counts the disks of the plan, so that a cluster without disks is no success.
func TestReadinessCountsTheDisksOfThePlan(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"nvme": "want=3\n", "ebs": "want=8\n", "hosts": "want=4\n", "scratch": "want=8\n"} {
		graph, _ := runCeph(t, cephs()[name])
		job := graph.Get(t, "kubernetes:batch/v1:Job", "prod-shared-osds")
		if text := job.Inputs.Mappable(); !strings.Contains(pulumitestText(text), want) {
			t.Errorf("%s: the job does not want %q", name, want)
		}
	}
}

// What holds data is protected until the blueprint lets it go.
func TestCephKeepsItsData(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"nvme": true, "scratch": false} {
		graph, _ := runCeph(t, cephs()[name])
		for _, r := range [][2]string{
			{"kubernetes:ceph.rook.io/v1:CephBlockPool", "prod-shared-block"}, {"kubernetes:ceph.rook.io/v1:CephFilesystem", "prod-shared-file"},
			{helm.TokenRelease, "prod-shared-rook-ceph-cluster"},
		} {
			if got := slices.ContainsFunc(graph.Get(t, r[0], r[1]).Options, func(o string) bool { return strings.HasPrefix(o, "protect") }); got != want {
				t.Errorf("%s: %s is protected: %v, want %v: %v", name, r[1], got, want, graph.Get(t, r[0], r[1]).Options)
			}
		}
	}
}

func TestSnapshotCron(t *testing.T) {
	t.Parallel()
	for every, want := range map[time.Duration]string{
		time.Hour: "30 * * * *", 2 * time.Hour: "30 */2 * * *", 12 * time.Hour: "30 */12 * * *", 24 * time.Hour: "30 0 * * *", 168 * time.Hour: "30 0 * * 0",
		5 * time.Hour: "", 90 * time.Minute: "", 48 * time.Hour: "", 0: "", -time.Hour: "",
	} {
		got, err := SnapshotCron(every)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", every, got, err, want)
		}
	}
}

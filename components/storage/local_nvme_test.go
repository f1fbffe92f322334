package storage

import (
	"path/filepath"
	"testing"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func TestLocalNVMeGraphs(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*LocalNVMeArgs{
		"disks": {Placement: Placement{Pool: "loaders", Taints: []Taint{{Key: "gpuyard.dev/role", Value: "data-loading", Effect: "NoSchedule"}, {Key: "any", Effect: "NoExecute"}}}, Kind: LocalDisks, DefaultClass: true},
		"raid0": {Placement: Placement{Pool: "h100"}, Kind: LocalRAID},
		"ebs":   {Placement: Placement{Pool: "loaders"}, Kind: LocalEBS},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var local *LocalNVMe
			graph := runInCluster(t, func(ctx *pulumi.Context) (err error) {
				local, err = NewLocalNVMe(ctx, "prod-warm", args)
				return err
			})
			pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, local), "testdata/local-"+name+".golden")
			charted(t, graph, "local-"+name)
			if len(local.Ready()) == 0 {
				t.Error("claims have nothing to wait for")
			}
		})
	}
}

// A disk has several names in /dev/disk/by-id. Two that match would make two volumes of one disk.
func TestOneNameOfEachDiskMatches(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"nvme-Amazon_EC2_NVMe_Instance_Storage_AWS22A4E8CF4CE39DB26":      true,
		"nvme-Amazon_EC2_NVMe_Instance_Storage_AWS22A4E8CF4CE39DB26_1":    false,
		"nvme-Amazon_EC2_NVMe_Instance_Storage_AWS22A4E8CF4CE39DB26-ns-1": false,
		"nvme-Amazon_Elastic_Block_Store_vol0123456789abcdef0":            false,
		"nvme-nvme.1d0f-4157-416d-00000001":                               false,
	} {
		if got, err := filepath.Match(instanceStore(), name); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestLocalNVMeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args *LocalNVMeArgs
		says string
	}{
		{nil, "args: they are missing"},
		{&LocalNVMeArgs{Kind: LocalDisks}, "placement.pool: it is empty"},
		{&LocalNVMeArgs{Placement: Placement{Pool: "a"}, Kind: "raid5"}, `kind: "raid5" is unknown: it may be disks, raid0 or ebs`},
	} {
		refusedWith(t, func(ctx *pulumi.Context) error {
			_, err := NewLocalNVMe(ctx, "warm", c.args)
			return err
		}, `gpuyard:storage:LocalNVMe "warm"`, c.says)
	}
}

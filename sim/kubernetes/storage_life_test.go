package kubernetes_test

import (
	"strings"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func TestLivesOfStorageObjects(t *testing.T) {
	t.Parallel()
	first := map[string]func(*simtest.World){
		cephPool: withCeph, dataset: withFluid, snapshotClass: served,
		schedule: func(w *simtest.World) { w.MustCreate("scheduler", token, scheduler) },
		runtime: func(w *simtest.World) {
			withFluid(w)
			w.MustCreate("data", dataset, storageObjects()[dataset])
		},
	}
	for kind, in := range storageObjects() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := world(t, nil)
			if first[kind] != nil {
				first[kind](w)
			}
			made := w.MustCreate("it", kind, in)
			fits(t, made)
			if d := w.Diff(made, made.Inputs); d.GetChanges() != pulumirpc.DiffResponse_DIFF_NONE {
				t.Errorf("the same arguments differ: %v", d)
			}
			labelled := simtest.With(in, m{"metadata": simtest.With(in["metadata"].(m), m{"labels": m{"a": "b"}})})
			changed, err := w.Update(made, labelled)
			if err != nil {
				t.Fatal(err)
			}
			fits(t, changed)
			if n, _ := engine.Props(changed.Outputs).Int("metadata.generation"); n != 2 {
				t.Errorf("the update is generation %d", n)
			}
			renamed := simtest.With(in, m{"metadata": simtest.With(in["metadata"].(m), m{"name": "other"})})
			if d := w.Diff(changed, w.Props(renamed)); len(d.GetReplaces()) == 0 || !d.GetDeleteBeforeReplace() {
				t.Errorf("another name is a difference of %v", d)
			}
			if err := w.Delete(changed); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestStorageChartsAreAccepted(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	withCeph(w)
	withFluid(w)
	for name, release := range map[string]m{"scheduler": scheduler, "disks": provisioner} {
		w.MustCreate(name, token, release)
	}
	w.MustCreate("pool", cephPool, storageObjects()[cephPool])
	w.MustCreate("class", storageClass, m{"metadata": m{"name": "block"}, "provisioner": "rook-ceph.rbd.csi.ceph.com", "volumeBindingMode": "Immediate", "parameters": m{"pool": "store"}})
}

// ceph-teardown.md: what stands on something goes first, or finalizers wait for ever.
func TestCephIsTakenDownInOrder(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	withCeph(w)
	w.MustCreate("pool", cephPool, storageObjects()[cephPool])
	for _, c := range []struct{ name, want string }{
		{"rook", "the release of rook-ceph-cluster stands on rook-ceph"},
		{"csi", "the release of rook-ceph-cluster stands on ceph-csi-drivers"},
		{"ceph", "the CephBlockPool store stands on rook-ceph-cluster"},
	} {
		if err := w.Delete(w.Made[c.name]); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	for _, name := range []string{"pool", "ceph", "csi", "rook"} {
		if err := w.Delete(w.Made[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

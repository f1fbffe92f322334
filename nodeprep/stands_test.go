package nodeprep_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
)

// disks gives a host an EBS root and two disks that EC2 names as instance store, each under two names.
func disks(t *testing.T, h *hosttest.Host) {
	t.Helper()
	must(t, os.MkdirAll(h.Path("dev/disk/by-id"), 0o755))
	for name, ids := range map[string][]string{
		"nvme0n1": {"nvme-Amazon_Elastic_Block_Store_vol0123456789abcdef0"},
		"nvme1n1": {"nvme-Amazon_EC2_NVMe_Instance_Storage_AWS11111111111111111", "nvme-Amazon_EC2_NVMe_Instance_Storage_AWS11111111111111111_1"},
		"nvme2n1": {"nvme-Amazon_EC2_NVMe_Instance_Storage_AWS22222222222222222", "nvme-Amazon_EC2_NVMe_Instance_Storage_AWS22222222222222222_1"},
	} {
		must(t, h.Write("sys/block/"+name+"/size", "7421875000\n"))
		must(t, h.Write("dev/"+name, ""))
		for _, id := range ids {
			must(t, os.Symlink("../../"+name, h.Path("dev/disk/by-id/"+id)))
		}
	}
	must(t, h.Write("fake/signature-nvme0n1", "gpt\n"))
	must(t, h.Write("sys/block/nvme0n1/nvme0n1p1/size", "1\n"))
	for _, command := range []string{"mdadm", "mkfs.xfs"} {
		must(t, h.AddCommand(command))
	}
}

func TestRAIDOfInstanceStoreOnly(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.AmazonLinux(), hosttest.P5())
	disks(t, h)
	_, err := nodeprep.Apply(t.Context(), h, minimalWith(t, map[string]string{"storage.raid0": "/mnt/scratch"}), nodeprep.ApplyOptions{})
	must(t, err)
	i := slices.IndexFunc(h.Calls(), func(c string) bool { return strings.HasPrefix(c, "mdadm ") })
	if i < 0 {
		t.Fatal("no array was made")
	}
	if call := h.Calls()[i]; !strings.Contains(call, "--raid-devices=2 "+h.Path("dev/nvme1n1")+" "+h.Path("dev/nvme2n1")) || strings.Contains(call, "nvme0n1") {
		t.Errorf("the array is made by %s", call)
	}
	mount := h.Read("etc/systemd/system/mnt-scratch.mount")
	for _, want := range []string{"What=/dev/disk/by-uuid/11111111-2222-4333-8444-555555555555", "Where=/mnt/scratch", "nofail"} {
		if !strings.Contains(mount, want) {
			t.Errorf("the mount lacks %s:\n%s", want, mount)
		}
	}
}

// TestRAIDRefuses has the script look for itself, without a plan that would have stopped it before.
func TestRAIDRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, content, want string
	}{
		"a signature": {"fake/signature-nvme2n1", "xfs\n", "nvme2n1 has a signature"},
		"a partition": {"sys/block/nvme1n1/nvme1n1p1/size", "1\n", "nvme1n1 has partitions"},
		"a holder":    {"sys/block/nvme1n1/holders/dm-0/x", "", "nvme1n1 is part of something else"},
		"a mount":     {"proc/mounts", "/dev/nvme1n1 /data xfs rw 0 0\n", "nvme1n1 is mounted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, hosttest.AmazonLinux(), hosttest.P5())
			disks(t, h)
			must(t, h.Write(c.path, c.content))
			body, err := nodeprep.Render(minimalWith(t, map[string]string{"storage.raid0": "/mnt/scratch"}))
			must(t, err)
			out, err := h.Run(t.Context(), body.Script())
			must(t, err)
			if !strings.Contains(string(out), "np\traid0\tfailed\t"+c.want) {
				t.Errorf("it said:\n%s", out)
			}
			if slices.ContainsFunc(h.Calls(), func(c string) bool { return strings.HasPrefix(c, "mdadm ") || strings.HasPrefix(c, "mkfs") }) {
				t.Error("a disk was written")
			}
		})
	}
}

func TestEFAInstaller(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.AmazonLinux(), hosttest.P5())
	must(t, h.AddCommand("gpg"))
	p := minimalWith(t, map[string]string{"efa.installer": "1.43.2"})
	r, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	if !errors.Is(err, nodeprep.ErrFailed) || !strings.Contains(result(r, "efa").Detail, "/var/lib/gpuyard/aws-efa-installer-1.43.2.tar.gz and") {
		t.Fatalf("without the installer: %v", err)
	}
	const archive = "var/lib/gpuyard/aws-efa-installer-1.43.2.tar.gz"
	must(t, h.Write(archive+".sig", "signature"))
	installer(t, h.Path(archive), `#!/bin/sh
mkdir -p "$GPUYARD_ROOT/opt/amazon"
echo "# EFA installer version: 1.43.2" >"$GPUYARD_ROOT/opt/amazon/efa_installed_packages"
echo "$*" >"$GPUYARD_ROOT/fake/efa-arguments"
`)
	must(t, h.Fail("gpg", "gpg: BAD signature"))
	r, err = nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	if err == nil || !strings.Contains(result(r, "efa").Detail, "BAD signature") || h.Read("fake/efa-arguments") != "" {
		t.Fatalf("with a wrong signature: %v", err)
	}
	must(t, h.Fail("gpg", ""))
	_, err = nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	must(t, err)
	if got := h.Read("fake/efa-arguments"); got != "--minimal -y" {
		t.Errorf("the installer was called with %q", got)
	}
}

// installer makes an archive with an installer.
func installer(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	packed := gzip.NewWriter(f)
	archive := tar.NewWriter(packed)
	must(t, archive.WriteHeader(&tar.Header{Name: "aws-efa-installer/efa_installer.sh", Mode: 0o755, Size: int64(len(text))}))
	_, err = archive.Write([]byte(text))
	must(t, errors.Join(err, archive.Close(), packed.Close(), f.Close()))
}

func TestHostJoinsItsCluster(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Gaudi2())
	must(t, h.AddCommand("nodeadm"))
	must(t, h.Write("fake/repository", repository+"containerd\t1.7.12\n"))
	p := joining(activation).Extend("join", map[string]string{"containerd": "on", "swap": "off", "limits.memlock": "unlimited", "limits.nofile": "500000"})
	report, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	must(t, err)
	if !report.After.Right() {
		t.Errorf("the host is not right:\n%s", text(t, report.After))
	}
	var order []string
	for _, c := range h.Calls() {
		if strings.HasPrefix(c, "nodeadm ") || c == "systemctl start containerd.service" {
			order = append(order, c)
		}
	}
	want := []string{"systemctl start containerd.service", "nodeadm install 1.35 --credential-provider ssm --containerd-source none --region us-west-2",
		"nodeadm init -c file:///etc/gpuyard/nodeconfig.yaml"}
	if !slices.Equal(order, want) {
		t.Errorf("the order was %q", order)
	}
	if info, err := os.Stat(h.Path("etc/gpuyard/nodeconfig.yaml")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the configuration is %v (%v)", info, err)
	}
	if script := h.Read("var/lib/gpuyard/nodeprep/script"); script != "" {
		t.Error("the script, which has a secret, was left on the host")
	}
}

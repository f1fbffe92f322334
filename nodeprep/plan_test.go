package nodeprep_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// dump reads a host from the dumps of package facts.
func dump(t *testing.T, name string) *facts.Host {
	t.Helper()
	document, err := os.ReadFile("facts/testdata/hosts/" + name + ".json")
	must(t, err)
	h, err := facts.Parse(document)
	must(t, err)
	return h
}

// everything names every item, so that each says something about each host.
func everything() map[string]string {
	return map[string]string{
		"nvidia.driver": "580.105.08", "nvidia.container_toolkit": "1.18.0", "nvidia.gdrcopy": "2.5.1", "nvidia.gpudirect": "dma-buf",
		"efa.installer": "1.43.2", "roce.priority": "3", "roce.traffic_class": "106", "nccl.ib_hca": "=mlx5_0,mlx5_1",
		"topology": "report", "storage.raid0": "/mnt/scratch", "storage.read_ahead_kib": "4096", "hugepages.2Mi": "5128", "hugepages.1Gi": "4",
		"iommu.passthrough": "on", "containerd": "on", "habana.links": "up",
		"cluster.name": "rack", "cluster.region": "us-west-2", "cluster.version": "1.35",
		"cluster.activation_id": "12345678-1234-1234-1234-123456789012", "cluster.activation_code": activation,
	}
}

const activation = "S3cretActivationCode+/="

func TestPlansOfDumps(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"debian-12-microvm", "ubuntu-22.04-h100", "rocky-9-tuned", "al2023-p5"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan, err := nodeprep.NewPlan(builtIn(t, profile.Training, everything()), dump(t, name))
			must(t, err)
			var b strings.Builder
			must(t, plan.WriteText(&b, true))
			golden(t, "plans/"+name+".txt", b.String())
			document, err := json.MarshalIndent(plan, "", " ")
			must(t, err)
			golden(t, "plans/"+name+".json", string(document)+"\n")
			for _, s := range []string{b.String(), string(document)} {
				if strings.Contains(s, activation) {
					t.Error("the plan shows a secret")
				}
			}
			if !strings.Contains(plan.Body().String(), activation) && plan.Count(nodeprep.Change) > 0 && slices.ContainsFunc(plan.Items, func(i nodeprep.ItemPlan) bool {
				return i.Key == "cluster_join" && len(i.Steps) > 0
			}) {
				t.Error("the script lacks what it needs to join")
			}
		})
	}
}

// TestNothingPassesSilently holds that every item says why where it does not apply or is in the way.
func TestNothingPassesSilently(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"debian-12-microvm", "ubuntu-22.04-h100", "rocky-9-tuned", "al2023-p5"} {
		plan, err := nodeprep.NewPlan(builtIn(t, profile.GaudiTraining, map[string]string{"nccl.algo": "Ring", "efa.installer": "1.43.2", "storage.raid0": "/mnt/x"}), dump(t, name))
		must(t, err)
		for _, i := range plan.Items {
			if len(i.Settings) == 0 {
				t.Errorf("%s: %s says nothing", name, i.Key)
			}
			for _, s := range i.Settings {
				if (s.Verdict == nodeprep.NotApplicable || s.Verdict == nodeprep.Blocked) && s.Reason == "" {
					t.Errorf("%s: %s %s is %s without a reason", name, i.Key, s.Name, s.Verdict)
				}
				if s.Verdict == "" {
					t.Errorf("%s: %s %s has no verdict", name, i.Key, s.Name)
				}
			}
			if (i.Verdict == nodeprep.Blocked || i.Verdict == nodeprep.OK || i.Verdict == nodeprep.NotApplicable) && len(i.Steps) > 0 {
				t.Errorf("%s: %s is %s and has steps", name, i.Key, i.Verdict)
			}
		}
	}
}

// setting finds a setting of a plan.
func setting(t *testing.T, p *nodeprep.Plan, item, name string) nodeprep.Setting {
	t.Helper()
	for _, i := range p.Items {
		for _, s := range i.Settings {
			if i.Key == item && s.Name == name {
				return s
			}
		}
	}
	t.Fatalf("the plan has no %s %s", item, name)
	return nodeprep.Setting{}
}

func TestConflictsOfAHostAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dump       string
		change     func(*facts.Host)
		values     map[string]string
		item, what string
		want       string
	}{
		"tuned owns THP": {"rocky-9-tuned", func(h *facts.Host) { h.Memory.THP.Enabled = "always"; h.ReadOnly = nil },
			map[string]string{"thp.enabled": "never"}, "transparent_hugepages", "thp.enabled",
			"tuned's profile hpc-compute sets it to always in /usr/lib/tuned/hpc-compute/tuned.conf"},
		"tuned owns a parameter": {"rocky-9-tuned", func(h *facts.Host) { h.Sysctl["vm.zone_reclaim_mode"] = "1"; h.ReadOnly = nil },
			map[string]string{"sysctl.vm.zone_reclaim_mode": "0"}, "sysctl", "vm.zone_reclaim_mode", "tuned's profile hpc-compute sets it to 1"},
		"sysctl.conf has the last word": {"ubuntu-22.04-h100", nil,
			map[string]string{"sysctl.vm.swappiness": "10"}, "sysctl", "vm.swappiness", "/etc/sysctl.conf sets it to 1 and is read after"},
		"a file that sorts later": {"ubuntu-22.04-h100", func(h *facts.Host) {
			h.SysctlConf = facts.ConfigFile{}
			h.SysctlFiles = append(h.SysctlFiles, facts.ConfigFile{Path: "/etc/sysctl.d/99-zzz.conf", Lines: []string{"vm.swappiness = 60"}})
		}, map[string]string{"sysctl.vm.swappiness": "10"}, "sysctl", "vm.swappiness", "/etc/sysctl.d/99-zzz.conf sets it to 60"},
		"another line of tmpfiles": {"ubuntu-22.04-h100", func(h *facts.Host) {
			h.Tmpfiles = []facts.ConfigFile{{Path: "/etc/tmpfiles.d/ceph.conf", Lines: []string{"w /sys/kernel/mm/transparent_hugepage/enabled - - - - always"}}}
		}, map[string]string{"thp.enabled": "never"}, "transparent_hugepages", "thp.enabled", "/etc/tmpfiles.d/ceph.conf sets it to always as well"},
		"a read-only system": {"rocky-9-tuned", nil, map[string]string{"needrestart": "list", "swap": "off"}, "swap", "swap", "/usr is read-only"},
		"a full disk": {"ubuntu-22.04-h100", func(h *facts.Host) { h.Space = []facts.Space{{Mount: "/", FreeKiB: 100}} },
			map[string]string{"thp.enabled": "never"}, "transparent_hugepages", "thp.enabled", "100 KiB are free on /"},
		"Secure Boot": {"ubuntu-22.04-h100", func(h *facts.Host) { h.NVIDIA = facts.Driver{} },
			map[string]string{"nvidia.driver": "580.95.05"}, "nvidia_driver", "nvidia module", "Secure Boot is on"},
		"the operator owns the driver": {"al2023-p5", nil, map[string]string{"nvidia.driver": "580.95.05"}, "nvidia_driver", "nvidia module", "the GPU operator owns the driver"},
		"too many pages": {"ubuntu-22.04-h100", func(h *facts.Host) { h.Memory.TotalKiB = 1 << 20 },
			map[string]string{"hugepages.2Mi": "5128"}, "hugepages", "hugepages.2Mi node0", "more than nine tenths"},
		"dma-buf without open modules": {"ubuntu-22.04-h100", func(h *facts.Host) { h.NVIDIA.Open = false },
			map[string]string{"nvidia.gpudirect": "dma-buf"}, "gpudirect", "nvidia.gpudirect", "needs the open modules"},
		"an EFA installer that is broken": {"al2023-p5", func(h *facts.Host) { h.OS.Family = facts.RedHat },
			map[string]string{"efa.installer": "1.38.0"}, "efa", "efa.installer", "1.38.0 does not work on"},
		"another pci argument": {"ubuntu-22.04-h100", func(h *facts.Host) { h.Kernel.Args = facts.ParseArgs("pci=realloc") },
			map[string]string{"acs.redirect": "off"}, "kernel_line", "pci", "another pci= already"},
		"a node of EC2": {"al2023-p5", nil, everything(), "cluster_join", "cluster", "an EC2 instance cannot be a hybrid node"},
		"a class and a priority that differ": {"ubuntu-22.04-h100", nil, map[string]string{"roce.priority": "5", "roce.traffic_class": "106"},
			"roce", "roce", "class 106 is DSCP 26, which adapters put on priority 3 and not 5"},
		"an array member": {"al2023-p5", func(h *facts.Host) { h.Disks[1].Signature = "linux_raid_member" },
			map[string]string{"storage.raid0": "/mnt/x"}, "raid0", "storage.raid0", "nvme1n1 has a signature (linux_raid_member): it is left alone"},
		"a disk nobody could look at": {"al2023-p5", func(h *facts.Host) { h.Disks[2].Signature = "unreadable" },
			map[string]string{"storage.raid0": "/mnt/x"}, "raid0", "storage.raid0", "could not be looked at"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := dump(t, c.dump)
			if c.change != nil {
				c.change(h)
			}
			plan, err := nodeprep.NewPlan(profile.Profile{Name: "x", Values: c.values}, h)
			must(t, err)
			s := setting(t, plan, c.item, c.what)
			if s.Verdict != nodeprep.Blocked || !strings.Contains(s.Reason, c.want) {
				t.Errorf("got %s (%s)", s.Verdict, s.Reason)
			}
		})
	}
}

func TestRaiseOnly(t *testing.T) {
	t.Parallel()
	h := dump(t, "ubuntu-22.04-h100")
	h.Sysctl["vm.max_map_count"] = "1048576" // as systemd sets it
	h.SysctlFiles = append(h.SysctlFiles, facts.ConfigFile{Path: "/usr/lib/sysctl.d/10-map-count.conf", Lines: []string{"vm.max_map_count=1048576"}})
	plan, err := nodeprep.NewPlan(profile.Profile{Values: map[string]string{"sysctl.vm.max_map_count": "524288"}}, h)
	must(t, err)
	if s := setting(t, plan, "sysctl", "vm.max_map_count"); s.Verdict != nodeprep.OK {
		t.Errorf("more than what is wanted is %s", s.Verdict)
	}
}

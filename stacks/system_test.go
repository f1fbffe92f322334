package stacks

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
)

// planOf plans a small environment whose pool and profile are given.
func planOf(t *testing.T, pool, profile string) (*Plan, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "blueprint.hcl")
	text := `environment "dev" {
  region             = "us-west-2"
  kubernetes_version = "1.35"
}
network {
  cidr  = "10.20.0.0/16"
  zones = ["us-west-2a", "us-west-2b"]
  nat   = "single"
}
node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}
node_pool "gpu" {
  size    = { min = 0, desired = 1, max = 2 }
  profile = node_profile.mine
` + pool + "\n}\nnode_profile \"mine\" {\n" + profile + "\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	plan, diags := NewPlan(load(t, path, nil), catalog.Default())
	var out strings.Builder
	if err := diags.Write(&out, 200, false); err != nil {
		t.Fatal(err)
	}
	return plan, strings.Join(strings.Fields(out.String()), " ")
}

const g6 = `  instance_types = ["g6.xlarge"]`

func TestProfileReachesTheUserData(t *testing.T) {
	t.Parallel()
	plan, said := planOf(t, g6, `extends = "training"`)
	if said != "" {
		t.Errorf("it says %s", said)
	}
	setup := plan.Pools[1].System.Setup
	if !strings.HasPrefix(setup, "#!/bin/sh\n") || len(setup) > maxSetup {
		t.Errorf("the set-up has %d bytes and begins with %.40q", len(setup), setup)
	}
	if plan, _ = planOf(t, g6, `topology_manager = "best-effort"`); plan.Pools[1].System.Setup != "" {
		t.Error("a profile of kubelet alone has a script")
	}
	// What the image has is left to it, and what a node can give itself is not.
	keys := atBoot(HostProfile(plan.Pools[1].Pool.Profile)).Values
	if len(keys) != 0 {
		t.Errorf("a profile of kubelet alone has %v", keys)
	}
}

func TestWhatAnImageHasIsSaid(t *testing.T) {
	t.Parallel()
	plan, said := planOf(t, g6, `
  extends       = "training"
  nvidia_driver = "580.95.05"
  roce          = { traffic_class = 106, priority = 3 }`)
	for _, want := range []string{"Driver of the image", "nvidia_driver 580.95.05 is for pools of hosts and is not applied", "image_release"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
	notes := map[string]string{}
	for _, item := range profileItems(plan.Pools[1].Pool) {
		notes[item.name] = item.note
	}
	if notes["nvidia_driver"] != "not applied: the image brings its driver" || notes["roce"] != "not applied: EC2 has no RoCE" {
		t.Errorf("the notes are %v", notes)
	}
}

func TestSettingsReachTheNodesOrAreSaidNotTo(t *testing.T) {
	t.Parallel()
	const settings = `
  extends  = "training"
  settings = { "thp.defrag" = "defer+madvise", "iommu.passthrough" = "on", "thp.shmem" = "" }`
	plan, said := planOf(t, g6, settings)
	if !strings.Contains(said, "iommu.passthrough is for pools of hosts and is not applied to the nodes of gpu") || strings.Contains(said, "thp.defrag is for") {
		t.Errorf("it says %s", said)
	}
	values := atBoot(HostProfile(plan.Pools[1].Pool.Profile)).Values
	if _, kept := values["thp.shmem"]; kept || values["thp.defrag"] != "defer+madvise" {
		t.Errorf("its nodes give themselves %v", values)
	}
	if _, said = planOf(t, g6+"\n  os = \"bottlerocket\"", settings); !strings.Contains(said, "no setting for thp.defrag") {
		t.Errorf("on Bottlerocket it says %s", said)
	}
}

func TestSplitGPUsKeepTheirHugepagesOverTheReboot(t *testing.T) {
	t.Parallel()
	plan, _ := planOf(t, `  instance_types = ["p4d.24xlarge"]
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" }`, `hugepages = { "2Mi" = 5128 }`)
	pool := plan.Pools[1]
	if pages := kubeletHugepages(pool.Pool, pool.Profile); len(pages) != 0 || pool.System.Setup == "" {
		t.Errorf("kubelet has %v, and the script %d bytes", pages, len(pool.System.Setup))
	}
}

func TestBottlerocketHasSettingsOrRefuses(t *testing.T) {
	t.Parallel()
	const bottlerocket = g6 + "\n  os = \"bottlerocket\""
	plan, said := planOf(t, bottlerocket, `
  transparent_hugepages = "madvise"
  sysctl = { "net.core.somaxconn" = 4096 }
  limits = { nofile = 500000 }`)
	want := gpunodes.System{TransparentHugepages: "madvise", Sysctl: map[string]string{"net.core.somaxconn": "4096"}, Limits: map[string]string{"nofile": "500000"}}
	got := plan.Pools[1].System
	if said != "" || got.Setup != "" || got.TransparentHugepages != want.TransparentHugepages || !maps.Equal(got.Sysctl, want.Sysctl) || !maps.Equal(got.Limits, want.Limits) {
		t.Errorf("got %+v and %s", got, said)
	}
	_, said = planOf(t, bottlerocket, `
  nccl   = { algo = "Ring" }
  limits = { maxlogins = 4 }`)
	for _, want := range []string{"no setting for nccl.algo", "set NCCL_ALGO in the jobs"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
}

// TestWhatNoNodeTakesIsPlaced: every part of a profile that a pool's nodes cannot have is an error at its own line.
func TestWhatNoNodeTakesIsPlaced(t *testing.T) {
	t.Parallel()
	const bottlerocket = g6 + "\n  os = \"bottlerocket\""
	for name, c := range map[string]struct{ pool, profile, line, want string }{
		"value of a parameter": {g6, `sysctl = { "vm.swappiness" = 300 }`, "sysctl", `sysctl.vm.swappiness: "300" is not legal; legal: a whole number from 0 to 200, in the profile mine.`},
		"no number":            {g6, `sysctl = { "vm.swappiness" = "abc" }`, "sysctl", `sysctl.vm.swappiness: "abc" is not legal`},
		"key":                  {g6, `settings = { "thp.defrg" = "never" }`, "settings", "did you mean thp.defrag"},
		"value":                {g6, `settings = { "thp.defrag" = "sometimes" }`, "settings", `thp.defrag: "sometimes" is not legal`},
		"NCCL":                 {g6, `nccl = { bogus = 1 }`, "nccl", "nccl.bogus"},
		"pages of 1Gi":         {g6, `hugepages = { "1Gi" = 4000 }`, "hugepages", "On the nodes of gpu, huge pages take 4096000 MiB of the 16384 MiB that g6.xlarge has: 2048 MiB must be left to the system."},
		"pages of 2Mi":         {g6, `hugepages = { "1Gi" = 1, "2Mi" = 16777216 }`, "hugepages", "MiB of the 16384 MiB"},
		"not on Bottlerocket":  {bottlerocket, `hugepages = { "1Gi" = 1 }`, "hugepages", "which has no setting for hugepages.1Gi"},
		"no pool's":            {g6, "}\nnode_profile \"spare\" {\nsettings = { \"thp.defrag\" = \"sometimes\" }", "settings", "in the profile spare."},
		"twice":                {g6, "sysctl = { \"vm.swappiness\" = 300 }\n}\nnode_profile \"above\" {\nextends = \"mine\"", "sysctl", "in the profile mine."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, said := planOf(t, c.pool, c.profile)
			if strings.Count(said, "Error:") != 1 || !strings.Contains(said, c.want) || !regexp.MustCompile(`line \d+, in node_profile "\w+": \d+: *`+c.line).MatchString(said) {
				t.Errorf("it says %s", said)
			}
		})
	}
}

package facts_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestHosts parses whole answers: every dump is a case.
func TestHosts(t *testing.T) {
	t.Parallel()
	dumps, err := filepath.Glob("testdata/hosts/*.json")
	if err != nil || len(dumps) == 0 {
		t.Fatal("no dumps:", err)
	}
	for _, dump := range dumps {
		t.Run(filepath.Base(dump), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(dump)
			if err != nil {
				t.Fatal(err)
			}
			h, err := facts.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(h, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(dump, ".json") + ".golden"
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
				t.Errorf("%s is out of date; the host is now:\n%s", golden, got)
			}
		})
	}
}

func read(t *testing.T, name string) *facts.Host {
	t.Helper()
	text, err := os.ReadFile("testdata/hosts/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	h, err := facts.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestWhatIsJudgedFromDumps(t *testing.T) {
	t.Parallel()
	h100, rocky, p5 := read(t, "ubuntu-22.04-h100"), read(t, "rocky-9-tuned"), read(t, "al2023-p5")
	last, _ := h100.Kernel.Arg("console")
	swappiness, _ := h100.SysctlFile("vm.swappiness")
	filter, _ := h100.SysctlFile("net.ipv4.conf.eth0/7.rp_filter")
	sysrq, _ := h100.SysctlFile("kernel.sysrq")
	for name, c := range map[string]struct{ got, want any }{
		"eight GPUs":                           {len(h100.GPUs()), 8},
		"four switches, which are no GPUs":     {len(h100.NVSwitches()), 4},
		"adapters":                             {len(h100.Mellanox()), 8},
		"EFA by its device id, ENA is none":    {len(p5.EFAs()), 1},
		"the last of two consoles":             {last.Value, "ttyS0,115200n8"},
		"a quoted argument stays whole":        {h100.Kernel.Args[6].Value, `"file drivers/usb/* +p"`},
		"loaded module":                        {h100.NVIDIA.Loaded, "580.95.05"},
		"module on disk":                       {h100.NVIDIA.OnDisk, "580.105.08"},
		"open module":                          {h100.NVIDIA.Open, true},
		"newest kernel, by number":             {h100.NextKernel(), "5.15.0-139-generic"},
		"dkms of version 2":                    {h100.DKMS[1].Kernel, "5.15.0-139-generic"},
		"half-configured is not installed":     {h100.Packages["nvidia-dkms-580"].Installed, false},
		"to be installed again is not either":  {h100.Packages["dkms"].Installed, false},
		"held":                                 {h100.Packages["nvidia-fabricmanager"].Held, true},
		"not held":                             {h100.Packages["nvidia-open"].Held, false},
		"architecture is no part of the name":  {h100.Packages["libnvidia-cfg1"].Installed, true},
		"Secure Boot":                          {h100.SecureBoot, facts.SecureBootOn},
		"firmware without the variable":        {rocky.SecureBoot, facts.SecureBootOff},
		"sysctl.conf has the last word":        {swappiness, facts.Setting{Value: "1", File: "/etc/sysctl.conf"}},
		"a pattern sets it":                    {filter.Value, "2"},
		"a file in /etc masks that in /run":    {sysrq.Value, "176"},
		"a key with a dot in an interface":     {h100.Sysctl["net.ipv4.conf.eth0/7.rp_filter"], "2"},
		"blanks are single":                    {h100.Sysctl["net.ipv4.tcp_rmem"], "4096 131072 6291456"},
		"pages":                                {h100.Memory.Nodes[1].Hugepages[2048], facts.Pages{Total: 512, Free: 500}},
		"tuned's own line":                     {rocky.Tuned.Settings["vm.transparent_hugepages"].Value, "always"},
		"a profile overrides what it includes": {rocky.Tuned.Settings["sysctl.vm.zone_reclaim_mode"].Value, "1"},
		"tuned's raise-only value":             {rocky.Tuned.Settings["sysctl.net.core.somaxconn"].Value, "2048"},
		"included profile":                     {rocky.Tuned.Settings["cpu.governor"].File, "/usr/lib/tuned/latency-performance/tuned.conf"},
		"boot loader with grubby":              {rocky.Bootloader, facts.Grubby},
		"boot loader with fragments":           {h100.Bootloader, facts.GrubFragments},
		"family of Rocky":                      {rocky.OS.Family, facts.RedHat},
		"family of Amazon Linux":               {p5.OS.Family, facts.Amazon},
		"read-only /usr":                       {strings.Join(rocky.ReadOnly, ","), "/usr"},
		"SELinux":                              {rocky.SELinux, "enforcing"},
		"locked by dnf":                        {rocky.Packages["kmod-nvidia-open-dkms"].Held, true},
		"instance store":                       {p5.Disks[1].InstanceStore, true},
		"a root disk is none":                  {p5.Disks[0].InstanceStore, false},
		"cloud-init at work":                   {p5.CloudInit, "running"},
		"the operator's driver":                {p5.GPUOperator, true},
		"a state":                              {h100.State["status"], "reboot"},
		"route":                                {h100.RouteDevice, "eno1"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile("testdata/hosts/rocky-9-tuned.json")
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole)-2; n += 97 {
		if _, err := facts.Parse(whole[:n]); !errors.Is(err, facts.ErrIncomplete) {
			t.Fatalf("%d bytes of the answer: %v", n, err)
		}
	}
	for text, want := range map[string]string{
		`{"format":2,"sections":{"end":"complete"}}`:                                     "format 2",
		`{"format":1,"sections":{"boot-id":"x"}}`:                                        "incomplete",
		`{"format":1,"sections":{"end":"complete","boot-id":"Welcome to host17"}}`:       `"Welcome to host17", which is none`,
		`{"format":1,"sections":{"end":"complete","boot-id":""}}`:                        "which is none",
		`{"format":1,"sections":{"end":"complete","boot-id":"0F3F6F6E-5a3a-4a55-9f43"}}`: "which is none",
	} {
		if _, err := facts.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestQueryCannotBeACommand(t *testing.T) {
	t.Parallel()
	text := facts.Functions(facts.Query{
		Sysctl: []string{"vm.swappiness", "x';reboot;'.y", "a.$(reboot)", "../../etc/shadow", "net.ipv4.conf.*.rp_filter"},
		Files:  []string{"/etc/nccl.conf", "/etc/a b", "/etc/x';reboot;'"},
	})
	for _, bad := range []string{"reboot", "shadow", "a b", "*.rp"} {
		if strings.Contains(text, bad) {
			t.Errorf("the script contains %q", bad)
		}
	}
	for _, good := range []string{"np_sysctl_paths='vm/swappiness'", "np_owned_files='/etc/nccl.conf'"} {
		if !strings.Contains(text, good) {
			t.Errorf("the script lacks %q", good)
		}
	}
}

func TestCompareReleases(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"5.15.0-9-generic", "5.15.0-139-generic"}, {"5.14.0-503.el9", "5.14.0-503.40.1.el9"}, {"6.1.0-35-amd64", "6.12.1-1-amd64"},
	} {
		if facts.CompareReleases(c[0], c[1]) >= 0 || facts.CompareReleases(c[1], c[0]) <= 0 || facts.CompareReleases(c[0], c[0]) != 0 {
			t.Errorf("%s should be older than %s", c[0], c[1])
		}
	}
}

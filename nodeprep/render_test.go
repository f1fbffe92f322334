package nodeprep_test

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// TestScripts are whole scripts as hosts get them. They are files of shell, which make shellcheck looks at.
func TestScripts(t *testing.T) {
	t.Parallel()
	plan, err := nodeprep.NewPlan(builtIn(t, profile.Training, map[string]string{"nvidia.driver": "580.105.08"}), dump(t, "ubuntu-22.04-h100"))
	must(t, err)
	golden(t, "scripts/plan-ubuntu-22.04-h100.sh", plan.Body().String())
	all := everything()
	all["habana.driver"], all["nvidia.driver"] = "1.22.0", ""
	told := everything()
	told["topology.hint"] = hint
	for _, p := range []profile.Profile{builtIn(t, profile.Training, told), builtIn(t, profile.GaudiTraining, all)} {
		body, err := nodeprep.Render(p)
		must(t, err)
		golden(t, "scripts/profile-"+p.Name+".sh", body.String())
	}
	golden(t, "scripts/reboot.sh", script.Reboot().String())
	golden(t, "scripts/revert.sh", script.Revert().String())
	golden(t, "scripts/facts.sh", facts.Script(nodeprep.Query(builtIn(t, profile.Training, everything()))))
}

// TestEveryItemIsRendered holds that no item is left out of a script, and that the order is that of the list.
func TestEveryItemIsRendered(t *testing.T) {
	t.Parallel()
	values := everything()
	values["habana.driver"], values["nvidia.driver"] = "1.22.0", ""
	gaudi, err := nodeprep.Render(builtIn(t, profile.GaudiTraining, values))
	must(t, err)
	h100, err := nodeprep.Render(builtIn(t, profile.Training, everything()))
	must(t, err)
	for _, key := range []string{"upgrades", "swap", "sysctl", "transparent_hugepages", "limits", "nvidia_driver", "habana_driver", "efa", "nccl", "raid0", "cluster_join"} {
		if !strings.Contains(gaudi.String()+h100.String(), "np_run "+key+" ") {
			t.Errorf("no script has %s", key)
		}
	}
	text := h100.String()
	order := []int{strings.Index(text, "np_run kernel_modules"), strings.Index(text, "np_run sysctl"), strings.Index(text, "np_run limits"), strings.Index(text, "np_run nvidia_driver"), strings.Index(text, "np_run cluster_join")}
	if !slices.IsSorted(order) || order[0] < 0 {
		t.Errorf("the order is %v", order)
	}
}

// TestProfileRunsWithoutFacts has hosts prepare themselves, as by user data, and judges them by a plan afterwards: the
// script that looks for itself and the plan that was told must agree.
func TestProfileRunsWithoutFacts(t *testing.T) {
	t.Parallel()
	p := builtIn(t, profile.Training, map[string]string{"hugepages.2Mi": "5128", "nccl.algo": "Ring", "kernel_line.iommu": "pt", "storage.read_ahead_kib": "4096"})
	for name, h := range map[string]*hosttest.Host{
		"ubuntu": newHost(t, hosttest.Ubuntu("24.04"), hosttest.H100()),
		"amazon": newHost(t, hosttest.AmazonLinux(), hosttest.P5()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := nodeprep.Render(p)
			must(t, err)
			data, err := body.UserData(script.UserDataOptions{})
			must(t, err)
			out, err := h.Run(t.Context(), data)
			must(t, err)
			if !strings.Contains(string(out), "np\tend\treboot\tkernel_line") || h.RebootRequested() {
				t.Errorf("it ended otherwise:\n%s", out)
			}
			must(t, h.Reboot())
			seen, err := nodeprep.Gather(t.Context(), h, p)
			must(t, err)
			plan, err := nodeprep.NewPlan(p, seen)
			must(t, err)
			if !plan.Right() {
				t.Errorf("the plan sees it otherwise:\n%s", text(t, plan))
			}
			if c := h.Complaints(); c != "" {
				t.Errorf("the scripts complain:\n%s", c)
			}
		})
	}
}

// TestUserDataReboots has a host reboot itself and go on by the unit that it made.
func TestUserDataReboots(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Debian(), hosttest.Server())
	body, err := nodeprep.Render(minimalWith(t, map[string]string{"kernel_line.iommu": "pt", "thp.enabled": "never"}))
	must(t, err)
	data, err := body.UserData(script.UserDataOptions{Reboot: true})
	must(t, err)
	_, err = h.Run(t.Context(), data)
	must(t, err)
	const unit = "etc/systemd/system/gpuyard-nodeprep.service"
	if !h.RebootRequested() || h.Read(unit) == "" {
		t.Fatal("it does not reboot, or would not go on")
	}
	must(t, h.Reboot())
	resumed := h.Read("var/lib/gpuyard/nodeprep/script")
	out, err := h.Run(t.Context(), resumed)
	must(t, err)
	if !strings.Contains(string(out), "np\tend\tdone") || h.RebootRequested() || h.Read(unit) != "" {
		t.Errorf("it does not end after the reboot:\n%s", out)
	}
}

func TestDaemonSetLeavesTheHostAlone(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
	body, err := nodeprep.Render(builtIn(t, profile.Training, map[string]string{"nvidia.driver": "580.95.05", "kernel_line.iommu": "pt"}))
	must(t, err)
	manifest, err := body.DaemonSet(script.DaemonSetOptions{Image: "example.com/tools:1"})
	must(t, err)
	_, carried, found := strings.Cut(manifest, "  nodeprep.sh: |\n")
	carried, _, ends := strings.Cut(carried, "---\n")
	if !found || !ends {
		t.Fatal("the manifest has no script")
	}
	out, err := h.Run(t.Context(), strings.ReplaceAll("\n"+carried, "\n    ", "\n")[1:])
	must(t, err)
	for _, item := range []string{"nvidia_driver", "kernel_line"} {
		if !strings.Contains(string(out), "np\t"+item+"\tnot-applicable\tnot from a DaemonSet") {
			t.Errorf("%s was not left out:\n%s", item, out)
		}
	}
	if !strings.Contains(string(out), "np\ttransparent_hugepages\tchanged") {
		t.Errorf("nothing was done:\n%s", out)
	}
}

// TestCutOffScriptsDoNothing gives a shell every so many bytes of a script.
func TestCutOffScriptsDoNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Debian(), hosttest.Server())
	body, err := nodeprep.Render(minimalWith(t, map[string]string{"thp.enabled": "never"}))
	must(t, err)
	whole := body.Script()
	last := len(whole) - len("\n")
	for n := 0; n < last; n += len(whole)/80 + 1 {
		run(t, h, whole[:n])
		if h.Read("sys/kernel/mm/transparent_hugepage/enabled") == "never" || h.Read("var/lib/gpuyard/nodeprep/state") != "" {
			t.Fatalf("%d of %d bytes did something", n, len(whole))
		}
	}
	for n := len(whole) - 40; n < last; n++ {
		run(t, h, whole[:n])
		if h.Read("var/lib/gpuyard/nodeprep/state") != "" {
			t.Fatalf("%d of %d bytes did something", n, len(whole))
		}
	}
	run(t, h, whole)
	if h.Read("sys/kernel/mm/transparent_hugepage/enabled") != "never" {
		t.Error("the whole script did nothing")
	}
}

// run runs a script that may be no script.
func run(t *testing.T, h *hosttest.Host, text string) string {
	t.Helper()
	cmd := h.Command(t.Context())
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}

func TestDamagedScriptsDoNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Debian(), hosttest.Server())
	body, err := nodeprep.Render(minimalWith(t, map[string]string{"thp.enabled": "never"}))
	must(t, err)
	for name, damaged := range map[string]string{
		"a character":   strings.Replace(body.Script(), "transparent_hugepage/enabled never", "transparent_hugepage/enabled alway", 1),
		"a line less":   strings.Replace(body.Script(), "\tnp_item", "\t", 1),
		"a line more":   strings.Replace(body.Script(), "np_items() {\n", "np_items() {\n\techo more\n", 1),
		"another value": strings.Replace(body.Script(), " 0644 any ", " 0666 any ", 1),
	} {
		if damaged == body.Script() {
			t.Fatalf("%s: nothing was damaged", name)
		}
		if out := run(t, h, damaged); !strings.Contains(out, "np\tend\tdamaged\t") {
			t.Errorf("%s: it said %q", name, out)
		}
	}
	if h.Read("sys/kernel/mm/transparent_hugepage/enabled") == "never" {
		t.Error("a damaged script did something")
	}
}

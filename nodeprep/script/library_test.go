package script

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLibraryIsWhole holds that reading the files by lines has found what a shell finds: nothing outside functions but
// settings, every function closed, and no name twice.
func TestLibraryIsWhole(t *testing.T) {
	t.Parallel()
	lib := library()
	setting := regexp.MustCompile(`^np_[a-z_]+=.*$`)
	for line := range strings.Lines(lib.settings) {
		if !setting.MatchString(strings.TrimSpace(line)) {
			t.Errorf("outside functions: %q", line)
		}
	}
	for n, name := range lib.names {
		if slices.Contains(lib.names[:n], name) {
			t.Errorf("%s is there twice", name)
		}
		if out, err := exec.Command("sh", "-n", "-c", lib.bodies[name]).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	if len(lib.names) < 60 {
		t.Errorf("only %d functions were found", len(lib.names))
	}
}

// TestNoFunctionIsUnused holds that every function is called by another, or is one that Go calls.
func TestNoFunctionIsUnused(t *testing.T) {
	t.Parallel()
	lib := library()
	entry := []string{
		"np_apply", "np_resume_unit", "np_reboot_now", "np_revert", "np_run", "np_file", "np_on", "np_where", "np_sysfs", "np_sysctls", "np_module", "np_hugepages_all",
		"np_kernel_line", "np_service_file", "np_governor", "np_read_ahead", "np_swap_off", "np_time_on", "np_unit_mask", "np_unit_off", "np_unit_on",
		"np_nouveau_off", "np_nvidia", "np_gdrcopy", "np_container_toolkit", "np_habana", "np_links_up", "np_efa", "np_roce", "np_raid0", "np_containerd", "np_join",
		"np_adapters", "np_rdma_core", "np_topology",
	}
	for _, name := range lib.names {
		used := slices.Contains(entry, name)
		for other, body := range lib.bodies {
			used = used || other != name && regexp.MustCompile(`\b`+name+`\b`).MatchString(body)
		}
		if !used {
			t.Errorf("nobody calls %s", name)
		}
	}
}

func TestNeededTakesWhatIsCalled(t *testing.T) {
	t.Parallel()
	text := library().needed("np_on ubuntu np_file x")
	for _, want := range []string{"np_on() {", "np_family() {", "np_file() {", "np_backup() {", "np_dir=/var"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	if strings.Contains(text, "np_nvidia") {
		t.Error("it has what nobody calls")
	}
}

// FuzzQuote holds that a shell reads a quoted text as it was.
func FuzzQuote(f *testing.F) {
	for _, seed := range []string{"", "plain", "it's", "a\nb", "$(reboot)", "`x`", "\\", "'\\''", "-n", "*", "é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, 0) {
			t.Skip("a shell's word has no such character")
		}
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(text)).Output()
		if err != nil || string(out) != text {
			t.Errorf("%q became %q (%v)", text, out, err)
		}
	})
}

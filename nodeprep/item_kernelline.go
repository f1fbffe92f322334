package nodeprep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// kernelLine edits the kernel command line by key, through whoever owns it: a fragment of Debian's GRUB, or grubby.
//
// Two values of one key are one too many: the last one wins, and a reader sees the first (nodewright-packages#122).
// Ubuntu's cloud images override /etc/default/grub by a fragment (ansible-collection-linux#29); Red Hat from 9.3 on
// needs grubby (rhboot/grub2#126). Source: Linux, Documentation/admin-guide/kernel-parameters.rst.
func kernelLine() item {
	return item{
		Key: "kernel_line", Title: "Kernel command line",
		Keys: []key{
			{Name: "kernel_line.", Legal: matching(`[A-Za-z0-9_.,:@/+=-]{1,200}`, "letters, digits and _ . , : @ / + = -; on for a flag")},
			{Name: "hugepages.1Gi", Legal: within(0, 4096)},
			{Name: "iommu.passthrough", Legal: oneOf("on", "off")},
			{Name: "cpu.max_cstate", Legal: within(0, 9)},
			{Name: "acs.redirect", Legal: oneOf("off")},
		},
		Host:   true,
		Assess: assessKernelLine,
		Steps: func(w want) []script.Step {
			args := kernelArgs(w)
			if len(args) == 0 {
				return nil
			}
			return []script.Step{script.Call("np_kernel_line", args...)}
		},
		Files: func(want) []string {
			return []string{"/etc/default/grub.d/zz-gpuyard.cfg", "/etc/default/grub", "/etc/kernel/cmdline"}
		},
	}
}

// kernelArgs are the arguments that a profile wants.
func kernelArgs(w want) []string {
	var args []string
	for _, p := range w.family("kernel_line.") {
		if p.Value == "on" && !strings.Contains(p.Key, ".enable") {
			args = append(args, p.Key)
		} else {
			args = append(args, p.Key+"="+p.Value)
		}
	}
	if n := w.get("hugepages.1Gi"); n != "" {
		args = append(args, "hugepagesz=1G", "hugepages="+n)
	}
	switch w.get("iommu.passthrough") {
	case "on":
		args = append(args, "iommu=pt", "iommu.passthrough=1")
	case "off":
		args = append(args, "iommu.passthrough=0")
	}
	if n := w.get("cpu.max_cstate"); n != "" {
		args = append(args, "intel_idle.max_cstate="+n, "processor.max_cstate="+n)
	}
	if w.get("acs.redirect") == "off" {
		args = append(args, "pci=disable_acs_redir=pci:0:0")
	}
	return args
}

func assessKernelLine(w want, h *facts.Host) []Setting {
	var out []Setting
	for _, text := range kernelArgs(w) {
		wanted := facts.ParseArgs(text)[0]
		s := Setting{Name: wanted.Key, Wanted: text}
		if h.Bootloader == facts.NoBootloader {
			out = append(out, notApplicable(wanted.Key, text, "no boot loader that this host could change: its kernel is started from outside"))
			continue
		}
		if wanted.Key == "pci" && !h.BareMetal() {
			out = append(out, notApplicable(wanted.Key, text, "access control of PCI bridges is the hypervisor's"))
			continue
		}
		if live, found := h.Kernel.Arg(wanted.Key); found {
			s.Live = live.String()
		}
		if values := valuesOf(h.Kernel.Args, wanted.Key); len(values) > 1 && !slices.Contains([]string{"hugepagesz", "hugepages", "console"}, wanted.Key) {
			s.Reason = fmt.Sprintf("the running kernel has it %d times: %s", len(values), strings.Join(values, " "))
			s.Live = strings.Join(values, " ")
		}
		if wanted.Key == "pci" && s.Live != "" && s.Live != text {
			out = append(out, blocked(s, "the command line has another pci= already, whose options would be lost: join the two by hand in kernel_line.pci"))
			continue
		}
		if slices.ContainsFunc(configured(h), func(arg string) bool { return arg == text }) {
			s.OnDisk = text
		}
		out = append(out, judgedAtBoot(s))
	}
	return out
}

func valuesOf(args []facts.Arg, key string) []string {
	var out []string
	for _, a := range args {
		if a.Key == key {
			out = append(out, a.String())
		}
	}
	return out
}

// configured are the arguments that the boot loader's templates have.
func configured(h *facts.Host) []string {
	var out []string
	for _, path := range []string{"/etc/default/grub.d/zz-gpuyard.cfg", "/etc/default/grub", "/etc/kernel/cmdline"} {
		if path == "/etc/default/grub" && h.Bootloader == facts.GrubFragments {
			continue // our fragment has the last word there
		}
		for line := range strings.Lines(h.Files[path].Content) {
			if name, value, isSet := strings.Cut(strings.TrimSpace(line), "="); isSet && name == "GRUB_CMDLINE_LINUX" {
				out = append(out, strings.Fields(strings.Trim(value, `"'`))...)
			} else if path == "/etc/kernel/cmdline" {
				out = append(out, strings.Fields(line)...)
			}
		}
	}
	return out
}

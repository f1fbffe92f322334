package hosttest

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Reboot boots the host: what was live only is gone, and what is on disk is applied.
func (h *Host) Reboot() error {
	for _, step := range []func() error{h.restoreLive, h.bootLine, h.loadModules, h.applySysctl, h.applyTmpfiles, h.startUnits, h.newBoot} {
		if err := step(); err != nil {
			return err
		}
	}
	return os.RemoveAll(h.Path("fake/reboot-requested"))
}

// newBoot makes another boot id.
func (h *Host) newBoot() error {
	h.boots++
	for _, live := range []string{"proc/sys", "sys/kernel", "sys/devices/system/node", "proc/swaps"} {
		if h.boots > 1 {
			break
		}
		saved := filepath.Join(h.Dir, "fake", "live", live)
		if _, err := os.Stat(h.Path(live)); err != nil {
			continue
		}
		if err := copyTree(h.Path(live), saved); err != nil {
			return err
		}
	}
	return h.Write("proc/sys/kernel/random/boot_id", fmt.Sprintf("00000000-0000-4000-8000-%012d\n", h.boots))
}

func copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o644)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := copyTree(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// restoreLive makes live values those of a boot.
func (h *Host) restoreLive() error { return copyTree(h.Path("fake/live"), h.Dir) }

// bootLine takes the kernel command line from the boot loader.
func (h *Host) bootLine() error {
	for line := range strings.Lines(h.Read("boot/grub/grub.cfg")) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "linux" {
			return h.Write("proc/cmdline", "BOOT_IMAGE="+strings.Join(words[1:], " ")+"\n")
		}
	}
	entries, _ := filepath.Glob(h.Path("boot/loader/entries/*.conf")) // the pattern is right
	for _, entry := range entries {
		content, err := os.ReadFile(entry)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(content)) {
			if options, found := strings.CutPrefix(line, "options "); found {
				return h.Write("proc/cmdline", "BOOT_IMAGE=/vmlinuz "+options)
			}
		}
	}
	return nil
}

// loadModules loads what modules-load.d names, with the host's own modprobe.
func (h *Host) loadModules() error {
	for _, line := range h.lines("etc/modules-load.d/*.conf") {
		cmd := h.Command(context.Background())
		cmd.Args = append(cmd.Args, "-c", "modprobe "+line)
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("loading %s at boot: %w", line, err)
		}
	}
	return nil
}

// lines are the lines of files, by base name, without comments.
func (h *Host) lines(patterns ...string) []string {
	var names []string
	for _, p := range patterns {
		found, _ := filepath.Glob(h.Path(p)) // the patterns are right
		names = append(names, found...)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	var out []string
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			continue // a link that leads nowhere
		}
		for line := range strings.Lines(string(content)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				out = append(out, line)
			}
		}
	}
	return out
}

func (h *Host) applySysctl() error {
	for _, line := range h.lines("etc/sysctl.d/*.conf", "usr/lib/sysctl.d/*.conf") {
		key, value, _ := strings.Cut(line, "=")
		file := "proc/sys/" + strings.ReplaceAll(strings.TrimSpace(key), ".", "/")
		if _, err := os.Stat(h.Path(file)); err == nil {
			if err := h.Write(file, strings.TrimSpace(value)+"\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *Host) applyTmpfiles() error {
	for _, line := range h.lines("etc/tmpfiles.d/*.conf") {
		words := strings.Fields(line)
		if len(words) == 7 && words[0] == "w" {
			if err := h.Write(words[1], words[6]+"\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

// startUnits starts what is enabled; swap stays away where its target is masked.
func (h *Host) startUnits() error {
	if target, err := os.Readlink(h.Path("etc/systemd/system/swap.target")); err == nil && target == "/dev/null" {
		if err := h.Write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n"); err != nil {
			return err
		}
	}
	units, _ := filepath.Glob(h.Path("fake/units/*")) // the pattern is right
	for _, unit := range units {
		content, err := os.ReadFile(unit)
		if err != nil {
			return err
		}
		if strings.Contains(string(content), "file=enabled") {
			cmd := h.Command(context.Background())
			cmd.Args = append(cmd.Args, "-c", "systemctl start "+filepath.Base(unit))
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("starting %s at boot: %w", filepath.Base(unit), err)
			}
		}
	}
	return nil
}

package nodeprep

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
)

// cannotInstall says what keeps a driver off a host.
func cannotInstall(h *facts.Host, module string, d facts.Driver) string {
	switch {
	case h.GPUOperator && module == "nvidia":
		return "the GPU operator owns the driver on this host: take nvidia.driver out of the profile, or set driver.enabled=false there"
	case h.SecureBoot == facts.SecureBootOn && d.OnDisk == "":
		return "Secure Boot is on, and nobody whose key this host trusts has signed the module: enrol a key, or turn Secure Boot off"
	case h.OS.Family == facts.Unknown:
		return unknownOS(h)
	case len(h.Broken) > 0 && strings.Contains(strings.Join(h.Broken, " "), "must be reinstalled"):
		return "dpkg has packages that must be installed again: " + h.Broken[0]
	case freeMiB(h, "/var") < 4096:
		return fmt.Sprintf("%d MiB are free in /var, and a driver needs 4096", freeMiB(h, "/var"))
	}
	return ""
}

func freeMiB(h *facts.Host, mount string) int64 {
	free := int64(1 << 30) // not known
	for _, s := range h.Space {
		if s.Mount == "/" && free == 1<<30 || s.Mount == mount {
			free = s.FreeKiB / 1024
		}
	}
	return free
}

// loadedAtBoot judges a module: the version that is loaded stays loaded until the next boot.
func loadedAtBoot(s Setting) Setting {
	if s.Live == "" {
		return judged(s)
	}
	return judgedAtBoot(s)
}

// coupled judges packages that must have one upstream version: any of them that is installed counts.
func coupled(h *facts.Host, name, wanted string, prefixes ...string) Setting {
	s := Setting{Name: name, Wanted: wanted}
	for _, prefix := range prefixes {
		for pkg, p := range h.Packages {
			if p.Installed && strings.HasPrefix(pkg, prefix) && s.Live != wanted {
				s.Live = upstream(p.Version)
				if !p.Held {
					s.Reason = pkg + " is not held: an upgrade could move it alone"
				}
			}
		}
	}
	s.OnDisk = s.Live
	s = judged(s)
	if s.Reason != "" && s.Verdict == OK {
		s.Verdict = Change
	}
	return s
}

// upstream takes the epoch and the distribution's part of a version away.
func upstream(full string) string {
	if _, rest, found := strings.Cut(full, ":"); found {
		full = rest
	}
	if i := strings.IndexAny(full, "-+~"); i >= 0 {
		full = full[:i]
	}
	return full
}

// builtFor judges what DKMS has built: the kernel that boots next must have the module, or the GPUs are gone after a
// reboot (compute-gpu-installation#25).
func builtFor(h *facts.Host, module, wanted string) []Setting {
	var mine []facts.DKMSModule
	for _, m := range h.DKMS {
		if m.Module == module || strings.HasPrefix(m.Module, module+"-") {
			mine = append(mine, m)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	next := h.NextKernel()
	s := Setting{Name: "built for " + next, Live: unset, Wanted: wanted}
	for _, m := range mine {
		if m.Kernel == next && m.Status == "installed" {
			s.Live = m.Version
		}
	}
	s.OnDisk = s.Live
	return []Setting{judged(s)}
}

// unknownOS says that nobody has prepared such a system before.
func unknownOS(h *facts.Host) string {
	return fmt.Sprintf("%s is none of Ubuntu, Debian, Amazon Linux 2023, Red Hat Enterprise Linux and its kin", orUnset(h.OS.Name))
}

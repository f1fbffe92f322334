package nodeprep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const (
	loginLimitsFile = "/etc/security/limits.d/99-zz-gpuyard.conf"
	systemLimits    = "/etc/systemd/system.conf.d/99-gpuyard.conf"
	userLimits      = "/etc/systemd/user.conf.d/99-gpuyard.conf"
)

// limitNames are limits.conf's names, with systemd's where it knows them as well.
//
// Source: limits.conf(5), systemd.exec(5).
var limitNames = []struct{ Login, Systemd string }{
	{"as", "AS"}, {"core", "CORE"}, {"cpu", "CPU"}, {"data", "DATA"}, {"fsize", "FSIZE"}, {"locks", "LOCKS"}, {"memlock", "MEMLOCK"},
	{"msgqueue", "MSGQUEUE"}, {"nice", "NICE"}, {"nofile", "NOFILE"}, {"nproc", "NPROC"}, {"rss", "RSS"}, {"rtprio", "RTPRIO"},
	{"sigpending", "SIGPENDING"}, {"stack", "STACK"},
	{"maxlogins", ""}, {"maxsyslogins", ""}, {"nonewprivs", ""}, {"priority", ""}, // of logins alone
}

// limitedServices start what uses the limits: containers inherit containerd's, not those of logins.
var limitedServices = []string{"containerd", "kubelet"}

// limits sets resource limits in all three layers: logins, systemd's defaults, and the services that start containers.
//
// A nofile above fs.nr_open refuses every login and sudo (linux-pam#353), so that is refused before anything is
// written. Services take a new limit when they start. Source: limits.conf(5), systemd-system.conf(5).
func limits() item {
	return item{
		Key: "limits", Title: "Resource limits",
		Keys:   limitKeys(),
		Needs:  []string{"sysctl"},
		Assess: assessLimits,
		Steps: func(w want) []script.Step {
			steps := []script.Step{
				script.File(loginLimitsFile, "0644", "any", loginContent(w)),
				script.Call("np_service_file", systemLimits, managerContent(w), "reexec"),
				script.Call("np_service_file", userLimits, managerContent(w)),
			}
			for _, service := range limitedServices {
				steps = append(steps, script.Call("np_service_file", dropIn(service), serviceContent(w), "reload", service+".service"))
			}
			return steps
		},
	}
}

func limitKeys() []key {
	number := either(within(0, 1<<53), oneOf("unlimited"))
	var keys []key
	for _, n := range limitNames {
		legal := number
		if n.Login == "nofile" {
			legal = within(1024, 1<<30) // unlimited would be above fs.nr_open
		}
		switch n.Login {
		case "nice", "priority":
			legal = within(-20, 19)
		case "nonewprivs":
			legal = within(0, 1)
		}
		keys = append(keys, key{Name: "limits." + n.Login, Legal: legal})
	}
	return keys
}

func dropIn(service string) string {
	return "/etc/systemd/system/" + service + ".service.d/99-gpuyard-limits.conf"
}

// loginContent has lines for everybody and for root, whom "*" does not mean.
func loginContent(w want) string {
	var b strings.Builder
	b.WriteString("# Limits of logins, kept by gpuyard. They do not reach services.\n")
	for _, p := range w.family("limits.") {
		fmt.Fprintf(&b, "* - %s %s\nroot - %s %s\n", p.Key, p.Value, p.Key, p.Value)
	}
	return b.String()
}

func systemdLimits(w want, prefix string) string {
	var b strings.Builder
	for _, n := range limitNames {
		if value := w.get("limits." + n.Login); value != "" && n.Systemd != "" {
			fmt.Fprintf(&b, "%sLimit%s=%s\n", prefix, n.Systemd, systemdValue(n.Login, value))
		}
	}
	return b.String()
}

// systemdValue is a limit as systemd writes it: memlock, stack and the like are KiB in limits.conf and bytes here, and
// cpu is minutes there and seconds here.
func systemdValue(name, value string) string {
	if value == "unlimited" {
		return "infinity"
	}
	inKiB := []string{"as", "core", "data", "fsize", "memlock", "rss", "stack"}
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err != nil:
		return value
	case slices.Contains(inKiB, name):
		return strconv.FormatInt(n*1024, 10)
	case name == "cpu":
		return strconv.FormatInt(n*60, 10)
	default:
		return value
	}
}

func managerContent(w want) string {
	return "# Limits of services that name none, kept by gpuyard.\n[Manager]\n" + systemdLimits(w, "Default")
}

func serviceContent(w want) string {
	return "# Limits of this service and of the containers that it starts, kept by gpuyard.\n[Service]\n" + systemdLimits(w, "")
}

func assessLimits(w want, h *facts.Host) []Setting {
	var out []Setting
	for _, p := range w.family("limits.") {
		s := Setting{Name: "login " + p.Key, Live: unset, Wanted: p.Value}
		s.OnDisk, _ = loginLimit(h, p.Key)
		// What a login gets is what the files say: PAM reads them anew each time.
		s.Live = s.OnDisk
		s = judged(s)
		if _, by := loginLimit(h, p.Key); s.Verdict != OK && by != "" && by != loginLimitsFile && by > loginLimitsFile {
			s = blocked(s, fmt.Sprintf("%s sets it to %s and is read after %s", by, s.OnDisk, loginLimitsFile))
		}
		if above := nrOpen(w, h); p.Key == "nofile" && atoi(p.Value) > above {
			s = blocked(s, fmt.Sprintf("fs.nr_open is %d: nobody could log in. Raise sysctl.fs.nr_open", above))
		}
		out = append(out, s)
	}
	if !h.Systemd() {
		return append(out, notApplicable("systemd defaults", "", "systemd does not run this host"))
	}
	out = append(out, ownedFile(h, systemLimits, managerContent(w)), ownedFile(h, userLimits, managerContent(w)))
	for _, service := range limitedServices {
		s := ownedFile(h, dropIn(service), serviceContent(w))
		if embedded := embeddedContainerd(h); embedded != "" {
			s = notApplicable(dropIn(service), "present", embedded+" brings a containerd of its own: give its unit the limits")
		}
		out = append(out, s)
		out = append(out, runningLimits(w, h, service)...)
	}
	return out
}

// runningLimits compares what a running service has.
func runningLimits(w want, h *facts.Host, service string) []Setting {
	have := h.Limits.Services[service+".service"]
	if have["ActiveState"] != "active" {
		return nil
	}
	var out []Setting
	for _, n := range limitNames {
		wanted := w.get("limits." + n.Login)
		live := have["Limit"+n.Systemd]
		if wanted == "" || live == "" || n.Systemd == "" {
			continue
		}
		wanted = systemdValue(n.Login, wanted)
		s := Setting{Name: service + " " + n.Login, Live: live, Wanted: wanted}
		s.OnDisk = onDisk(h, dropIn(service), serviceContent(w), wanted)
		out = append(out, judged(s))
	}
	return out
}

// embeddedContainerd names a distribution of Kubernetes that does not use the host's containerd.
func embeddedContainerd(h *facts.Host) string {
	for _, unit := range []string{"k3s.service", "k3s-agent.service", "rke2-server.service", "rke2-agent.service"} {
		if h.Units[unit].Exists() {
			return unit
		}
	}
	return ""
}

// loginLimit is what the files give everybody, and the file that has the last word.
func loginLimit(h *facts.Host, name string) (value, by string) {
	for _, f := range h.Limits.Files {
		for _, line := range f.Lines {
			if words := strings.Fields(line); len(words) >= 4 && words[0] == "*" && words[1] != "soft" && words[2] == name {
				value, by = words[3], f.Path
			}
		}
	}
	return value, by
}

// nrOpen is the most open files that the kernel will allow, once the profile is applied.
func nrOpen(w want, h *facts.Host) int64 {
	most := max(atoi(w.get("sysctl.fs.nr_open")), atoi(h.Sysctl["fs.nr_open"]))
	if most == 0 {
		return 1 << 20 // the kernel's own
	}
	return most
}

func atoi(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// format is the version of the document.
const format = 1

// ErrIncomplete is an answer that was cut off.
var ErrIncomplete = errors.New("the host's answer is incomplete")

// sections are the host's words by section.
type sections map[string]string

// Parse reads the document that [Script] printed.
func Parse(document []byte) (*Host, error) {
	var doc struct {
		Format   int      `json:"format"`
		Sections sections `json:"sections"`
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	if doc.Format != format {
		return nil, fmt.Errorf("the host's answer has format %d, and this program reads %d", doc.Format, format)
	}
	if strings.TrimSpace(doc.Sections["end"]) != "complete" {
		return nil, ErrIncomplete
	}
	return host(doc.Sections)
}

// host puts the parsers' results together.
func host(s sections) (*Host, error) {
	h := &Host{
		OS:             parseOS(s["os-release"]),
		Kernel:         parseKernel(s),
		MachineID:      first(s["machine-id"]),
		Virtualization: first(s["virtualization"]),
		Init:           first(s["init"]),
		SecureBoot:     parseSecureBoot(s["secure-boot"]),
		Commands:       strings.Fields(s["commands"]),
		Memory:         parseMemory(s),
		CPU:            parseCPU(s["governors"], s["governors-available"]),
		Sysctl:         parseSysctl(s["sysctl"]),
		Tmpfiles:       parseConfig(s["tmpfiles"]),
		Limits:         parseLimits(s),
		PCI:            parsePCI(s["pci"]),
		Net:            parseNet(s["net"]),
		RDMA:           parseRDMA(s["rdma"]),
		Rings:          parseRings(s["rings"]),
		IRQs:           parseIRQs(s["irqs"]),
		RouteDevice:    routeDevice(s["default-route"]),
		Units:          parseUnits(s["units"]),
		Modules:        moduleNames(s["modules"]),
		ModulesLoad:    parseConfig(s["modules-load"]),
		Modprobe:       parseConfig(s["modprobe"]),
		NVIDIA:         parseNVIDIA(s["nvidia-version"], s["nvidia-module"]),
		Habana:         parseDriver(s["habana-module"]),
		DKMS:           parseDKMS(s["dkms"]),
		Packages:       parsePackages(s["packages"], s["holds"]),
		Broken:         lines(s["broken"]),
		Tuned:          parseTuned(s["tuned"]),
		SELinux:        parseSELinux(s["selinux"]),
		Swaps:          parseSwaps(s["swaps"]),
		Space:          parseSpace(s["space"]),
		Mounts:         parseMounts(s["mounts"]),
		ReadOnly:       readOnly(s["mounts"]),
		GPUOperator:    strings.TrimSpace(s["gpu-operator"]) != "",
		IOMMU:          parseCounts(s["iommu"]),
		CloudInit:      parseCloudInit(s["cloud-init"]),
		Files:          parseFiles(s),
		State:          keyValues(s["state"]),
	}
	var err error
	if h.BootID, err = parseBootID(s["boot-id"]); err != nil {
		return nil, err
	}
	h.SysctlFiles, h.SysctlConf = sysctlOrder(parseConfig(s["sysctl-files"]), s["sysctl-links"])
	h.Bootloader = parseBootloader(s["bootloader"], h.Commands)
	h.Disks = parseDisks(s["disks"], s["disk-ids"], h.Mounts)
	for _, name := range []string{"apt-get", "dnf"} {
		if h.Has(name) && h.PackageManager == "" {
			h.PackageManager = name
		}
	}
	if clocks := lines(s["clocksource"]); len(clocks) > 1 {
		h.Clocksource, h.Clocks = clocks[0], strings.Fields(clocks[1])
	}
	return h, nil
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// parseBootID takes nothing but an identifier: a login banner taken for one has made machines reboot for ever.
func parseBootID(text string) (string, error) {
	id := first(text)
	if !uuid.MatchString(id) {
		return "", fmt.Errorf("the host's boot id is %q, which is none", id)
	}
	return id, nil
}

// first is the first line.
func first(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// lines are the lines that are not empty.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// fields are the lines that have at least n fields.
func fields(text string, n int) [][]string {
	var out [][]string
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) >= n {
			out = append(out, f)
		}
	}
	return out
}

// keyValues reads lines of KEY=VALUE, VALUE perhaps in quotes.
func keyValues(text string) map[string]string {
	out := map[string]string{}
	for _, line := range lines(text) {
		if key, value, found := strings.Cut(line, "="); found && !strings.HasPrefix(key, "#") {
			out[key] = strings.Trim(value, `"'`)
		}
	}
	return out
}

// number is a decimal number, or the fallback.
func number(text string, fallback int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		return n
	}
	return fallback
}

// parseConfig reads lines of PATH, tab and text; "." stands for the start of a file.
func parseConfig(text string) []ConfigFile {
	var files []ConfigFile
	for line := range strings.Lines(text) {
		path, rest, found := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !found {
			continue
		}
		i := slices.IndexFunc(files, func(f ConfigFile) bool { return f.Path == path })
		if i < 0 {
			files = append(files, ConfigFile{Path: path})
			i = len(files) - 1
		}
		if rest = strings.TrimSpace(rest); rest != "." && rest != "" {
			files[i].Lines = append(files[i].Lines, rest)
		}
	}
	return files
}

func parseCounts(text string) map[string]int {
	out := map[string]int{}
	for _, f := range fields(text, 2) {
		out[f[1]] = number(f[0], 0)
	}
	return out
}

// parseFiles reads the files that were asked for: their mode and owner, their hashes, and the lines of those that are no
// secrets, each list in the words of stat, sha256sum and grep, with paths that begin below the root.
func parseFiles(s sections) map[string]File {
	out := map[string]File{}
	for _, f := range fields(s["files-access"], 3) {
		out["/"+f[2]] = File{Mode: f[0], Owner: f[1]}
	}
	for _, f := range fields(s["files-hashes"], 2) {
		if file, known := out["/"+f[1]]; known {
			file.SHA256 = f[0]
			out["/"+f[1]] = file
		}
	}
	for line := range strings.Lines(s["files-lines"]) {
		path, text, _ := strings.Cut(line, ":")
		if file, known := out["/"+path]; known {
			file.Content += text
			out["/"+path] = file
		}
	}
	return out
}

package facts

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// PCI vendors. Source: PCI ID Repository.
const (
	VendorNVIDIA   = 0x10de
	VendorHabana   = 0x1da3
	VendorAmazon   = 0x1d0f
	VendorMellanox = 0x15b3
)

func parsePCI(text string) []PCIDevice {
	var out []PCIDevice
	for _, f := range fields(text, 6) {
		out = append(out, PCIDevice{
			Slot: f[0], Vendor: uint16(hexNumber(f[1])), Device: uint16(hexNumber(f[2])), Class: uint32(hexNumber(f[3])),
			NUMANode: number(f[4], -1), Driver: strings.Trim(f[5], "-"),
		})
	}
	return out
}

func parseRings(text string) []Ring {
	var out []Ring
	for _, f := range fields(text, 5) {
		r := Ring{Name: f[0], MostRX: number(f[1], 0), MostTX: number(f[2], 0), RX: number(f[3], 0), TX: number(f[4], 0)}
		if r.MostRX > 0 && r.MostTX > 0 {
			out = append(out, r)
		}
	}
	return out
}

func parseIRQs(text string) []IRQs {
	var out []IRQs
	for _, f := range fields(text, 3) {
		if all := number(f[1], 0); all > 0 {
			out = append(out, IRQs{Slot: f[0], All: all, Near: number(f[2], 0)})
		}
	}
	return out
}

func hexNumber(text string) uint64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 32)
	if err != nil {
		return 0
	}
	return n
}

// GPUs are the NVIDIA GPUs: display or 3D controllers.
func (h *Host) GPUs() []PCIDevice {
	return h.devices(func(d PCIDevice) bool { return d.Vendor == VendorNVIDIA && d.Class>>16 == 0x03 })
}

// NVSwitches are bridges between NVIDIA GPUs, which a fabric manager runs.
//
// Source: NVIDIA, Fabric Manager User Guide: class "Bridge: NVIDIA Corporation", 0x0680.
func (h *Host) NVSwitches() []PCIDevice {
	return h.devices(func(d PCIDevice) bool { return d.Vendor == VendorNVIDIA && d.Class>>8 == 0x0680 })
}

// Gaudis are the Habana accelerators.
func (h *Host) Gaudis() []PCIDevice {
	return h.devices(func(d PCIDevice) bool { return d.Vendor == VendorHabana })
}

// EFAs are the Elastic Fabric Adapters: devices efa0 to efa3 of Amazon.
//
// Source: Linux, drivers/infiniband/hw/efa/efa_main.c.
func (h *Host) EFAs() []PCIDevice {
	return h.devices(func(d PCIDevice) bool { return d.Vendor == VendorAmazon && d.Device&0xfff0 == 0xefa0 })
}

// Mellanox are the network controllers of Mellanox.
func (h *Host) Mellanox() []PCIDevice {
	return h.devices(func(d PCIDevice) bool { return d.Vendor == VendorMellanox && d.Class>>16 == 0x02 })
}

func (h *Host) devices(is func(PCIDevice) bool) []PCIDevice {
	var out []PCIDevice
	for _, d := range h.PCI {
		if is(d) {
			out = append(out, d)
		}
	}
	return out
}

func parseNet(text string) []NetDevice {
	var out []NetDevice
	for _, f := range fields(text, 5) {
		out = append(out, NetDevice{Name: f[0], Parent: f[1], Driver: strings.Trim(f[2], "-"), MTU: number(f[3], 0), Up: f[4] == "up"})
	}
	return out
}

func parseRDMA(text string) []RDMADevice {
	var out []RDMADevice
	for _, f := range fields(text, 5) {
		d := RDMADevice{Name: f[0], Slot: strings.Trim(f[1], "-"), Driver: strings.Trim(f[2], "-"), LinkLayer: strings.Trim(f[3], "-")}
		if f[4] != "-" {
			d.Interfaces = strings.Split(f[4], ",")
		}
		out = append(out, d)
	}
	return out
}

var nvrm = regexp.MustCompile(`Kernel Module(?: for \S+)?\s+([0-9][0-9.]+)`)

// parseNVIDIA reads /proc/driver/nvidia/version, and the version of the module that would load.
func parseNVIDIA(version, module string) Driver {
	d := parseDriver(module)
	if m := nvrm.FindStringSubmatch(version); m != nil {
		d.Loaded = m[1]
	}
	d.Open = strings.Contains(version, "Open Kernel Module")
	return d
}

// parseDriver reads two lines: the version that is loaded, and what modinfo says.
func parseDriver(module string) Driver {
	loaded, onDisk, _ := strings.Cut(module, "\n")
	return Driver{Loaded: strings.TrimSpace(loaded), OnDisk: first(onDisk)}
}

var dkms = regexp.MustCompile(`^([^/,]+)[/,] ?([^,]+), ([^,]+), ([^:]+): ([a-z]+)`)

// parseDKMS reads dkms status of both notations: "nvidia/580.95.05, 6.8.0-60-generic, x86_64: installed" and, before
// DKMS 3, "nvidia, 535.54, 5.15.0, x86_64: installed".
func parseDKMS(text string) []DKMSModule {
	var out []DKMSModule
	for _, line := range lines(text) {
		if m := dkms.FindStringSubmatch(line); m != nil {
			out = append(out, DKMSModule{Module: m[1], Version: m[2], Kernel: m[3], Status: m[5]})
		}
	}
	return out
}

// parsePackages reads status, name and version, and the names that dnf holds.
//
// Source: dpkg-query(1): the first letter is what is wanted (i, h: hold), the second what is (i: installed).
func parsePackages(text, holds string) map[string]Package {
	out := map[string]Package{}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 3 || len(f[0]) < 2 {
			continue
		}
		// A third letter, R, marks a package that must be installed again: it is not whole.
		whole := f[0][1] == 'i' && strings.TrimSpace(f[0][2:]) == ""
		name, _, _ := strings.Cut(f[1], ":")
		out[name] = Package{Version: f[2], Installed: whole, Held: f[0][0] == 'h'}
	}
	for _, file := range parseConfig(holds) {
		for _, entry := range file.Lines {
			for name, p := range out {
				if strings.HasPrefix(entry, name+"-") {
					p.Held = true
					out[name] = p
				}
			}
		}
	}
	return out
}

// parseDisks joins what is known about each disk.
//
// Source of the identifier: EC2 User Guide, "Identify instance store volumes" (NVMe, on Linux).
func parseDisks(text, ids string, mounts []Mount) []Disk {
	var out []Disk
	for _, f := range fields(text, 6) {
		d := Disk{
			Name: f[0], Bytes: int64(number(f[1], 0)) * 512, ReadAheadKiB: number(f[2], 0),
			Partitions: number(f[3], 0), Holders: number(f[4], 0), Signature: f[5], Model: strings.Join(f[6:], " "),
		}
		for _, id := range fields(ids, 2) {
			if id[0] == d.Name {
				d.IDs = append(d.IDs, id[1])
			}
		}
		d.InstanceStore = slices.ContainsFunc(d.IDs, func(id string) bool {
			return strings.Contains(id, "Amazon_EC2_NVMe_Instance_Storage_")
		})
		for _, m := range mounts {
			if strings.HasPrefix(m.Source, "/dev/"+d.Name) {
				d.MountedBelow = append(d.MountedBelow, m.Target)
			}
		}
		out = append(out, d)
	}
	return out
}

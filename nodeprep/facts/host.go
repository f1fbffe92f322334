package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Host is what a host is at one moment.
type Host struct {
	OS             OS
	Kernel         Kernel
	BootID         string // a new one at every boot
	MachineID      string
	Virtualization string // as systemd-detect-virt says: none, kvm, amazon, docker, …; empty: not known
	Init           string // name of process 1
	SecureBoot     SecureBoot
	Bootloader     Bootloader
	PackageManager string // apt-get, dnf or empty
	Commands       []string
	Memory         Memory
	CPU            CPU
	// Sysctl are live values by key, with blanks made single. A key that the kernel lacks is not in it.
	Sysctl      map[string]string
	SysctlFiles []ConfigFile // in the order in which systemd applies them, masked ones left out; the last one wins
	// SysctlConf is /etc/sysctl.conf, which sysctl --system applies after all others and systemd does not read.
	SysctlConf ConfigFile
	Tmpfiles   []ConfigFile
	Limits     Limits
	PCI        []PCIDevice
	Net        []NetDevice
	RDMA       []RDMADevice
	Rings      []Ring
	IRQs       []IRQs // of network adapters whose memory node is known
	Disks      []Disk
	// RouteDevice is the interface of the default route.
	RouteDevice string
	Units       map[string]Unit // by full name, such as chrony.service
	Modules     []string        // loaded or built in
	ModulesLoad []ConfigFile
	Modprobe    []ConfigFile
	NVIDIA      Driver
	Habana      Driver
	DKMS        []DKMSModule
	Packages    map[string]Package
	Broken      []string // what dpkg --audit says
	Tuned       Tuned
	SELinux     string // enforcing, permissive or disabled
	Swaps       []string
	Space       []Space
	ReadOnly    []string // mount points of the system that are read-only
	Mounts      []Mount
	// GPUOperator says that a driver container of the NVIDIA GPU Operator runs on the host.
	GPUOperator bool
	Clocksource string
	Clocks      []string // available clock sources
	IOMMU       map[string]int
	CloudInit   string          // done, running or empty: none
	Files       map[string]File // files that nodeprep owns, by path
	State       map[string]string
}

// Family is a group of distributions that are prepared the same way.
type Family string

// Families.
const (
	Ubuntu  Family = "ubuntu"
	Debian  Family = "debian"
	Amazon  Family = "al2023"
	RedHat  Family = "rhel" // Red Hat Enterprise Linux, Rocky Linux, AlmaLinux 9
	Unknown Family = ""
)

// OS is a distribution.
type OS struct {
	ID, Version, Name string
	Family            Family
}

// Kernel is the kernel that runs, and those that are installed.
type Kernel struct {
	Release, Arch string
	// Args is the command line in order.
	Args []Arg
	// Installed are kernels with modules, and whether headers to build against them are there.
	Installed map[string]bool
	// Images are boot files by path, with their size.
	Images map[string]int64
}

// Arg is one argument of the kernel command line. A flag has no value.
type Arg struct {
	Key, Value string
	Flag       bool
}

// String is the argument as it stands on the command line.
func (a Arg) String() string {
	if a.Flag {
		return a.Key
	}
	return a.Key + "=" + a.Value
}

// Arg returns the last argument of a key, which wins.
func (k Kernel) Arg(key string) (Arg, bool) {
	for _, a := range slices.Backward(k.Args) {
		if a.Key == key {
			return a, true
		}
	}
	return Arg{}, false
}

// SecureBoot is a state of Secure Boot.
type SecureBoot string

// States of Secure Boot. A host without EFI variables has none.
const (
	SecureBootOn   SecureBoot = "on"
	SecureBootOff  SecureBoot = "off"
	SecureBootNone SecureBoot = "none"
)

// Bootloader says who owns the kernel command line.
type Bootloader string

// Bootloaders.
const (
	// GrubFragments is Debian's GRUB: files in /etc/default/grub.d and update-grub.
	GrubFragments Bootloader = "grub.d"
	// Grubby is Red Hat's GRUB with one entry a kernel, edited by grubby.
	Grubby Bootloader = "grubby"
	// NoBootloader is a host whose kernel is started from outside: a container or a micro virtual machine.
	NoBootloader Bootloader = "none"
)

// Memory is memory, huge pages and NUMA nodes.
type Memory struct {
	TotalKiB int64
	THP      THP
	Nodes    []NUMANode
}

// THP is the state of transparent huge pages; empty where the kernel has none.
type THP struct{ Enabled, Defrag, Shmem string }

// NUMANode is one node of memory and processors.
type NUMANode struct {
	ID   int
	CPUs string
	// Hugepages by size in kB: 2048, 1048576.
	Hugepages map[int]Pages
}

// Pages are reserved huge pages.
type Pages struct{ Total, Free int }

// CPU is the frequency governors of the processors that are online. No governors: the host has no cpufreq.
type CPU struct {
	Governors map[string]int
	Available []string
}

// ConfigFile is a file of settings without its comments.
type ConfigFile struct {
	Path  string
	Lines []string
}

// Limits are the three layers of resource limits.
type Limits struct {
	Files    []ConfigFile                 // limits.conf and limits.d in the order in which PAM reads them
	Session  map[string]string            // of the session that asked
	Manager  map[string]string            // DefaultLimitNOFILE … of systemd
	Services map[string]map[string]string // by unit: LoadState, ActiveState, LimitNOFILE …
}

// PCIDevice is a device that is no bridge.
type PCIDevice struct {
	Slot           string
	Vendor, Device uint16
	Class          uint32
	NUMANode       int // -1: not known, as in most virtual machines
	Driver         string
}

// NetDevice is a network interface with hardware behind it.
type NetDevice struct {
	Name, Parent, Driver string
	MTU                  int
	Up                   bool
}

// Ring is how long the rings of a network interface are, and how long they can be.
type Ring struct {
	Name                   string
	MostRX, MostTX, RX, TX int
}

// IRQs are the interrupts of a network adapter, and how many of them processors of its own memory node handle.
type IRQs struct {
	Slot      string
	All, Near int
}

// RDMADevice is a device of verbs.
type RDMADevice struct {
	Name, Slot, Driver, LinkLayer string
	Interfaces                    []string
}

// Disk is a whole disk.
type Disk struct {
	Name          string
	Bytes         int64
	ReadAheadKiB  int
	Partitions    int
	Holders       int
	Signature     string // none, unreadable, - (not looked at) or what blkid found
	Model         string
	IDs           []string // names in /dev/disk/by-id
	MountedBelow  []string
	InstanceStore bool // a disk of the EC2 instance itself, by its identifier
}

// Unit is a systemd unit.
type Unit struct{ Load, Active, File string }

// Exists says whether the unit is installed.
func (u Unit) Exists() bool { return u.Load != "" && u.Load != "not-found" }

// Driver is a kernel driver: the version that is loaded, and the one that would load.
type Driver struct {
	Loaded, OnDisk string
	Open           bool
}

// DKMSModule is one module built for one kernel.
type DKMSModule struct{ Module, Version, Kernel, Status string }

// Package is a package that the host knows.
type Package struct {
	Version   string
	Installed bool
	Held      bool
}

// Tuned is the active profile of tuned, with the settings of the profiles that it includes.
type Tuned struct {
	Profile  string
	Settings map[string]TunedSetting // "vm.transparent_hugepages", "sysctl.vm.zone_reclaim_mode", "cpu.governor"
}

// TunedSetting is a value and the file that it is from.
type TunedSetting struct{ Value, File string }

// Space is a file system's room.
type Space struct {
	Mount   string
	FreeKiB int64
}

// Mount is a mounted file system.
type Mount struct{ Source, Target, Type string }

// File is a file as it is on the host. One that root alone may read has no content here.
type File struct {
	SHA256, Mode, Owner, Content string
}

// Holds says whether a file has exactly a content.
func (h *Host) Holds(path, content string) bool {
	sum := sha256.Sum256([]byte(content))
	return h.Files[path].SHA256 == hex.EncodeToString(sum[:])
}

// Has says whether a command is installed.
func (h *Host) Has(command string) bool { return slices.Contains(h.Commands, command) }

// Container says whether the host is a container, whose kernel is somebody else's.
func (h *Host) Container() bool {
	return slices.Contains([]string{"docker", "podman", "lxc", "lxc-libvirt", "systemd-nspawn", "container-other", "rkt", "proot", "pouch"}, h.Virtualization)
}

// BareMetal says whether the host is known to be no virtual machine.
func (h *Host) BareMetal() bool { return h.Virtualization == "none" }

// Systemd says whether systemd runs the host.
func (h *Host) Systemd() bool { return h.Init == "systemd" }

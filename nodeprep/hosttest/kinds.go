package hosttest

import (
	"fmt"
	"strings"
)

// Distribution is what is installed on a host.
type Distribution struct {
	OSRelease string
	Release   string // of the kernel
	Commands  []string
	Grubby    bool
	Packages  string // status, name, version
	Units     map[string]string
}

// Ubuntu is a server with Ubuntu 22.04 or 24.04.
func Ubuntu(version string) Distribution {
	return Distribution{
		OSRelease: fmt.Sprintf("PRETTY_NAME=\"Ubuntu %s LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"%s\"\nID=ubuntu\nID_LIKE=debian\n", version, version),
		Release:   "6.8.0-60-generic", Commands: apt,
		Packages: "ii \tsystemd-timesyncd\t255.4\nii \tunattended-upgrades\t2.9\nii \tneedrestart\t3.6\n",
		Units: map[string]string{
			"systemd-timesyncd.service":   "load=loaded\nactive=active\nfile=enabled\n",
			"unattended-upgrades.service": "load=loaded\nactive=active\nfile=enabled\n",
			"apt-daily-upgrade.timer":     "load=loaded\nactive=active\nfile=enabled\n",
		},
	}
}

// Debian is a server with Debian 12, with chrony.
func Debian() Distribution {
	return Distribution{
		OSRelease: "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n",
		Release:   "6.1.0-35-amd64", Commands: apt,
		Packages: "ii \tchrony\t4.3\n",
		Units:    map[string]string{"chrony.service": "load=loaded\nactive=active\nfile=enabled\n"},
	}
}

// AmazonLinux is an EC2 instance with Amazon Linux 2023.
func AmazonLinux() Distribution {
	return Distribution{
		OSRelease: "PRETTY_NAME=\"Amazon Linux 2023\"\nNAME=\"Amazon Linux\"\nVERSION_ID=\"2023\"\nID=\"amzn\"\nID_LIKE=\"fedora\"\n",
		Release:   "6.12.40-64.114.amzn2023.x86_64", Commands: dnf, Grubby: true,
		Packages: "ii \tchrony\t4.3-1.amzn2023\n",
		Units:    map[string]string{"chronyd.service": "load=loaded\nactive=active\nfile=enabled\n"},
	}
}

// Rocky is a server with Rocky Linux 9 and tuned's profile for HPC, as its images have it.
func Rocky() Distribution {
	return Distribution{
		OSRelease: "PRETTY_NAME=\"Rocky Linux 9.5 (Blue Onyx)\"\nNAME=\"Rocky Linux\"\nVERSION_ID=\"9.5\"\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
		Release:   "5.14.0-503.40.1.el9_5.x86_64", Commands: dnf, Grubby: true,
		Packages: "ii \tchrony\t4.6-1.el9\nii \tdnf-automatic\t4.14\n",
		Units: map[string]string{
			"chronyd.service":     "load=loaded\nactive=active\nfile=enabled\n",
			"dnf-automatic.timer": "load=loaded\nactive=active\nfile=enabled\n",
			"tuned.service":       "load=loaded\nactive=active\nfile=enabled\n",
		},
	}
}

var (
	apt = []string{"apt-get", "apt-cache", "apt-mark", "dpkg", "dpkg-query", "update-grub", "update-initramfs"}
	dnf = []string{"dnf", "rpm", "grubby", "dracut"}
)

// Hardware is what a host is made of.
type Hardware struct {
	Nodes          int
	MemoryGiB      int
	Virtualization string
	PCI            []string // slot vendor device class node
	Governors      bool
	Links          []string // network interfaces of accelerators, with their driver after a blank
}

// Server is a server without accelerators and two memory nodes.
func Server() Hardware {
	return Hardware{Nodes: 2, MemoryGiB: 256, Virtualization: "none", Governors: true}
}

// H100 is a server with eight H100, four NVSwitches and eight ConnectX-7. Source of the ids: PCI ID Repository.
func H100() Hardware {
	hw := Server()
	hw.MemoryGiB = 2048
	for i := range 8 {
		hw.PCI = append(hw.PCI,
			fmt.Sprintf("0000:%x1:00.0 0x10de 0x2330 0x030200 %d", i+1, i/4),
			fmt.Sprintf("0000:%x2:00.0 0x15b3 0x1021 0x020700 %d", i+1, i/4))
	}
	for i := range 4 {
		hw.PCI = append(hw.PCI, fmt.Sprintf("0000:c%d:00.0 0x10de 0x22a3 0x068000 %d", i, i/2))
	}
	return hw
}

// Gaudi2 is a server with eight Gaudi 2. Source of the ids: PCI ID Repository.
func Gaudi2() Hardware {
	hw := Server()
	hw.MemoryGiB = 1024
	for i := range 8 {
		hw.PCI = append(hw.PCI, fmt.Sprintf("0000:%x3:00.0 0x1da3 0x1020 0x120000 %d", i+1, i/4))
		hw.Links = append(hw.Links, fmt.Sprintf("gaudi%d habanalabs_en", i))
	}
	return hw
}

// P5 is an EC2 instance with eight H100 and EFAs, whose memory nodes are not known. It is a virtual machine.
func P5() Hardware {
	hw := Hardware{Nodes: 2, MemoryGiB: 2048, Virtualization: "amazon"}
	for i := range 8 {
		hw.PCI = append(hw.PCI, fmt.Sprintf("0000:%x1:00.0 0x10de 0x2330 0x030200 -1", i+1), fmt.Sprintf("0000:%x2:00.0 0x1d0f 0xefa2 0x020000 -1", i+1))
	}
	return hw
}

// folders are those that a host has even where they are empty.
func (hw Hardware) folders() []string {
	return []string{"etc/sysctl.d", "etc/modprobe.d", "run", "var/lib", "var/log", "sys/module", "dev", "sys/block", "sys/class/infiniband", "sys/class/net", "fake/units"}
}

// files are a host's files.
func files(d Distribution, hw Hardware) map[string]string {
	out := map[string]string{
		"etc/os-release":           d.OSRelease,
		"etc/machine-id":           "0123456789abcdef0123456789abcdef\n",
		"etc/security/limits.conf": "# nothing\n",
		"etc/fstab":                "/dev/vda1 / ext4 defaults 0 1\n/dev/vda2 none swap sw 0 0\n",
		"proc/1/comm":              "systemd\n",
		"proc/cmdline":             "BOOT_IMAGE=/boot/vmlinuz root=/dev/vda1 ro quiet\n",
		"proc/meminfo":             fmt.Sprintf("MemTotal:       %d kB\n", hw.MemoryGiB<<20),
		"proc/mounts":              "/dev/vda1 / ext4 rw,relatime 0 0\n",
		"proc/swaps":               "Filename\tType\tSize\tUsed\tPriority\n/dev/vda2                               partition\t8388604\t\t0\t\t-2\n",
		"proc/mdstat":              "Personalities :\nunused devices: <none>\n",
		"sys/kernel/mm/transparent_hugepage/enabled":       "[always] madvise never\n",
		"sys/kernel/mm/transparent_hugepage/defrag":        "always defer defer+madvise [madvise] never\n",
		"sys/kernel/mm/transparent_hugepage/shmem_enabled": "always within_size advise [never] deny force\n",
		"sys/block/vda/size":                               "209715200\n",
		"sys/block/vda/queue/read_ahead_kb":                "128\n",
		"sys/block/vda/vda1/size":                          "209713152\n",
		"boot/vmlinuz-" + d.Release:                        "kernel\n",
		"lib/modules/" + d.Release + "/build/Makefile":     "\n",
		"lib/modules/" + d.Release + "/kernel/x":           "\n",
		"fake/release":                                     d.Release + "\n",
		"fake/machine":                                     "x86_64\n",
		"fake/virtualization":                              hw.Virtualization + "\n",
		"fake/packages":                                    d.Packages,
		"fake/repository":                                  "chrony\t4.3\n",
		"fake/chrony-unit":                                 "chronyd.service\n",
	}
	for key, value := range parameters {
		out["proc/sys/"+strings.ReplaceAll(key, ".", "/")] = value + "\n"
	}
	for n := range hw.Nodes {
		node := fmt.Sprintf("sys/devices/system/node/node%d/", n)
		out[node+"cpulist"] = fmt.Sprintf("%d-%d\n", n*32, n*32+31)
		for _, size := range []string{"2048kB", "1048576kB"} {
			out[node+"hugepages/hugepages-"+size+"/nr_hugepages"] = "0\n"
			out[node+"hugepages/hugepages-"+size+"/free_hugepages"] = "0\n"
		}
	}
	for unit, state := range d.Units {
		out["fake/units/"+unit] = state
	}
	bootFiles(out, d)
	hardwareFiles(out, hw)
	return out
}

// parameters are kernel parameters as a kernel has them after boot.
var parameters = map[string]string{
	"fs.file-max": "9223372036854775807", "fs.nr_open": "1048576", "kernel.numa_balancing": "1", "net.core.netdev_max_backlog": "1000",
	"net.core.rmem_max": "212992", "net.core.somaxconn": "4096", "net.core.wmem_max": "212992", "net.ipv4.tcp_max_syn_backlog": "4096",
	"vm.max_map_count": "65530", "vm.swappiness": "60", "net.ipv4.tcp_rmem": "4096\t131072\t6291456", "vm.zone_reclaim_mode": "0",
	"fs.inotify.max_user_watches": "8192", "fs.inotify.max_user_instances": "128",
}

func bootFiles(out map[string]string, d Distribution) {
	if d.Grubby {
		out["boot/initramfs-"+d.Release+".img"] = "image\n"
		out["boot/loader/entries/"+d.Release+".conf"] = "title Linux\nlinux /vmlinuz-" + d.Release + "\noptions root=/dev/vda1 ro quiet\n"
		out["etc/default/grub"] = "GRUB_TIMEOUT=1\nGRUB_CMDLINE_LINUX=\"quiet\"\nGRUB_ENABLE_BLSCFG=true\n"
		return
	}
	out["boot/initrd.img-"+d.Release] = "image\n"
	out["boot/grub/grub.cfg"] = "\tlinux\t/boot/vmlinuz root=/dev/vda1 ro quiet\n"
	out["etc/default/grub"] = "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n"
	// Ubuntu's cloud images set the line again in a fragment.
	out["etc/default/grub.d/50-cloudimg-settings.cfg"] = "GRUB_CMDLINE_LINUX_DEFAULT=\"console=tty1 console=ttyS0 transparent_hugepage=always\"\n"
}

func hardwareFiles(out map[string]string, hw Hardware) {
	for _, line := range hw.PCI {
		f := strings.Fields(line)
		device := "sys/bus/pci/devices/" + f[0] + "/"
		out[device+"vendor"], out[device+"device"], out[device+"class"], out[device+"numa_node"] = f[1]+"\n", f[2]+"\n", f[3]+"\n", f[4]+"\n"
	}
	if hw.Governors {
		for n := range hw.Nodes * 2 {
			cpu := fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/", n)
			out[cpu+"scaling_governor"] = "powersave\n"
			out[cpu+"scaling_available_governors"] = "performance powersave\n"
		}
	}
	for _, link := range hw.Links {
		name, _, _ := strings.Cut(link, " ")
		out["sys/class/net/"+name+"/device/uevent"] = "\n"
		out["sys/class/net/"+name+"/operstate"] = "down\n"
		out["sys/class/net/"+name+"/mtu"] = "1500\n"
	}
}

package main

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// parameters are kernel parameters of the kinds that profiles have, with values that their hosts do not have yet.
const parameters = `fs.file-max=9223372036854775807 fs.nr_open=1048576 fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=8192
kernel.numa_balancing=0 net.core.netdev_max_backlog=10000 net.core.rmem_max=67108864 net.core.wmem_max=67108864 net.core.somaxconn=65535
net.ipv4.tcp_max_syn_backlog=8192 net.ipv4.tcp_rmem=4096|87380|67108864 vm.max_map_count=1048576 vm.swappiness=10 vm.zone_reclaim_mode=1`

// knobs are files below /sys that Ansible has no module for, with their values.
var knobs = map[string]string{
	"thp.enabled": "/sys/kernel/mm/transparent_hugepage/enabled",
	"thp.defrag":  "/sys/kernel/mm/transparent_hugepage/defrag",
	"thp.shmem":   "/sys/kernel/mm/transparent_hugepage/shmem_enabled",
}

// wanted is what all are asked for.
func wanted() profile.Profile {
	values := map[string]string{
		"thp.enabled": "never", "thp.defrag": "never", "thp.shmem": "never", "hugepages.2Mi": "64", "swap": "off", "needrestart": "list",
		"limits.memlock": "unlimited", "limits.nofile": "400000", "nccl.algo": "Ring", "storage.read_ahead_kib": "4096",
	}
	for _, p := range strings.Fields(parameters) {
		key, value, _ := strings.Cut(p, "=")
		values["sysctl."+key] = strings.ReplaceAll(value, "|", " ")
	}
	return profile.Profile{Name: "bench", Values: values}
}

// item is one thing that is wanted, as an Ansible task in YAML.
type item struct{ name, task string }

// items are the settings and files of a plan, as whoever writes a playbook would write them: modules where there are some.
func items(plan *nodeprep.Plan) []item {
	var out []item
	add := func(name, format string, args ...any) {
		out = append(out, item{name, fmt.Sprintf(format, args...)})
	}
	p := wanted()
	for _, name := range p.Keys() {
		value := p.Values[name]
		if key, is := strings.CutPrefix(name, "sysctl."); is {
			add(key, "ansible.posix.sysctl: {name: %q, value: %q, sysctl_file: /etc/sysctl.d/99-zz-gpuyard.conf, reload: false, sysctl_set: true}", key, value)
		}
		if path := knobs[name]; path != "" {
			add(path, "ansible.builtin.shell: {cmd: %q}\n      changed_when: false\n      check_mode: false", fmt.Sprintf("grep -qE '(^|\\[)%s(\\]|$)' %s || echo %s >%s", value, path, value, path))
		}
	}
	for node := range 2 {
		path := fmt.Sprintf("/sys/devices/system/node/node%d/hugepages/hugepages-2048kB/nr_hugepages", node)
		add(path, "ansible.builtin.shell: {cmd: %q}\n      changed_when: false\n      check_mode: false", fmt.Sprintf("[ $(cat %s) -ge 32 ] || echo 32 >%s", path, path))
	}
	for _, i := range plan.Items {
		for _, file := range i.Files {
			if !strings.HasPrefix(file.Path, "/etc/sysctl.d/") {
				add(file.Path, "ansible.builtin.copy: {dest: %q, mode: \"0644\", content: %q}", file.Path, file.After)
			}
		}
	}
	// Its file module calls a link to a device changed each time.
	add("swap.target", "ansible.builtin.shell: {cmd: %q}\n      changed_when: false\n      check_mode: false",
		"[ \"$(readlink /etc/systemd/system/swap.target)\" = /dev/null ] || ln -sfn /dev/null /etc/systemd/system/swap.target")
	for _, name := range []string{"openssh-server", "sudo", "kmod", "procps", "iproute2", "initramfs-tools", "dbus", "unattended-upgrades", "systemd-timesyncd", "zstd", "python3-apt"} {
		if len(out) < 40 {
			add(name, "ansible.builtin.apt: {name: %s, state: present}", name)
		}
	}
	return out
}

R=${GPUYARD_ROOT:-}
# Facts of a Linux host: one JSON document whose sections are the host's own words, which Go parses.
# It only reads. R is the root that is looked at: empty, or a folder in tests.
# np_sysctl_paths (below /proc/sys) and np_owned_files are set by whoever puts the script together.

np_facts() {
	np_facts_raw 2>/dev/null | tr -d '\000' | np_json
}

# np_json turns lines into a JSON object. A line that starts with the character 036 opens a section.
np_json() {
	LC_ALL=C awk '
	function esc(s) {
		gsub(/\\/, "&&", s)
		gsub(/"/, "\\u0022", s)
		gsub(/\t/, "\\u0009", s)
		gsub(/[\001-\037\177]/, "", s)
		return s
	}
	BEGIN { printf "{\"format\":1,\"sections\":{" }
	/^\036/ {
		if (open) printf "\","
		printf "\"%s\":\"", esc(substr($0, 2))
		open = 1
		next
	}
	open { printf "%s\\n", esc($0) }
	END { if (open) printf "\""; print "}}" }'
}

np_sec() { printf '\036%s\n' "$1"; }

# np_one prints the first line of a file, or an empty line. It starts no process.
np_one() {
	np_v=
	if [ -r "$1" ]; then IFS= read -r np_v <"$1" || :; fi
	printf '%s\n' "$np_v"
}

# np_get sets np_v to the first line of a file.
np_get() {
	np_v=
	if [ -r "$1" ]; then IFS= read -r np_v <"$1" || :; fi
}

# np_cat prints a file as a section.
np_cat() {
	np_sec "$1"
	if [ -r "$2" ]; then cat "$2"; echo; fi
}

# np_lines prints the lines of some files, each behind the file's path and a tab. "." stands for the start of a file.
np_lines() {
	for np_f in "$@"; do
		if [ ! -r "$np_f" ] || [ -d "$np_f" ]; then continue; fi
		printf '%s\t.\n' "${np_f#"$R"}"
		while IFS= read -r np_v || [ -n "$np_v" ]; do
			case $np_v in '' | '#'*) continue ;; esac
			printf '%s\t%s\n' "${np_f#"$R"}" "$np_v"
		done <"$np_f"
	done
}

# np_link prints the last part of a link's target.
np_link() {
	np_v=
	if [ -e "$1" ]; then
		np_v=$(readlink -f "$1") || np_v=
		np_v=${np_v##*/}
	fi
}

np_facts_raw() {
	LC_ALL=C
	export LC_ALL
	np_facts_system
	np_facts_memory
	np_facts_kernel
	np_facts_limits
	np_facts_devices
	np_facts_disks
	np_facts_services
	np_facts_packages
	np_facts_files
	np_sec end
	echo complete
}

np_facts_system() {
	np_cat os-release "$R/etc/os-release"
	np_sec uname
	uname -r
	uname -m
	np_cat cmdline "$R/proc/cmdline"
	np_cat boot-id "$R/proc/sys/kernel/random/boot_id"
	np_cat machine-id "$R/etc/machine-id"
	np_sec virtualization
	systemd-detect-virt || :
	np_sec init
	np_one "$R/proc/1/comm"
	np_sec secure-boot
	for np_f in "$R"/sys/firmware/efi/efivars/SecureBoot-*; do
		[ -r "$np_f" ] && od -An -t u1 "$np_f"
	done
	if [ -d "$R/sys/firmware/efi" ]; then echo efi; fi
	np_sec bootloader
	for np_f in boot/grub/grub.cfg boot/grub2/grub.cfg boot/loader/entries etc/default/grub etc/kernel/cmdline; do
		if [ -e "$R/$np_f" ]; then echo "/$np_f"; fi
	done
	np_sec commands
	for np_f in apt-get dnf grubby update-grub update-initramfs dracut dkms nvidia-smi hl-smi tuned-adm mdadm chronyd nodeadm mlnx_qos setpci ethtool; do
		if command -v "$np_f" >/dev/null; then echo "$np_f"; fi
	done
	np_sec boot-files
	for np_f in "$R"/boot/vmlinuz-* "$R"/boot/initrd.img-* "$R"/boot/initramfs-*; do
		[ -f "$np_f" ] && printf '%s %s\n' "$(wc -c <"$np_f")" "${np_f#"$R"}"
	done
	np_sec kernels
	for np_f in "$R"/lib/modules/*/; do
		np_f=${np_f%/}
		[ -d "$np_f/kernel" ] || continue
		np_v=no-headers
		[ -e "$np_f/build" ] && np_v=headers
		printf '%s %s\n' "${np_f##*/}" "$np_v"
	done
	np_sec selinux
	np_one "$R/sys/fs/selinux/enforce"
	np_cat mounts "$R/proc/mounts"
	np_sec space
	df -Pk "$R/" "$R/var" "$R/boot"
}

np_facts_memory() {
	np_cat meminfo "$R/proc/meminfo"
	np_cat swaps "$R/proc/swaps"
	np_sec thp
	for np_f in enabled defrag shmem_enabled khugepaged/defrag; do
		np_get "$R/sys/kernel/mm/transparent_hugepage/$np_f"
		printf '%s %s\n' "$np_f" "$np_v"
	done
	np_sec nodes
	for np_n in "$R"/sys/devices/system/node/node[0-9]*; do
		[ -d "$np_n" ] || continue
		printf '%s cpus %s\n' "${np_n##*/}" "$(cat "$np_n/cpulist")"
		for np_f in "$np_n"/hugepages/hugepages-*kB; do
			[ -d "$np_f" ] || continue
			np_get "$np_f/nr_hugepages"
			np_total=$np_v
			np_get "$np_f/free_hugepages"
			printf '%s %s %s %s\n' "${np_n##*/}" "${np_f##*/}" "$np_total" "$np_v"
		done
	done
	np_sec tmpfiles
	np_lines "$R"/etc/tmpfiles.d/*.conf "$R"/run/tmpfiles.d/*.conf "$R"/usr/lib/tmpfiles.d/*hugepage*.conf "$R"/usr/lib/tmpfiles.d/*thp*.conf
	np_sec governors
	for np_f in "$R"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do
		[ -r "$np_f" ] && np_one "$np_f"
	done
	np_sec governors-available
	np_one "$R/sys/devices/system/cpu/cpu0/cpufreq/scaling_available_governors"
}

np_facts_kernel() {
	np_sec sysctl
	# One grep for all keys, which reads each at once: a shell's read asks for one character at a time, and /proc/sys
	# answers such a reader with the first one only.
	if [ -n "${np_sysctl_paths:-}" ]; then
		# shellcheck disable=SC2086 # a list of paths without blanks
		(cd "$R/proc/sys" && grep -s '' /dev/null $np_sysctl_paths)
	fi
	np_sec sysctl-files
	np_lines "$R"/etc/sysctl.d/*.conf "$R"/run/sysctl.d/*.conf "$R"/usr/local/lib/sysctl.d/*.conf "$R"/usr/lib/sysctl.d/*.conf "$R"/lib/sysctl.d/*.conf "$R"/etc/sysctl.conf
	np_sec sysctl-links
	for np_f in "$R"/etc/sysctl.d/*.conf "$R"/lib/sysctl.d; do
		[ -h "$np_f" ] && printf '%s %s\n' "${np_f#"$R"}" "$(readlink "$np_f")"
	done
	np_sec modules
	for np_f in "$R"/sys/module/*; do
		[ -d "$np_f" ] && echo "${np_f##*/}"
	done
	np_sec modules-load
	np_lines "$R"/etc/modules-load.d/*.conf "$R"/usr/lib/modules-load.d/*.conf "$R"/etc/modules
	np_sec modprobe
	np_lines "$R"/etc/modprobe.d/*.conf "$R"/usr/lib/modprobe.d/*nouveau*.conf
	np_sec tuned
	np_get "$R/etc/tuned/active_profile"
	np_profile=$np_v
	np_depth=0
	while [ -n "$np_profile" ] && [ "$np_depth" -lt 8 ]; do
		np_depth=$((np_depth + 1))
		np_found=
		for np_f in "$R/etc/tuned/profiles" "$R/etc/tuned" "$R/usr/lib/tuned/profiles" "$R/usr/lib/tuned"; do
			if [ -z "$np_found" ] && [ -r "$np_f/$np_profile/tuned.conf" ]; then np_found=$np_f/$np_profile/tuned.conf; fi
		done
		printf '%s\tprofile=%s\n' "${np_found#"$R"}" "$np_profile"
		[ -n "$np_found" ] || break
		np_lines "$np_found"
		np_profile=$(sed -n 's/^include *= *\([A-Za-z0-9_.-]*\).*/\1/p' "$np_found" | head -n 1)
	done
}

np_facts_limits() {
	np_sec limits-files
	np_lines "$R/etc/security/limits.conf" "$R"/etc/security/limits.d/*.conf
	np_sec limits-session
	# shellcheck disable=SC3045 # dash, busybox and bash know both
	printf 'memlock %s\nnofile %s\n' "$(ulimit -l)" "$(ulimit -n)"
	np_sec limits-manager
	systemctl show -p DefaultLimitMEMLOCK -p DefaultLimitNOFILE -p DefaultLimitSTACK -p DefaultLimitNPROC
	np_sec limits-services
	systemctl show -p Id -p LoadState -p ActiveState -p LimitMEMLOCK -p LimitNOFILE -p LimitSTACK -p LimitNPROC containerd.service kubelet.service docker.service
}

np_facts_devices() {
	np_sec pci
	for np_d in "$R"/sys/bus/pci/devices/*; do
		[ -d "$np_d" ] || continue
		np_get "$np_d/vendor"
		np_line="${np_d##*/} $np_v"
		np_get "$np_d/device"
		np_line="$np_line $np_v"
		np_get "$np_d/class"
		np_line="$np_line $np_v"
		np_get "$np_d/numa_node"
		np_line="$np_line ${np_v:--1}"
		case $np_line in
		*" 0x060400 "*) continue ;; # bridges say nothing and are many
		esac
		np_link "$np_d/driver"
		printf '%s %s\n' "$np_line" "${np_v:--}"
	done
	np_sec net
	for np_d in "$R"/sys/class/net/*; do
		[ -e "$np_d/device" ] || continue
		np_link "$np_d/device"
		np_line="${np_d##*/} $np_v"
		np_link "$np_d/device/driver"
		np_line="$np_line ${np_v:--}"
		np_get "$np_d/mtu"
		np_line="$np_line ${np_v:-0}"
		np_get "$np_d/operstate"
		printf '%s %s\n' "$np_line" "${np_v:--}"
	done
	np_sec rdma
	for np_d in "$R"/sys/class/infiniband/*; do
		[ -d "$np_d" ] || continue
		np_link "$np_d/device"
		np_line="${np_d##*/} ${np_v:--}"
		np_link "$np_d/device/driver"
		np_line="$np_line ${np_v:--}"
		np_get "$np_d/ports/1/link_layer"
		np_line="$np_line ${np_v:--}"
		np_ifs=
		for np_f in "$np_d"/device/net/*; do
			[ -d "$np_f" ] && np_ifs=$np_ifs${np_ifs:+,}${np_f##*/}
		done
		printf '%s %s\n' "$np_line" "${np_ifs:--}"
	done
	np_sec rings
	if command -v ethtool >/dev/null; then
		for np_d in "$R"/sys/class/net/*/device; do
			[ -e "$np_d" ] || continue
			np_d=${np_d%/device}
			np_v=$(ethtool -g "${np_d##*/}" | awk '$1 == "RX:" || $1 == "TX:" { printf " %s", $2 }')
			printf '%s%s\n' "${np_d##*/}" "$np_v"
		done
	fi
	np_sec irqs
	for np_d in "$R"/sys/bus/pci/devices/*; do
		[ -d "$np_d/msi_irqs" ] || continue
		np_get "$np_d/class"
		case $np_v in 0x02*) ;; *) continue ;; esac
		np_get "$np_d/numa_node"
		[ "${np_v:--1}" -ge 0 ] || continue
		np_get "$np_d/local_cpulist"
		np_near=$np_v
		np_all=0
		np_here=0
		for np_f in "$np_d"/msi_irqs/*; do
			[ -r "$R/proc/irq/${np_f##*/}/smp_affinity_list" ] || continue
			np_get "$R/proc/irq/${np_f##*/}/smp_affinity_list"
			np_all=$((np_all + 1))
			[ "$np_v" != "$np_near" ] || np_here=$((np_here + 1))
		done
		printf '%s %s %s\n' "${np_d##*/}" "$np_all" "$np_here"
	done
	np_cat nvidia-version "$R/proc/driver/nvidia/version"
	np_sec nvidia-module
	np_one "$R/sys/module/nvidia/version"
	modinfo -F version nvidia || :
	np_sec habana-module
	np_one "$R/sys/module/habanalabs/version"
	modinfo -F version habanalabs || :
	np_sec dkms
	dkms status || :
	np_sec gpu-operator
	for np_f in run/nvidia/driver run/nvidia/validations; do
		[ -d "$R/$np_f" ] && echo "/$np_f"
	done
	np_sec default-route
	ip -o route show default
}

np_facts_disks() {
	np_sec disks
	for np_d in "$R"/sys/block/*; do
		[ -d "$np_d" ] || continue
		np_b=${np_d##*/}
		case $np_b in loop* | ram* | zram* | sr* | fd*) continue ;; esac
		np_get "$np_d/size"
		np_line="$np_b ${np_v:-0}"
		np_get "$np_d/queue/read_ahead_kb"
		np_line="$np_line ${np_v:-0}"
		np_p=0
		for np_f in "$np_d/$np_b"*; do
			[ -d "$np_f" ] && np_p=$((np_p + 1))
		done
		np_h=0
		for np_f in "$np_d"/holders/*; do
			[ -e "$np_f" ] && np_h=$((np_h + 1))
		done
		np_s=-
		case $np_b in
		nvme* | sd* | vd* | xvd*)
			# Exit 0: something was found, or it is ambivalent (8); 2: nothing is on the disk.
			np_s=$(blkid -p -s TYPE -s PTTYPE -o value "$R/dev/$np_b")
			case $? in 0) np_s=$(printf '%s' "$np_s" | tr '\n ' '++') ;; 2) np_s=none ;; *) np_s=unreadable ;; esac
			;;
		esac
		np_get "$np_d/device/model"
		printf '%s %s %s %s %s\n' "$np_line" "$np_p" "$np_h" "${np_s:-none}" "$np_v"
	done
	np_sec disk-ids
	for np_f in "$R"/dev/disk/by-id/*; do
		[ -h "$np_f" ] || continue
		np_v=$(readlink "$np_f")
		printf '%s %s\n' "${np_v##*/}" "${np_f##*/}"
	done
	np_cat mdstat "$R/proc/mdstat"
	np_sec filesystem-ids
	for np_f in "$R"/dev/disk/by-label/*; do
		[ -h "$np_f" ] || continue
		np_v=$(readlink "$np_f")
		printf '%s %s\n' "${np_v##*/}" "${np_f##*/}"
	done
}

np_facts_services() {
	np_sec units
	systemctl show -p Id -p LoadState -p ActiveState -p UnitFileState \
		chrony.service chronyd.service systemd-timesyncd.service ntp.service ntpd.service \
		unattended-upgrades.service apt-daily.timer apt-daily-upgrade.timer dnf-automatic.timer dnf-automatic-install.timer \
		tuned.service irqbalance.service swap.target nvidia-persistenced.service nvidia-fabricmanager.service openibd.service \
		containerd.service kubelet.service docker.service k3s.service k3s-agent.service rke2-server.service rke2-agent.service \
		gpuyard-governor.service gpuyard-rings.service gpuyard-irq.service gpuyard-roce.service gpuyard-gaudi-links.service gpuyard-raid0.service
	np_sec clocksource
	np_one "$R/sys/devices/system/clocksource/clocksource0/current_clocksource"
	np_one "$R/sys/devices/system/clocksource/clocksource0/available_clocksource"
	np_sec iommu
	for np_f in "$R"/sys/kernel/iommu_groups/*/type; do
		[ -r "$np_f" ] && np_one "$np_f"
	done | sort | uniq -c
	np_sec cloud-init
	for np_f in result.json instance-data.json; do
		if [ -e "$R/run/cloud-init/$np_f" ]; then echo "$np_f"; fi
	done
}

np_facts_packages() {
	np_sec packages
	if command -v dpkg-query >/dev/null; then
		# shellcheck disable=SC2016 # the field names are for dpkg-query
		dpkg-query -W -f='${db:Status-Abbrev}\t${Package}\t${Version}\n' '*nvidia*' 'cuda-drivers*' 'habanalabs*' 'gdrdrv*' 'libgdrapi*' \
			'rdma-core' 'efa*' 'libfabric*' 'chrony' 'systemd-timesyncd' 'ntp' 'ntpsec' 'unattended-upgrades' 'needrestart' 'mdadm' 'dkms' \
			'linux-headers-*' 'containerd*' 'docker-ce' 'docker.io' 'kubelet' 'lldpad' 'xfsprogs' 'mokutil' || :
		# The first letter of the status says whether a package is held; apt-mark would take seconds to say the same.
		np_sec broken
		dpkg --audit | head -n 20
	elif command -v rpm >/dev/null; then
		rpm -qa --qf 'ii \t%{NAME}\t%{VERSION}-%{RELEASE}\n' '*nvidia*' 'habanalabs*' 'gdrcopy*' 'rdma-core' 'efa*' 'libfabric*' 'chrony' 'dnf-automatic' \
			'mdadm' 'dkms' 'kernel-devel*' 'kernel6*-devel' 'containerd*' 'docker*' 'kubelet' 'lldpad' 'xfsprogs'
		np_sec holds
		np_lines "$R/etc/dnf/plugins/versionlock.list"
	fi
}

# np_facts_files says what is in the files that were asked for, by one process for all of them.
np_facts_files() {
	np_have=
	# shellcheck disable=SC2154 # set by whoever puts the script together
	for np_f in $np_owned_files; do
		if [ -f "$R$np_f" ]; then np_have="$np_have ${np_f#/}"; fi
	done
	# shellcheck disable=SC2086 # lists of paths without blanks
	if [ -n "$np_have" ]; then
		cd "$R/" || return
		np_sec files-access
		stat -c '%a %u:%g %n' $np_have
		np_sec files-hashes
		sha256sum $np_have
		# What root alone may read is a secret: its hash is enough.
		np_sec files-lines
		find $np_have -maxdepth 0 -perm /044 -exec grep -asH '' {} +
	fi
	np_cat state "$R/var/lib/gpuyard/nodeprep/state"
}

np_sysctl_paths='fs/file-max fs/nr_open kernel/numa_balancing net/core/netdev_max_backlog net/core/rmem_max net/core/somaxconn net/core/wmem_max net/ipv4/tcp_max_syn_backlog vm/max_map_count vm/swappiness vm/zone_reclaim_mode'
np_owned_files='/etc/default/grub /etc/default/grub.d/zz-gpuyard.cfg /etc/gpuyard/nodeconfig.yaml /etc/kernel/cmdline /etc/modprobe.d/gpuyard-nouveau.conf /etc/modules-load.d/gpuyard-gdrdrv.conf /etc/modules-load.d/gpuyard-peermem.conf /etc/modules-load.d/gpuyard.conf /etc/nccl.conf /etc/needrestart/conf.d/zz-gpuyard.conf /etc/security/limits.d/99-zz-gpuyard.conf /etc/sysctl.d/99-zz-gpuyard.conf /etc/systemd/system.conf.d/99-gpuyard.conf /etc/systemd/system/containerd.service.d/99-gpuyard-limits.conf /etc/systemd/system/gpuyard-gaudi-links.service /etc/systemd/system/gpuyard-governor.service /etc/systemd/system/gpuyard-roce.service /etc/systemd/system/kubelet.service.d/99-gpuyard-limits.conf /etc/systemd/user.conf.d/99-gpuyard.conf /etc/tmpfiles.d/gpuyard-hugepages.conf /etc/tmpfiles.d/gpuyard-thp.conf /etc/udev/rules.d/99-gpuyard-read-ahead.rules /opt/amazon/efa_installed_packages'
np_facts

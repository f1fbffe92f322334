# What stands on drivers: fabric, containers, the cluster.

np_links_up() {
	np_service_file /etc/systemd/system/gpuyard-gaudi-links.service "$1" || return
	np_unit_run gpuyard-gaudi-links.service
}

# np_roce UNIT sets every adapter of Mellanox, by a unit that does it at each boot.
np_roce() {
	if ! np_has mlnx_qos; then
		np_fail 'mlnx_qos is not installed'
		return
	fi
	np_service_file /etc/systemd/system/gpuyard-roce.service "$1" || return
	np_unit_run gpuyard-roce.service
}

np_gdrcopy() {
	np_family
	case $np_os in
	ubuntu | debian) np_install_exact "$1" gdrdrv-dkms libgdrapi || return ;;
	*) np_install_exact "$1" gdrcopy-kmod gdrcopy || return ;;
	esac
	np_dkms gdrdrv
}

# np_containerd has containerd installed, with a configuration file, enabled and running.
np_containerd() {
	if ! np_has containerd && [ ! -e "$R/usr/bin/containerd" ]; then
		np_family
		case $np_os in
		rhel) np_install containerd.io || return ;;
		*) np_install containerd || return ;;
		esac
	fi
	np_unit_on containerd.service
}

np_container_toolkit() {
	np_install_exact "$1" nvidia-container-toolkit || return
	if ! grep -q nvidia "$R/etc/containerd/config.toml" "$R"/etc/containerd/conf.d/*.toml 2>/dev/null; then
		np_try nvidia-ctk runtime configure --runtime=containerd || return
		np_changed
		np_later 'restart containerd.service'
	fi
}

# np_join FILE CONFIGURATION VERSION REGION joins the cluster. init succeeds even where install never ran.
np_join() {
	if ! np_has nodeadm; then
		np_fail 'nodeadm for hybrid nodes is not installed'
		return
	fi
	np_was=$np_status
	np_status=ok
	np_secret_file "$1" "$2" || return
	if [ "$np_status" = ok ] && systemctl -q is-active kubelet.service >/dev/null 2>&1; then
		np_status=$np_was
		return 0
	fi
	# Pods come with the node, and go again with a reboot; and what they stand on is not right before it.
	if [ -n "$np_reasons" ]; then
		np_reboot "it joins after the reboot for $np_reasons"
		return 0
	fi
	np_own joined "$4" '' && np_try nodeadm install "$3" --credential-provider ssm --containerd-source none --region "$4" || return
	np_try nodeadm init -c "file://$1" || return
	np_status=changed
	if ! systemctl -q is-active kubelet.service >/dev/null 2>&1; then
		np_fail 'nodeadm init succeeded, and kubelet does not run'
	fi
}

# np_secret_file PATH CONTENT keeps a file that root alone may read; no copy of what it was is kept.
np_secret_file() {
	mkdir -p "$R${1%/*}" || return
	if [ -f "$R$1" ] && [ "$(cat "$R$1")" = "$(printf '%s' "$2")" ]; then return 0; fi
	if np_own file "$1" "$(printf '%s' "$2" | sha256sum | cut -d ' ' -f 1)" && (umask 077 && printf '%s' "$2" >"$R$1.new") && np_sync "$R$1.new" && mv -f "$R$1.new" "$R$1"; then
		np_changed
	else
		np_fail "cannot write $1"
	fi
}

# np_adapters COMMAND SCRIPT CONTENT UNIT CONTENT keeps a script that sets the network adapters, runs it, and has a unit
# run it at each boot. The script names what it changed.
np_adapters() {
	np_any=
	for np_f in "$R"/sys/class/net/*/device; do
		if [ -e "$np_f" ]; then np_any=yes; fi
	done
	if [ -z "$np_any" ]; then
		np_na 'this host has no network adapter'
		return 0
	fi
	if ! np_has "$1"; then
		np_fail "$1 is not installed"
		return
	fi
	np_file "$2" 0755 any "$3" || return
	np_service_file "$4" "$5" || return
	np_unit_run "${4##*/}" || return
	np_try sh "$R$2" || return
	[ -z "$np_out" ] || np_changed
}

# np_rdma_core installs the distribution's verbs, unless somebody else brings them.
np_rdma_core() {
	if np_pci 0x1d0f 0x02 | grep -q '^0xefa[0-9a-f]$'; then
		np_na "EFA's installer brings libraries of its own"
		return 0
	fi
	if np_known openibd.service; then
		np_na "NVIDIA's network driver brings libraries of its own"
		return 0
	fi
	if [ -z "$(np_pci 0x15b3 0x02)$(np_pci 0x1da3 '')" ]; then
		np_na 'this host has no RDMA adapter'
		return 0
	fi
	np_install rdma-core
}

# np_topology FILE LIVE CONTENT TMPFILES CONTENT NODES SLOTS tells NCCL which devices are near each other, where nobody else
# does and all of them are here.
np_topology() {
	np_silent=
	for np_node in $6; do
		if [ ! -d "$R/sys/devices/system/node/node$np_node" ]; then
			np_fail "this host has no memory node $np_node: the hint is that of another machine"
			return
		fi
	done
	for np_slot in $7; do
		if ! read -r np_node <"$R/sys/bus/pci/devices/$np_slot/numa_node"; then
			np_fail "$np_slot is not on this host: the hint is that of another machine"
			return
		fi
		if [ "$np_node" -lt 0 ]; then np_silent=yes; fi
	done 2>/dev/null
	if [ -z "$np_silent" ]; then
		np_na 'the platform says which memory node each device is on, and NCCL reads that'
	elif [ -e "$R$2" ] && ! grep -q 'name="gpuyard"' "$R$2"; then
		np_na "the platform has a description of its own, $2"
	else
		np_file "$1" 0644 any "$3" && np_file "$4" 0644 any "$5" && np_file "$2" 0644 any "$3"
	fi
}

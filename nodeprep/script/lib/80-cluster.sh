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
	np_try nodeadm install "$3" --credential-provider ssm --containerd-source none --region "$4" || return
	np_try nodeadm init -c "file://$1" || return
	np_status=changed
	if ! systemctl -q is-active kubelet.service >/dev/null 2>&1; then
		np_fail 'nodeadm init succeeded, and kubelet does not run'
	fi
}

# np_secret_file PATH CONTENT keeps a file that root alone may read; no copy of what it was is kept.
np_secret_file() {
	mkdir -p "$R${1%/*}" && chmod 0700 "$R${1%/*}" || return
	if [ -f "$R$1" ] && [ "$(cat "$R$1")" = "$(printf '%s' "$2")" ]; then return 0; fi
	if (umask 077 && printf '%s' "$2" >"$R$1.new") && np_sync "$R$1.new" && mv -f "$R$1.new" "$R$1"; then
		np_changed
	else
		np_fail "cannot write $1"
	fi
}

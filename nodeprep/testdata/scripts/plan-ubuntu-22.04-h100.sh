R=${GPUYARD_ROOT:-}
np_dir=/var/lib/gpuyard/nodeprep
np_failed=' '
np_reasons=
np_after=
np_state_keys='profile status step boot_id reboots rebooted_for reasons'
np_clean() {
	np_v=$1
	case $1 in
	*[![:print:]]*) np_v=$(printf '%s' "$1" | tr '\n\t' '  ' | tr -d '\000-\037\177' | tail -c 2000) ;;
	esac
}
np_result() {
	np_clean "$3"
	printf 'np\t%s\t%s\t%s\n' "$1" "$2" "$np_v" >>"$R$np_dir/results"
	printf 'np\t%s\t%s\t%s\n' "$1" "$2" "$np_v" 2>/dev/null || :
}
np_note() { np_detail=$np_detail${np_detail:+; }$1; }
np_fail() {
	np_note "$1"
	return 1
}
np_changed() { if [ "$np_status" = ok ] || [ "$np_status" = not-applicable ]; then np_status=changed; fi; }
np_reboot() {
	np_status=reboot
	np_note "$1"
}
np_na() {
	if [ "$np_status" = ok ]; then np_status=not-applicable; fi
	np_note "$1"
}
np_try() {
	if np_out=$("$@" 2>&1 </dev/null); then return 0; fi
	np_fail "${1#np_} failed: $(printf '%s' "$np_out" | tail -c 1500)"
}
np_run() {
	np_key=$1
	if [ "${np_mode:-}" = daemonset ] && [ "${4:-}" = host ]; then
		np_result "$np_key" not-applicable 'not from a DaemonSet: it changes what a running node stands on'
		return
	fi
	np_status=ok
	np_detail=
	for np_need in $2; do
		case $np_failed in
		*" $np_need "*)
			np_failed="$np_failed$np_key "
			np_result "$np_key" skipped "needs $np_need, which failed"
			return
			;;
		esac
	done
	np_state step "$np_key"
	if ! "$3" </dev/null >&2; then
		np_status=failed
		np_failed="$np_failed$np_key "
	fi
	if [ "$np_status" = reboot ]; then np_reasons=$np_reasons${np_reasons:+ }$np_key; fi
	np_result "$np_key" "$np_status" "$np_detail"
}
np_later() {
	case "$np_after|" in
	*"|$1|"*) ;;
	*) np_after="$np_after|$1" ;;
	esac
}
np_run_later() {
	np_status=ok
	np_detail=
	while [ -n "$np_after" ]; do
		np_after=${np_after#|}
		np_todo=${np_after%%|*}
		np_after=${np_after#"$np_todo"}
		case $np_todo in
		'restart '*) if systemctl -q is-active "${np_todo#restart }" >/dev/null 2>&1; then np_try systemctl restart "${np_todo#restart }" || np_status=failed; fi ;;
		reload) np_try systemctl daemon-reload || np_status=failed ;;
		reexec) np_try systemctl daemon-reexec || np_status=failed ;;
		esac
	done
	if [ "$np_status" = failed ]; then
		np_failed="${np_failed}services "
		np_result services failed "$np_detail"
	fi
}
np_state_load() {
	for np_k in $np_state_keys; do eval "np_state_$np_k="; done
	if [ ! -f "$R$np_dir/state" ]; then return 0; fi
	while IFS='=' read -r np_k np_v; do
		case " $np_state_keys " in *" $np_k "*) eval "np_state_$np_k=\$np_v" ;; esac
	done <"$R$np_dir/state"
}
np_state() {
	eval "np_state_$1=\$2"
	for np_k in $np_state_keys; do eval "printf '%s=%s\n' $np_k \"\$np_state_$np_k\""; done >"$R$np_dir/state.new"
	if [ "$1" != step ]; then np_sync "$R$np_dir/state.new"; fi
	mv -f "$R$np_dir/state.new" "$R$np_dir/state"
}
np_recall() { eval "np_v=\$np_state_$1"; }
np_sync() { sync "$1" 2>/dev/null || sync; }
np_own() {
	np_mark=$(printf '%s\t%s\t' "$1" "$2")
	if [ "$1" = file ]; then np_mark=$np_mark$3; fi
	if grep -qsF "$np_mark" "$R$np_dir/owned"; then return 0; fi
	printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$R$np_dir/owned" || return
	[ "$1" = live ] || np_sync "$R$np_dir/owned"
}
np_boot_id() { cat "$R/proc/sys/kernel/random/boot_id"; }
np_has() { command -v "$1" >/dev/null 2>&1; }
np_lock() {
	umask 022
	LC_ALL=C
	export LC_ALL
	trap '' HUP PIPE
	if [ -z "$R" ] && [ "$(id -u)" -ne 0 ]; then
		printf 'np\tend\trefused\tnot root\n'
		return 1
	fi
	if ! mkdir -p "$R$np_dir" 2>/dev/null || ! : >"$R$np_dir/lock"; then
		printf 'np\tend\trefused\tcannot write %s: read-only or full\n' "$np_dir"
		return 1
	fi
	exec 9>"$R$np_dir/lock"
	if ! flock -n 9; then
		printf 'np\tend\tbusy\tanother run holds %s/lock\n' "$np_dir"
		return 1
	fi
}
np_begin() {
	np_lock || return
	np_free=$(df -Pk "$R/etc" | awk 'NR == 2 { print $4 }')
	if [ "${np_free:-0}" -lt 10240 ]; then
		printf 'np\tend\trefused\tless than 10 MiB are free for /etc: nothing was changed\n'
		return 1
	fi
	: >"$R$np_dir/results"
	np_state_load
	np_recall profile
	if [ "$np_v" != "$1" ]; then
		np_state profile "$1"
		np_state reboots 0
		np_state rebooted_for ''
	fi
	np_state status running
	np_state boot_id "$(np_boot_id)"
}
np_end() {
	np_run_later
	if [ "$np_failed" != ' ' ]; then
		np_end_status=failed
	elif [ -n "$np_reasons" ]; then
		np_end_status=reboot
	else
		np_end_status='done'
		np_state reboots 0
		np_state rebooted_for ''
	fi
	np_state reasons "$np_reasons"
	np_state step ''
	np_state status "$np_end_status"
	np_result end "$np_end_status" "$np_reasons"
	[ "$np_end_status" != failed ]
}
np_file() {
	np_to=$R$1
	if [ -h "$np_to" ]; then
		np_fail "$1 is a link to $(readlink "$np_to"): it is left alone"
		return
	fi
	np_old=absent
	if [ -f "$np_to" ]; then
		np_old=$(sha256sum <"$np_to")
		np_old=${np_old%% *}
	elif [ -e "$np_to" ]; then
		np_fail "$1 is no file"
		return
	fi
	np_new=$(printf '%s' "$4" | sha256sum)
	np_new=${np_new%% *}
	if [ "$np_old" = "$np_new" ]; then return 0; fi
	if [ "$3" != any ] && [ "$3" != "$np_old" ]; then
		np_fail "$1 has changed since the plan was made: plan again"
		return
	fi
	np_folder=${np_to%/*}
	if ! mkdir -p "$np_folder" || ! np_tmp=$(mktemp "$np_folder/.gpuyard.XXXXXX"); then
		np_fail "cannot write in ${1%/*}: read-only or full"
		return
	fi
	if np_file_fill "$1" "$2" "$4" && mv -f "$np_tmp" "$np_to" 2>/dev/null; then
		np_sync "$np_folder"
		np_changed
		return 0
	fi
	rm -f "$np_tmp"
	np_fail "cannot replace $1: a full disk, or a mount point"
}
np_file_fill() {
	printf '%s' "$3" >"$np_tmp" || return
	if [ "$np_old" = absent ]; then
		chmod "$2" "$np_tmp" || return
	else
		np_backup "$1" || return
		chown --reference="$np_to" "$np_tmp" && chmod --reference="$np_to" "$np_tmp" || return
	fi
	if [ -e "$R/sys/fs/selinux/enforce" ]; then
		if [ "$np_old" != absent ]; then
			chcon --reference="$np_to" "$np_tmp" || return
		elif np_has matchpathcon; then
			chcon "$(matchpathcon -n "$1")" "$np_tmp" || return
		fi
	fi
	np_own file "$1" "$np_new" && np_sync "$np_tmp"
}
np_backup() {
	np_saved=$R$np_dir/before/$(printf '%s' "${1#/}" | tr / '%')
	if [ -e "$np_saved" ]; then return 0; fi
	mkdir -p "$R$np_dir/before" && cp -p "$np_to" "$np_saved.new" && mv "$np_saved.new" "$np_saved"
}
np_link_to() {
	if [ -h "$R$1" ] && [ "$(readlink "$R$1")" = "$2" ]; then return 0; fi
	if [ -e "$R$1" ] && [ ! -h "$R$1" ]; then
		np_fail "$1 is there and no link: it is left alone"
		return
	fi
	if np_own link "$1" "$2" && mkdir -p "$R${1%/*}" && ln -sfn "$2" "$R$1"; then
		np_changed
	else
		np_fail "cannot make the link $1"
	fi
}
np_shows() {
	np_live=$(cat "$R$1" 2>/dev/null) || np_live=
	[ "$np_live" = "$2" ] && return
	case " $np_live " in *"[$2]"*) return 0 ;; esac
	return 1
}
np_sysfs() {
	if [ ! -e "$R$1" ]; then
		np_na "$1 is not on this host"
		return 0
	fi
	if np_shows "$1" "$2"; then return 0; fi
	np_was_live=${np_live#*\[}
	np_own live "$1" "${np_was_live%%\]*}" || return
	{ printf '%s\n' "$2" >"$R$1"; } 2>/dev/null || :
	if np_shows "$1" "$2"; then
		np_changed
		return 0
	fi
	np_fail "$1 stays at $np_live, wanted $2"
}
np_module() {
	for np_m in "$@"; do
		np_mod=$(printf '%s' "$np_m" | tr - _)
		if [ -d "$R/sys/module/$np_mod" ]; then continue; fi
		np_try modprobe "$np_m" || return
		np_changed
	done
}
np_family() {
	[ -z "${np_os:-}" ] || return 0
	np_id=$(sed -n 's/^ID=//p' "$R/etc/os-release" | tr -d '"')
	np_like=$(sed -n 's/^ID_LIKE=//p' "$R/etc/os-release" | tr -d '"')
	case $np_id in
	ubuntu | debian) np_os=$np_id ;;
	amzn) np_os=al2023 ;;
	rhel | rocky | almalinux | centos) np_os=rhel ;;
	*) case " $np_like " in *' rhel '*) np_os=rhel ;; *) np_os=unknown ;; esac ;;
	esac
}
np_on() {
	np_family
	case " $1 " in
	*" $np_os "*) ;;
	*) return 0 ;;
	esac
	shift
	"$@"
}
np_runs_systemd() {
	np_v=
	if [ -r "$R/proc/1/comm" ]; then read -r np_v <"$R/proc/1/comm"; fi
	[ "$np_v" = systemd ]
}
np_systemd() {
	if np_runs_systemd; then return 0; fi
	np_na 'systemd does not run this host'
	return 1
}
np_unit_on() {
	np_systemd || return 0
	if ! systemctl -q is-enabled "$1" >/dev/null 2>&1; then
		np_own enabled "$1" '' && np_try systemctl enable "$1" || return
		np_changed
	fi
	if ! systemctl -q is-active "$1" >/dev/null 2>&1; then
		np_own started "$1" '' && np_try systemctl start "$1" || return
		np_changed
	fi
}
np_unit_run() {
	np_systemd || return 0
	np_ran=$np_status
	if [ "$np_ran" != ok ]; then np_try systemctl daemon-reload || return; fi
	np_unit_on "$1" || return
	if [ "$np_ran" != ok ]; then np_try systemctl restart "$1"; fi
}
np_service_file() {
	np_was=$np_status
	np_status=ok
	np_file "$1" 0644 any "$2" || return
	if [ "$np_status" != ok ]; then
		if np_runs_systemd; then np_later "${3:-reload}"; fi
		[ -z "${4:-}" ] || np_later "restart $4"
	else
		np_status=$np_was
	fi
}
np_swap_off() {
	if [ -n "$(sed 1d "$R/proc/swaps" 2>/dev/null)" ]; then
		np_own swap off '' && np_try swapoff -a || return
		np_changed
	fi
	np_link_to /etc/systemd/system/swap.target /dev/null
}
np_where() {
	if [ -z "$(np_pci "$1" "$2")" ]; then
		np_na "this host does not have $3"
		return 0
	fi
	shift 3
	"$@"
}
np_governor() {
	np_any=
	for np_f in "$R"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do
		[ -e "$np_f" ] || continue
		np_any=yes
		if [ "$(cat "${np_f%/cpufreq/*}/online" 2>/dev/null)" = 0 ]; then continue; fi
		np_sysfs "${np_f#"$R"}" "$1" || return
	done
	if [ -z "$np_any" ]; then
		np_na 'this host has no cpufreq'
		return 0
	fi
	np_service_file /etc/systemd/system/gpuyard-governor.service "$2" || return
	np_unit_run gpuyard-governor.service
}
np_apt() {
	DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l apt-get -qq -y -o DPkg::Lock::Timeout=120 \
		-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
}
np_dpkg() { DEBIAN_FRONTEND=noninteractive dpkg "$@"; }
np_update() {
	np_before=$np_detail
	np_tries=0
	until np_try np_apt update; do
		case $np_detail in
		*lists/lock*) [ "$np_tries" -lt 60 ] || return ;;
		*) return 1 ;;
		esac
		np_detail=$np_before
		np_tries=$((np_tries + 1))
		sleep 2
	done
}
np_packages_ready() {
	[ -z "${np_ready:-}" ] || return 0
	if [ -z "${np_in_cloud_init:-}" ] && np_has cloud-init && [ -d "$R/run/cloud-init" ] && [ ! -e "$R/run/cloud-init/result.json" ]; then
		np_try timeout 900 cloud-init status --wait || np_detail=
	fi
	if np_has apt-get; then
		if [ -n "$(dpkg --audit 2>/dev/null)" ]; then
			np_try np_dpkg --configure -a || return
			np_changed
		fi
		np_update || return
	elif ! np_has dnf; then
		np_fail 'this host has neither apt-get nor dnf'
		return
	fi
	np_ready=yes
}
np_version_of() {
	if np_has dpkg-query; then
		# shellcheck disable=SC2016 # the field names are for dpkg-query
		dpkg-query -W -f='${db:Status-Abbrev}|${Version}' "$1" 2>/dev/null | sed -n 's/^[hi]i |//p'
	else
		rpm -q --qf '%{VERSION}-%{RELEASE}\n' "$1" 2>/dev/null | grep -v 'not installed' | head -n 1
	fi
}
np_upstream() { printf '%s' "$1" | sed 's/^[0-9]*://; s/[-+~].*//'; }
np_offered() {
	if np_has apt-cache; then
		apt-cache madison "$1" 2>/dev/null | cut -d '|' -f 2 | tr -d ' '
	else
		dnf -q list --showduplicates "$1" 2>/dev/null | awk -v p="$1." 'index($1, p) == 1 { print $2 }'
	fi | while read -r np_full; do
		if [ "$(np_upstream "$np_full")" = "$2" ]; then
			printf '%s' "$np_full"
			break
		fi
	done
}
np_install() {
	np_wanted=
	for np_p in "$@"; do
		if [ -z "$(np_version_of "$np_p")" ]; then np_wanted="$np_wanted $np_p"; fi
	done
	[ -n "$np_wanted" ] || return 0
	np_packages_ready || return
	if np_has apt-get; then
		# shellcheck disable=SC2086 # package names
		np_try np_apt install --no-install-recommends $np_wanted || return
	else
		# shellcheck disable=SC2086 # package names
		np_try dnf -q -y install $np_wanted || return
	fi
	for np_p in $np_wanted; do
		[ -n "$(np_version_of "$np_p")" ] || {
			np_fail "$np_p is still not installed"
			return
		}
	done
	np_changed
}
np_install_exact() {
	np_want=$1
	shift
	np_pairs=
	np_all=yes
	for np_alternatives in "$@"; do
		np_pair=
		for np_p in $(printf '%s' "$np_alternatives" | tr '|' ' '); do
			np_full=$(np_version_of "$np_p")
			if [ -z "$np_pair" ] && [ -n "$np_full" ] && [ "$(np_upstream "$np_full")" = "$np_want" ]; then np_pair=$np_p=$np_full; fi
		done
		if [ -z "$np_pair" ]; then
			np_all=
			np_packages_ready || return
			for np_p in $(printf '%s' "$np_alternatives" | tr '|' ' '); do
				[ -n "$np_pair" ] || np_full=$(np_offered "$np_p" "$np_want")
				if [ -z "$np_pair" ] && [ -n "$np_full" ]; then np_pair=$np_p=$np_full; fi
			done
		fi
		if [ -z "$np_pair" ]; then
			np_fail "no repository of this host has $np_alternatives in version $np_want: nothing was installed"
			return
		fi
		np_pairs="$np_pairs $np_pair"
	done
	# shellcheck disable=SC2086 # package names
	if [ -z "$np_all" ]; then np_install_pairs $np_pairs || return; fi
	# shellcheck disable=SC2086 # package names
	np_hold $np_pairs
}
np_install_pairs() {
	if np_has apt-get; then
		np_try np_apt install --no-install-recommends --allow-change-held-packages --allow-downgrades "$@" || {
			np_dkms_log
			return 1
		}
	else
		np_specs=
		for np_pair in "$@"; do np_specs="$np_specs ${np_pair%%=*}-${np_pair#*=}"; done
		# shellcheck disable=SC2086 # package names
		np_try dnf -q -y --allowerasing --setopt=exit_on_lock=False install $np_specs || {
			np_dkms_log
			return 1
		}
	fi
	np_changed
}
np_hold() {
	if np_has apt-mark; then
		np_held=$(dpkg-query -W -f='${db:Status-Abbrev}|${Package}\n' 2>/dev/null | sed -n 's/^h. |//p')
		for np_pair in "$@"; do
			if ! printf '%s\n' "$np_held" | grep -qxF "${np_pair%%=*}"; then
				np_own held "${np_pair%%=*}" '' && np_try apt-mark hold "${np_pair%%=*}" || return
				np_changed
			fi
		done
		return 0
	fi
	np_held=$(cat "$R/etc/dnf/plugins/versionlock.list" 2>/dev/null)
	for np_pair in "$@"; do
		case $np_held in
		*"${np_pair%%=*}-"*"${np_pair#*=}"*) ;;
		*)
			np_install python3-dnf-plugin-versionlock || return
			np_own held "${np_pair%%=*}-${np_pair#*=}" '' && np_try dnf -q versionlock add "${np_pair%%=*}-${np_pair#*=}" || return
			np_changed
			;;
		esac
	done
}
np_headers() {
	np_release=$(uname -r)
	if [ -e "$R/lib/modules/$np_release/build" ]; then return 0; fi
	np_family
	case $np_os in
	ubuntu | debian) np_install "linux-headers-$np_release" ;;
	al2023)
		case $np_release in
		6.1.*) np_install "kernel-devel-$np_release" ;;
		*) np_install "kernel$(printf '%s' "$np_release" | cut -d . -f 1-2)-devel-$np_release" ;;
		esac
		;;
	*) np_install "kernel-devel-$np_release" ;;
	esac
}
np_initramfs() {
	if np_has update-initramfs; then
		np_try update-initramfs -u -k all
	elif np_has dracut; then
		np_try dracut --regenerate-all --force
	fi
}
np_pci() {
	for np_f in "$R"/sys/bus/pci/devices/*; do
		[ -r "$np_f/vendor" ] || continue
		read -r np_vendor <"$np_f/vendor"
		read -r np_class <"$np_f/class"
		case $np_vendor$np_class in
		"$1$2"*) read -r np_device <"$np_f/device" && printf '%s\n' "$np_device" ;;
		esac
	done
}
np_may_load() {
	for np_f in "$R"/sys/firmware/efi/efivars/SecureBoot-*; do
		if [ -r "$np_f" ] && [ "$(od -An -t u1 "$np_f" | awk '{ print $5 }')" = 1 ]; then
			if [ -n "$(modinfo -F signer "$1" 2>/dev/null)" ]; then return 0; fi
			np_fail "Secure Boot is on, and nobody whose key this host trusts has signed the module $1: enrol a key, or turn Secure Boot off"
			return
		fi
	done
}
np_operator() {
	if [ -d "$R/run/nvidia/driver" ]; then
		np_fail 'the GPU operator owns the driver on this host: take nvidia.driver out of the profile, or set driver.enabled=false there'
	fi
}
np_nouveau_off() {
	if [ -z "$(np_pci 0x10de 0x03)" ]; then
		np_na 'this host has no NVIDIA GPU'
		return 0
	fi
	np_was=$np_status
	np_file /etc/modprobe.d/gpuyard-nouveau.conf 0644 any '# NVIDIA devices belong to the nvidia driver.
blacklist nouveau
options nouveau modeset=0
' || return
	if [ "$np_status" != "$np_was" ]; then np_initramfs || return; fi
	if [ -d "$R/sys/module/nouveau" ]; then np_reboot 'nouveau is loaded'; fi
}
np_nvidia() {
	np_devices=$(np_pci 0x10de 0x03)
	if [ -z "$np_devices" ]; then
		np_na 'this host has no NVIDIA GPU'
		return 0
	fi
	np_operator && np_may_load nvidia && np_headers || return
	np_flavour=open
	for np_d in $np_devices; do
		if [ "$((np_d))" -lt "$((0x1e00))" ]; then np_flavour=proprietary; fi
	done
	np_major=${1%%.*}
	np_family
	case $np_os$np_flavour in
	ubuntuopen) set -- "$1" "nvidia-open|nvidia-driver-$np_major-server-open" ;;
	ubuntu*) set -- "$1" "cuda-drivers|nvidia-driver-$np_major-server" ;;
	debianopen) set -- "$1" nvidia-open ;;
	debian*) set -- "$1" cuda-drivers ;;
	*open)
		np_try dnf -q -y module enable "nvidia-driver:$np_major-open" || np_try dnf -q -y module enable nvidia-driver:open-dkms || return
		np_detail=
		set -- "$1" kmod-nvidia-open-dkms 'nvidia-driver-cuda|nvidia-driver' nvidia-persistenced
		;;
	*)
		np_try dnf -q -y module enable "nvidia-driver:$np_major-dkms" || np_try dnf -q -y module enable nvidia-driver:latest-dkms || return
		np_detail=
		set -- "$1" kmod-nvidia-latest-dkms 'nvidia-driver-cuda|nvidia-driver' nvidia-persistenced
		;;
	esac
	if [ -n "$(np_pci 0x10de 0x0680)" ]; then
		set -- "$@" "nvidia-fabricmanager|nvidia-fabricmanager-$np_major|nvidia-fabric-manager"
	fi
	np_install_exact "$@" || return
	np_dkms nvidia || return
	np_loaded=$(cat "$R/sys/module/nvidia/version" 2>/dev/null) || np_loaded=
	if [ -z "$np_loaded" ] && [ -d "$R/sys/module/nouveau" ]; then
		np_reboot 'the driver is loaded at the next boot, without nouveau' # which holds the devices until then
	elif [ -z "$np_loaded" ]; then
		np_try modprobe nvidia || return
		np_changed
	elif [ "$np_loaded" != "$1" ]; then
		np_reboot "the module that is loaded is $np_loaded"
	fi
	if [ -n "$(np_pci 0x10de 0x0680)" ] && [ "$np_status" != reboot ]; then np_unit_on nvidia-fabricmanager.service; fi
}
np_dkms() {
	np_has dkms || return 0
	np_built=$(dkms status 2>/dev/null | grep "^$1[/,-]") || np_built=
	if [ -z "$np_built" ]; then return 0; fi
	np_next=$(np_next_kernel)
	if printf '%s\n' "$np_built" | grep -F "$np_next" | grep -q ': installed'; then return 0; fi
	np_try dkms autoinstall -k "$np_next" || {
		np_dkms_log
		return 1
	}
	np_changed
}
np_dkms_log() {
	np_log=$(find "$R/var/lib/dkms" -name make.log -newer "$R$np_dir/lock" 2>/dev/null | head -n 1)
	[ -z "$np_log" ] || np_note "${np_log#"$R"} ends: $(tail -n 15 "$np_log")"
}
np_next_kernel() {
	if np_has grubby; then
		np_k=$(grubby --default-kernel 2>/dev/null)
		printf '%s' "${np_k##*/vmlinuz-}"
		return
	fi
	np_k=$(find "$R/boot" -maxdepth 1 -name 'vmlinuz-*' 2>/dev/null | sed 's/.*vmlinuz-//' | sort -V | tail -n 1)
	printf '%s' "${np_k:-$(uname -r)}"
}
np_bootable() {
	np_next=$(np_next_kernel)
	if [ ! -e "$R/boot/vmlinuz-$np_next" ]; then
		np_note "this host has no /boot/vmlinuz-$np_next: its kernel is started from outside"
		return 0
	fi
	np_image=/boot/initrd.img-$np_next
	if ! np_has update-initramfs; then np_image=/boot/initramfs-$np_next.img; fi
	for np_f in "/boot/vmlinuz-$np_next" "$np_image"; do
		if [ ! -s "$R$np_f" ]; then
			np_fail "$np_f is missing or empty: this host would not boot"
			return
		fi
	done
}
np_apply_here() {
	np_begin "$1" || return
	np_items
	np_end
}
np_apply() {
	if [ "$2" != slow ] || ! np_runs_systemd || ! np_has systemd-run; then
		np_apply_here "$1"
		return
	fi
	(np_begin "$1") || return
	if ! np_save_script no; then
		printf 'np\tend\trefused\tcannot write %s: read-only or full\n' "$np_dir"
		return 1
	fi
	if systemctl -q is-active gpuyard-nodeprep-run.service 2>/dev/null; then
		printf 'np\tend\tbusy\tgpuyard-nodeprep-run.service is still running\n'
		return 1
	fi
	: >"$R$np_dir/results"
	systemctl reset-failed gpuyard-nodeprep-run.service >/dev/null 2>&1 || :
	systemd-run --quiet --collect --wait --unit=gpuyard-nodeprep-run sh "$R$np_dir/script" here >/dev/null </dev/null || :
	rm -f "$R$np_dir/script"
	cat "$R$np_dir/results"
	grep -Eq '^np.end.(done|reboot)' "$R$np_dir/results"
}
np_save_script() {
	if [ -z "${np_payload:-}" ]; then [ -s "$R$np_dir/script" ] && return; fi
	mkdir -p "$R$np_dir" && (umask 077 && printf 'np_mode=%s\nnp_self_reboot=%s\nset -- here\n%s\n' "${np_mode:-script}" "$1" "$np_payload" >"$R$np_dir/script.new") &&
		np_sync "$R$np_dir/script.new" && mv -f "$R$np_dir/script.new" "$R$np_dir/script"
}
np_refuse_reboot() {
	np_clean "$1"
	printf 'np\treboot\trefused\t%s\n' "$np_v"
	return 1
}
np_reboot_now() {
	np_state_load
	np_recall status
	if [ "$np_v" != reboot ]; then
		np_refuse_reboot "the last run left nothing that needs a reboot (it is ${np_v:-not known})"
		return
	fi
	case $(systemd-detect-virt --container 2>/dev/null) in
	none | '') ;;
	*)
		np_refuse_reboot 'a container does not boot'
		return
		;;
	esac
	np_recall reasons
	np_reasons=$np_v
	np_recall rebooted_for
	np_earlier=$np_v
	for np_r in $np_reasons; do
		case " $np_earlier " in *" $np_r "*)
			np_refuse_reboot "it was rebooted for $np_r already, and $np_r is still not right"
			return
			;;
		esac
	done
	np_recall reboots
	np_count=${np_v:-0}
	if [ "$np_count" -ge 2 ]; then
		np_refuse_reboot 'it was rebooted twice already'
		return
	fi
	np_detail=
	if ! np_bootable; then
		np_refuse_reboot "$np_detail"
		return
	fi
	np_state reboots $((np_count + 1))
	np_state rebooted_for "$np_earlier${np_earlier:+ }$np_reasons"
	np_state status rebooting
	sync
	printf 'np\treboot\tgoing\t%s\n' "$(np_boot_id)"
	if np_has systemd-run; then
		systemd-run --quiet --on-active=2 systemctl reboot >/dev/null 2>&1 </dev/null
	else
		(sleep 2 && reboot) >/dev/null 2>&1 </dev/null &
	fi
}
np_resume_unit() {
	np_state_load
	np_recall status
	if [ "$np_v" = reboot ]; then
		np_status=ok
		np_detail=
		np_save_script yes && np_file /etc/systemd/system/gpuyard-nodeprep.service 0644 any "# Goes on with the preparation of this host after a reboot, kept by gpuyard.
[Unit]
Description=Preparation of this host
ConditionPathExists=$np_dir/script
[Service]
Type=oneshot
ExecStart=/bin/sh $np_dir/script
[Install]
WantedBy=multi-user.target
" && np_try systemctl enable gpuyard-nodeprep.service && np_reboot_now
		return
	fi
	if [ -e "$R/etc/systemd/system/gpuyard-nodeprep.service" ]; then
		systemctl disable gpuyard-nodeprep.service >/dev/null 2>&1 || :
		rm -f "$R/etc/systemd/system/gpuyard-nodeprep.service" "$R$np_dir/script"
	fi
}

# shellcheck disable=SC2016 # files may hold dollar signs
np_item_1() {
	np_on 'ubuntu debian' np_file /etc/needrestart/conf.d/zz-gpuyard.conf 0644 absent '# It lists and restarts nothing by itself, kept by gpuyard.
$nrconf{restart} = '\''l'\'';
$nrconf{kernelhints} = -1;
'
}

np_item_2() {
	np_swap_off
}

np_item_3() {
	np_file /etc/modules-load.d/gpuyard.conf 0644 absent '# Modules that this host loads at boot, kept by gpuyard.
ib_uverbs
ib_umad
rdma_ucm
' || return
	np_module ib_uverbs ib_umad rdma_ucm
}

np_item_4() {
	np_file /etc/tmpfiles.d/gpuyard-thp.conf 0644 absent '# Transparent huge pages, kept by gpuyard.
w /sys/kernel/mm/transparent_hugepage/enabled - - - - madvise
w /sys/kernel/mm/transparent_hugepage/defrag - - - - madvise
w /sys/kernel/mm/transparent_hugepage/shmem_enabled - - - - advise
' || return
	np_sysfs /sys/kernel/mm/transparent_hugepage/enabled madvise || return
	np_sysfs /sys/kernel/mm/transparent_hugepage/defrag madvise || return
	np_sysfs /sys/kernel/mm/transparent_hugepage/shmem_enabled advise
}

np_item_5() {
	np_file /etc/security/limits.d/99-zz-gpuyard.conf 0644 absent '# Limits of logins, kept by gpuyard. They do not reach services.
* - memlock unlimited
root - memlock unlimited
* - nofile 500000
root - nofile 500000
' || return
	np_service_file /etc/systemd/system.conf.d/99-gpuyard.conf '# Limits of services that name none, kept by gpuyard.
[Manager]
DefaultLimitMEMLOCK=infinity
DefaultLimitNOFILE=500000
' reexec || return
	np_service_file /etc/systemd/user.conf.d/99-gpuyard.conf '# Limits of services that name none, kept by gpuyard.
[Manager]
DefaultLimitMEMLOCK=infinity
DefaultLimitNOFILE=500000
' || return
	np_service_file /etc/systemd/system/containerd.service.d/99-gpuyard-limits.conf '# Limits of this service and of the containers that it starts, kept by gpuyard.
[Service]
LimitMEMLOCK=infinity
LimitNOFILE=500000
' reload containerd.service || return
	np_service_file /etc/systemd/system/kubelet.service.d/99-gpuyard-limits.conf '# Limits of this service and of the containers that it starts, kept by gpuyard.
[Service]
LimitMEMLOCK=infinity
LimitNOFILE=500000
' reload kubelet.service
}

# shellcheck disable=SC2016 # files may hold dollar signs
np_item_6() {
	np_governor performance '# Frequency governor of the processors, kept by gpuyard.
[Unit]
Description=Frequency governor
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c '\''for f in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do [ "$$(cat "$${f%%/cpufreq/*}/online" 2>/dev/null)" = 0 ] || echo performance >"$$f" || exit 1; done'\''
[Install]
WantedBy=multi-user.target
'
}

np_item_7() {
	np_nouveau_off || return
	np_nvidia 580.105.08
}

np_item_8() {
	np_where 0x10de 0x03 'an NVIDIA GPU' np_unit_on nvidia-persistenced.service
}

np_items() {
	:
	np_run needrestart '' np_item_1 anywhere
	np_run swap '' np_item_2 anywhere
	np_run kernel_modules '' np_item_3 anywhere
	np_run transparent_hugepages tuned np_item_4 anywhere
	np_run limits sysctl np_item_5 anywhere
	np_run governor tuned np_item_6 anywhere
	np_run nvidia_driver 'kernel_line upgrades' np_item_7 host
	np_run nvidia_persistence nvidia_driver np_item_8 host
}

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
np_owned_files='/etc/modprobe.d/gpuyard-nouveau.conf /etc/modules-load.d/gpuyard.conf /etc/needrestart/conf.d/zz-gpuyard.conf /etc/security/limits.d/99-zz-gpuyard.conf /etc/sysctl.d/99-zz-gpuyard.conf /etc/systemd/system.conf.d/99-gpuyard.conf /etc/systemd/system/containerd.service.d/99-gpuyard-limits.conf /etc/systemd/system/gpuyard-governor.service /etc/systemd/system/kubelet.service.d/99-gpuyard-limits.conf /etc/systemd/user.conf.d/99-gpuyard.conf /etc/tmpfiles.d/gpuyard-thp.conf'

if [ "${1:-}" = here ]; then
	np_apply_here 92ca71800ecac00f5bd72deb9e7828d655e41e0229065d895066162ea1e21ed1
else
	np_apply 92ca71800ecac00f5bd72deb9e7828d655e41e0229065d895066162ea1e21ed1 slow
fi
np_code=$?
if [ "${np_self_reboot:-}" = yes ]; then np_resume_unit; fi
if [ "${1:-}" != here ]; then np_facts; fi
[ "${np_mode:-}" = user-data ] || [ "$np_code" = 0 ]

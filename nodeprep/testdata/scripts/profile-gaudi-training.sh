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
np_words() {
	set -f
	# shellcheck disable=SC2086 # to make blanks single
	set -- $1
	np_w=$*
	set +f
}
np_sysctl_path() {
	case $1 in
	*/*) np_v=$1 ;;
	*)
		np_rest=$1
		np_v=
		while [ "$np_rest" != "${np_rest#*.}" ]; do
			np_v=$np_v${np_rest%%.*}/
			np_rest=${np_rest#*.}
		done
		np_v=$np_v$np_rest
		;;
	esac
}
np_later_files() {
	for np_f in "$R"/etc/sysctl.d/*.conf "$R"/run/sysctl.d/*.conf "$R"/usr/local/lib/sysctl.d/*.conf "$R"/usr/lib/sysctl.d/*.conf; do
		if [ -f "$np_f" ] && expr "x${np_f##*/}" '>' "x${np_conf##*/}" >/dev/null; then printf '%s\n' "$np_f"; fi
	done
	if [ -f "$R/etc/sysctl.conf" ]; then printf '%s\n' "$R/etc/sysctl.conf"; fi
}
np_overridden() {
	np_pattern=$(printf '%s' "$1" | sed 's/[].[*^$\\]/\\&/g; s/\\\./[.\/]/g')
	np_v=
	for np_f in $np_after_ours; do
		np_said=$(sed -n "s/^[[:space:]]*-\{0,1\}${np_pattern}[[:space:]]*=[[:space:]]*//p" "$np_f" | tail -n 1)
		if [ -n "$np_said" ]; then
			np_words "$np_said"
			np_v="${np_f#"$R"} $np_w"
		fi
	done
	[ -n "$np_v" ] || return 1
	if np_enough "${np_v#* }" "$3" "$2"; then return 1; fi
}
np_enough() {
	if [ "$1" = "$3" ]; then return 0; fi
	if [ "$2" != '>=' ]; then return 1; fi
	[ "$1" -ge "$3" ] 2>/dev/null
}
np_sysctls() {
	np_conf=$1
	shift
	np_content="# Kernel parameters of this host, kept by gpuyard. It sorts last, so that it has the last word.
"
	for np_s in "$@"; do
		np_sysctl_split "$np_s"
		if [ ! -e "$np_proc" ]; then
			np_na "$np_k is not on this kernel"
			continue
		fi
		np_words "$(cat "$np_proc")"
		np_live=$np_w
		if [ "$np_op" = '>=' ] && [ "$np_live" -gt "$np_want" ] 2>/dev/null; then np_want=$np_live; fi
		np_content="$np_content$np_k = $np_want
"
	done
	np_file "$np_conf" 0644 any "$np_content" || return
	np_after_ours=$(np_later_files)
	np_wrong=
	for np_s in "$@"; do
		np_sysctl_split "$np_s"
		if [ -e "$np_proc" ]; then np_sysctl_set; fi
	done
	[ -z "$np_wrong" ] || np_fail "$np_wrong"
}
np_sysctl_split() {
	np_k=${1%% *}
	np_want=${1#* }
	np_op=${np_want%% *}
	np_want=${np_want#* }
	np_sysctl_path "$np_k"
	np_proc=$R/proc/sys/$np_v
}
np_sysctl_set() {
	np_words "$(cat "$np_proc")"
	np_live=$np_w
	if ! np_enough "$np_live" "$np_op" "$np_want"; then
		np_own live "${np_proc#"$R"}" "$np_live" || return
		{ printf '%s\n' "$np_want" >"$np_proc"; } 2>/dev/null || :
		np_words "$(cat "$np_proc")"
		np_live=$np_w
		if np_enough "$np_live" "$np_op" "$np_want"; then
			np_changed
		else
			np_wrong="$np_wrong${np_wrong:+; }$np_k stays at $np_live, wanted $np_want"
		fi
	fi
	if np_overridden "$np_k" "$np_want" "$np_op"; then
		np_wrong="$np_wrong${np_wrong:+; }$np_k is overridden at boot by ${np_v%% *}, which sets ${np_v#* }"
	fi
}
np_module() {
	for np_m in "$@"; do
		np_mod=$(printf '%s' "$np_m" | tr - _)
		if [ -d "$R/sys/module/$np_mod" ]; then continue; fi
		np_try modprobe "$np_m" || return
		np_changed
	done
}
np_hugepages() {
	np_pool=/sys/devices/system/node/node$1/hugepages/hugepages-$2kB/nr_hugepages
	if [ ! -e "$R$np_pool" ]; then
		np_na "node $1 has no huge pages of $2 kB"
		return 0
	fi
	np_got=$(cat "$R$np_pool")
	if [ "${np_got:-0}" -ge "$3" ]; then return 0; fi
	np_own live "$np_pool" "${np_got:-0}" || return
	{ printf '%s\n' "$3" >"$R$np_pool"; } 2>/dev/null || :
	np_got=$(cat "$R$np_pool")
	if [ "${np_got:-0}" -lt "$3" ]; then
		np_fail "node $1 could reserve only ${np_got:-0} of $3 huge pages of $2 kB: memory is fragmented or short"
		return
	fi
	np_changed
	np_later 'restart kubelet.service'
}
np_hugepages_all() {
	np_nodes=
	np_count=0
	for np_f in "$R"/sys/devices/system/node/node[0-9]*; do
		if [ -d "$np_f/hugepages/hugepages-$1kB" ]; then
			np_nodes="$np_nodes ${np_f##*/node}"
			np_count=$((np_count + 1))
		fi
	done
	if [ "$np_count" -eq 0 ]; then
		np_na "no memory node has huge pages of $1 kB"
		return 0
	fi
	np_each_node=$(($2 / np_count))
	np_rest=$(($2 % np_count))
	np_content="# Huge pages by memory node, kept by gpuyard.
"
	np_ok=0
	# shellcheck disable=SC2086 # numbers, one a word
	for np_node in $(printf '%s\n' $np_nodes | sort -n); do
		np_share=$np_each_node
		if [ "$np_rest" -gt 0 ]; then
			np_share=$((np_share + 1))
			np_rest=$((np_rest - 1))
		fi
		np_content="${np_content}w /sys/devices/system/node/node$np_node/hugepages/hugepages-$1kB/nr_hugepages - - - - $np_share
"
		np_hugepages "$np_node" "$1" "$np_share" || np_ok=1
	done
	np_file /etc/tmpfiles.d/gpuyard-hugepages.conf 0644 any "$np_content" && return $np_ok
}
np_kernel_line() {
	np_running=" $(cat "$R/proc/cmdline") "
	for np_arg in "$@"; do
		case $np_arg$np_running in
		pci=*" $np_arg "*) ;;
		pci=*' pci='*)
			np_fail 'the command line has another pci= already, whose options would be lost'
			return
			;;
		esac
	done
	if np_has grubby && [ -d "$R/boot/loader/entries" ]; then
		np_line_grubby "$@" || return
	elif np_has update-grub && [ -f "$R/etc/default/grub" ]; then
		np_line_fragment "$@" || return
	else
		np_na 'no boot loader that this host could change: its kernel is started from outside'
		return 0
	fi
	for np_arg in "$@"; do
		case $np_running in
		*" $np_arg "*) ;;
		*) np_reboot "the running kernel lacks $np_arg" ;;
		esac
	done
}
np_line_fragment() {
	np_keys=
	for np_arg in "$@"; do np_keys="$np_keys${np_keys:+ | }${np_arg%%=*} | ${np_arg%%=*}=*"; done
	np_content="# Kernel command line by key, kept by gpuyard. Other values of these keys are taken out.
gpuyard_keep() {
	set -f
	gpuyard_line=
	for gpuyard_arg in \$1; do
		case \$gpuyard_arg in
		$np_keys) ;;
		*) gpuyard_line=\"\$gpuyard_line \$gpuyard_arg\" ;;
		esac
	done
	set +f
 }
gpuyard_keep \"\$GRUB_CMDLINE_LINUX_DEFAULT\"
GRUB_CMDLINE_LINUX_DEFAULT=\${gpuyard_line# }
gpuyard_keep \"\$GRUB_CMDLINE_LINUX\"
GRUB_CMDLINE_LINUX=\"\${gpuyard_line# } $*\"
"
	np_file /etc/default/grub.d/zz-gpuyard.cfg 0644 any "$np_content" || return
	if [ "$np_status" != ok ] || ! np_line_generated "$R/boot/grub/grub.cfg" "$@"; then
		np_try update-grub || return
		np_line_generated "$R/boot/grub/grub.cfg" "$@" || {
			np_fail "update-grub left $np_arg out of /boot/grub/grub.cfg"
			return
		}
		np_changed
	fi
}
np_line_generated() {
	np_cfg=$1
	shift
	for np_arg in "$@"; do
		grep -E '^[[:space:]]*linux' "$np_cfg" 2>/dev/null | grep -qF " $np_arg" || return
	done
}
np_line_grubby() {
	np_info=$(grubby --info=ALL 2>/dev/null | grep '^args=')
	for np_arg in "$@"; do
		np_missing=$(printf '%s\n' "$np_info" | tr '"' ' ' | grep -cvF " $np_arg ")
		if [ "$np_missing" -eq 0 ] && [ -n "$np_info" ]; then continue; fi
		np_own line "${np_arg%%=*}" "$(np_line_had "${np_arg%%=*}")" || return
		np_try grubby --update-kernel=ALL --remove-args="${np_arg%%=*}" --args="$np_arg" || return
		np_changed
	done
	for np_template in /etc/default/grub /etc/kernel/cmdline; do
		if [ -f "$R$np_template" ]; then np_line_template "$np_template" "$@" || return; fi
	done
}
np_line_had() {
	grubby --info=DEFAULT 2>/dev/null | sed -n 's/^args="\(.*\)"$/\1/p' | tr ' ' '\n' | grep -e "^$1\$" -e "^$1=" | tr '\n' ' ' | sed 's/ $//'
}
np_line_template() {
	np_template=$1
	shift
	np_content=$(awk -v args="$*" '
	function edit(line,   old, i, j, n, m, key, out, keep) {
		n = split(line, old, " ")
		m = split(args, want, " ")
		out = ""
		for (i = 1; i <= n; i++) {
			keep = 1
			for (j = 1; j <= m; j++) {
				key = want[j]
				sub(/=.*/, "", key)
				if (old[i] == key || index(old[i], key "=") == 1) keep = 0
			}
			if (keep) out = out (out == "" ? "" : " ") old[i]
		}
		return out (out == "" ? "" : " ") args
	}
	FILENAME ~ /kernel\/cmdline$/ { print edit($0); next }
	/^GRUB_CMDLINE_LINUX=/ { v = $0; sub(/^[^=]*=/, "", v); gsub(/^["'\'']|["'\'']$/, "", v); print "GRUB_CMDLINE_LINUX=\"" edit(v) "\""; next }
	{ print }' "$R$np_template") || return
	np_file "$np_template" 0644 any "$np_content
"
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
np_known() { [ "$(systemctl show -p LoadState --value "$1" 2>/dev/null)" = loaded ]; }
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
np_unit_mask() {
	np_systemd || return 0
	for np_u in "$@"; do
		case $(systemctl show -p LoadState --value "$np_u" 2>/dev/null) in
		masked) ;;
		not-found | '') ;;
		*)
			np_own_running "$np_u" && np_own masked "$np_u" '' && np_try systemctl mask --now "$np_u" || return
			np_changed
			;;
		esac
	done
}
np_own_running() {
	if systemctl -q is-active "$1" >/dev/null 2>&1; then np_own stopped "$1" ''; fi
}
np_unit_off() {
	np_systemd || return 0
	for np_u in "$@"; do
		if np_known "$np_u" && { systemctl -q is-enabled "$np_u" >/dev/null 2>&1 || systemctl -q is-active "$np_u" >/dev/null 2>&1; }; then
			np_own_running "$np_u" || return
			if systemctl -q is-enabled "$np_u" >/dev/null 2>&1; then np_own disabled "$np_u" '' || return; fi
			np_try systemctl disable --now "$np_u" || return
			np_changed
		fi
	done
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
np_time_on() {
	np_systemd || return 0
	np_daemon=
	for np_u in chronyd.service chrony.service ntpsec.service ntp.service ntpd.service systemd-timesyncd.service; do
		if [ -z "$np_daemon" ] && systemctl -q is-active "$np_u" >/dev/null 2>&1; then np_daemon=$np_u; fi
	done
	if [ -z "$np_daemon" ]; then
		for np_u in chronyd.service chrony.service systemd-timesyncd.service; do
			if [ -z "$np_daemon" ] && np_known "$np_u"; then np_daemon=$np_u; fi
		done
		if [ -z "$np_daemon" ]; then
			np_install chrony || return
			np_daemon=chronyd.service
			np_on 'ubuntu debian' eval 'np_daemon=chrony.service'
		fi
		np_unit_on "$np_daemon" || return
	fi
	case $np_daemon in systemd-timesyncd.service) ;; *) np_unit_off systemd-timesyncd.service ;; esac
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
np_read_ahead() {
	for np_f in "$R"/sys/block/*/queue/read_ahead_kb; do
		np_d=${np_f%/queue/read_ahead_kb}
		case ${np_d##*/} in
		nvme* | sd* | vd* | xvd* | md* | dm-*) if [ -e "$np_f" ]; then np_sysfs "${np_f#"$R"}" "$1" || return; fi ;;
		esac
	done
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
np_raid0() {
	np_disks=
	np_count=0
	for np_f in "$R"/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_*; do
		case $np_f in *-part* | *_1 | *'*') continue ;; esac
		np_d=$(readlink "$np_f")
		np_d=${np_d##*/}
		case " $np_disks " in *" $np_d "*) continue ;; esac
		np_disks="$np_disks${np_disks:+ }$np_d"
		np_count=$((np_count + 1))
	done
	if [ "$np_count" -eq 0 ]; then
		np_na 'this host has no instance-store disk'
		return 0
	fi
	if grep -q " $1 " "$R/proc/mounts"; then return 0; fi
	if [ -e "$R/dev/disk/by-label/gpuyard-raid0" ]; then
		np_raid0_mount "$1"
		return
	fi
	for np_d in $np_disks; do
		if ls "$R/sys/block/$np_d/$np_d"p* >/dev/null 2>&1; then
			np_fail "$np_d has partitions: it is left alone"
			return
		fi
		if [ -n "$(ls "$R/sys/block/$np_d/holders" 2>/dev/null)" ]; then
			np_fail "$np_d is part of something else: it is left alone"
			return
		fi
		if grep -q "^/dev/$np_d" "$R/proc/mounts"; then
			np_fail "$np_d is mounted: it is left alone"
			return
		fi
		np_code=0
		blkid -p "$R/dev/$np_d" >/dev/null 2>&1 || np_code=$?
		if [ "$np_code" -ne 2 ]; then
			np_fail "$np_d has a signature: it is left alone"
			return
		fi
	done
	np_raid0_make "$1"
}
np_raid0_make() {
	np_has mkfs.xfs || np_install xfsprogs || return
	np_target=$R/dev/${np_disks%% *}
	if [ "$np_count" -gt 1 ]; then
		np_has mdadm || np_install mdadm || return
		np_members=
		for np_d in $np_disks; do np_members="$np_members $R/dev/$np_d"; done
		np_target=$R/dev/md/gpuyard
		mkdir -p "$R/dev/md"
		# shellcheck disable=SC2086 # devices
		np_try mdadm --create "$np_target" --run --force --level=0 --homehost=any --name=gpuyard --raid-devices="$np_count" $np_members || return
	fi
	np_try mkfs.xfs -q -L gpuyard-raid0 "$np_target" || return
	np_changed
	np_raid0_mount "$1"
}
np_raid0_mount() {
	np_uuid=$(blkid -s UUID -o value "$R/dev/disk/by-label/gpuyard-raid0" 2>/dev/null) || np_uuid=$(blkid -s UUID -o value "${np_target:-}") || {
		np_fail 'the new file system has no identifier'
		return
	}
	mkdir -p "$R$1"
	np_unit=$(systemd-escape -p --suffix=mount "$1") || return
	np_service_file "/etc/systemd/system/$np_unit" "# Instance-store disks, kept by gpuyard. They are empty after a stop: the host boots without them.
[Unit]
Description=Instance-store disks
[Mount]
What=/dev/disk/by-uuid/$np_uuid
Where=$1
Type=xfs
Options=defaults,noatime,nofail,x-systemd.device-timeout=30
[Install]
WantedBy=multi-user.target
" || return
	np_try systemctl daemon-reload || return
	np_unit_on "$np_unit"
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
np_habana() {
	if [ -z "$(np_pci 0x1da3 '')" ]; then
		np_na 'this host has no Gaudi'
		return 0
	fi
	np_may_load habanalabs && np_headers || return
	np_file /etc/modprobe.d/gpuyard-habana.conf 0644 any '# Gaudi registers verbs devices only where ib_uverbs is loaded first.
softdep habanalabs_ib pre: ib_uverbs
' || return
	np_module ib_uverbs || return
	np_install_exact "$1" habanalabs-dkms habanalabs-thunk habanalabs-firmware habanalabs-firmware-tools habanalabs-rdma-core || return
	np_dkms habanalabs || return
	np_loaded=$(cat "$R/sys/module/habanalabs/version" 2>/dev/null) || np_loaded=
	if [ -z "$np_loaded" ]; then
		np_try modprobe habanalabs || return
		np_changed
	elif [ "$(np_upstream "$np_loaded")" != "$1" ]; then
		np_reboot "the module that is loaded is $np_loaded"
	fi
}
np_efa() {
	if ! np_pci 0x1d0f 0x02 | grep -q '^0xefa[0-9a-f]$'; then
		np_na 'this host has no EFA'
		return 0
	fi
	np_have=$(sed -n 's/.*EFA installer version: *//p' "$R/opt/amazon/efa_installed_packages" 2>/dev/null | head -n 1)
	if [ "$np_have" = "$1" ]; then return 0; fi
	np_tar=/var/lib/gpuyard/aws-efa-installer-$1.tar.gz
	if [ ! -f "$R$np_tar" ] || [ ! -f "$R$np_tar.sig" ]; then
		np_fail "put the EFA installer and its signature at $np_tar and $np_tar.sig, with the key in the keyring of root"
		return
	fi
	np_try gpg --batch --verify "$R$np_tar.sig" "$R$np_tar" || return
	np_packages_ready || return
	rm -rf "$R/var/lib/gpuyard/efa.new"
	mkdir -p "$R/var/lib/gpuyard/efa.new" && np_try tar -xzf "$R$np_tar" -C "$R/var/lib/gpuyard/efa.new" || return
	np_try sh -c "cd '$R/var/lib/gpuyard/efa.new/aws-efa-installer' && ./efa_installer.sh --minimal -y" || return
	rm -rf "$R/var/lib/gpuyard/efa.new"
	np_changed
	if [ ! -d "$R/sys/module/efa" ]; then np_module efa; fi
}
np_links_up() {
	np_service_file /etc/systemd/system/gpuyard-gaudi-links.service "$1" || return
	np_unit_run gpuyard-gaudi-links.service
}
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
np_secret_file() {
	mkdir -p "$R${1%/*}" || return
	if [ -f "$R$1" ] && [ "$(cat "$R$1")" = "$(printf '%s' "$2")" ]; then return 0; fi
	if np_own file "$1" "$(printf '%s' "$2" | sha256sum | cut -d ' ' -f 1)" && (umask 077 && printf '%s' "$2" >"$R$1.new") && np_sync "$R$1.new" && mv -f "$R$1.new" "$R$1"; then
		np_changed
	else
		np_fail "cannot write $1"
	fi
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

np_item_1() {
	np_unit_off tuned.service
}

np_item_2() {
	np_on 'ubuntu debian' np_unit_mask unattended-upgrades.service apt-daily-upgrade.timer || return
	np_on 'rhel al2023' np_unit_mask dnf-automatic.timer dnf-automatic-install.timer
}

# shellcheck disable=SC2016 # files may hold dollar signs
np_item_3() {
	np_on 'ubuntu debian' np_file /etc/needrestart/conf.d/zz-gpuyard.conf 0644 any '# It lists and restarts nothing by itself, kept by gpuyard.
$nrconf{restart} = '\''l'\'';
$nrconf{kernelhints} = -1;
'
}

np_item_4() {
	np_time_on
}

np_item_5() {
	np_swap_off
}

np_item_6() {
	np_file /etc/modules-load.d/gpuyard.conf 0644 any '# Modules that this host loads at boot, kept by gpuyard.
ib_uverbs
ib_umad
rdma_ucm
' || return
	np_module ib_uverbs ib_umad rdma_ucm
}

np_item_7() {
	np_sysctls /etc/sysctl.d/99-zz-gpuyard.conf 'fs.nr_open >= 1048576' 'fs.file-max >= 1000000' 'kernel.numa_balancing = 0' 'net.core.netdev_max_backlog >= 10000' 'net.core.rmem_max >= 67108864' 'net.core.somaxconn >= 4096' 'net.core.wmem_max >= 67108864' 'net.ipv4.tcp_max_syn_backlog >= 8192' 'vm.max_map_count >= 1048576' 'vm.swappiness = 10' 'vm.zone_reclaim_mode = 0'
}

np_item_8() {
	np_file /etc/tmpfiles.d/gpuyard-thp.conf 0644 any '# Transparent huge pages, kept by gpuyard.
w /sys/kernel/mm/transparent_hugepage/enabled - - - - madvise
w /sys/kernel/mm/transparent_hugepage/defrag - - - - madvise
w /sys/kernel/mm/transparent_hugepage/shmem_enabled - - - - advise
' || return
	np_sysfs /sys/kernel/mm/transparent_hugepage/enabled madvise || return
	np_sysfs /sys/kernel/mm/transparent_hugepage/defrag madvise || return
	np_sysfs /sys/kernel/mm/transparent_hugepage/shmem_enabled advise
}

np_item_9() {
	np_hugepages_all 2048 5128
}

np_item_10() {
	np_file /etc/security/limits.d/99-zz-gpuyard.conf 0644 any '# Limits of logins, kept by gpuyard. They do not reach services.
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
np_item_11() {
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

np_item_12() {
	np_file /etc/udev/rules.d/99-gpuyard-read-ahead.rules 0644 any '# Read-ahead of disks, kept by gpuyard.
ACTION=="add|change", SUBSYSTEM=="block", KERNEL=="nvme*|sd*|vd*|xvd*|md*|dm-*", ENV{DEVTYPE}=="disk", ATTR{queue/read_ahead_kb}="4096"
' || return
	np_read_ahead 4096
}

np_item_13() {
	np_kernel_line hugepagesz=1G hugepages=4 iommu=pt iommu.passthrough=1
}

np_item_14() {
	np_where 0x10de 0x03 'an NVIDIA GPU' np_gdrcopy 2.5.1 || return
	np_where 0x10de 0x03 'an NVIDIA GPU' np_file /etc/modules-load.d/gpuyard-gdrdrv.conf 0644 any '# GDRCopy, kept by gpuyard.
gdrdrv
' || return
	np_where 0x10de 0x03 'an NVIDIA GPU' np_module gdrdrv
}

np_item_15() {
	np_habana 1.22.0
}

# shellcheck disable=SC2016 # files may hold dollar signs
np_item_16() {
	np_where 0x1da3 '' 'a Gaudi' np_links_up '# Brings the links between Gaudis up, kept by gpuyard: they are down after a boot and after the driver loads.
[Unit]
Description=Links between Gaudis
After=network-pre.target systemd-modules-load.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c '\''for d in /sys/class/net/*/device/driver; do case $$(readlink "$$d") in */habanalabs*) ip link set "$$(echo "$$d" | cut -d / -f 5)" up || exit 1 ;; esac; done'\''
[Install]
WantedBy=multi-user.target
'
}

np_item_17() {
	np_efa 1.43.2
}

# shellcheck disable=SC2016 # files may hold dollar signs
np_item_18() {
	np_where 0x15b3 0x02 'an adapter of Mellanox' np_roce '# RoCE of this host'\''s adapters, kept by gpuyard. The switches must agree with it.
[Unit]
Description=Lossless RDMA over Ethernet
After=network-pre.target openibd.service
Before=kubelet.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c '\''for d in /sys/class/infiniband/mlx5_*; do i=$$(ls "$$d/device/net" | head -n 1); mlnx_qos -i "$$i" --trust dscp --pfc 0,0,0,1,0,0,0,0 || exit 1; ethtool -A "$$i" rx off tx off || :; for p in roce_np roce_rp; do echo 1 >/sys/class/net/$$i/ecn/$$p/enable/3 || exit 1; done; done; for t in /sys/class/infiniband/*/tc/1/traffic_class; do [ ! -e "$$t" ] || echo 106 >"$$t"; done'\''
[Install]
WantedBy=multi-user.target
'
}

np_item_19() {
	np_where 0x10de 0x03 'an NVIDIA GPU' np_file /etc/nccl.conf 0644 any '# NCCL of this host, kept by gpuyard. Containers see it where it is mounted.
NCCL_IB_HCA==mlx5_0,mlx5_1
NCCL_IB_TC=106
'
}

np_item_20() {
	np_raid0 /mnt/scratch
}

np_item_21() {
	np_containerd
}

np_item_22() {
	np_where 0x10de 0x03 'an NVIDIA GPU' np_container_toolkit 1.18.0
}

np_item_23() {
	np_join /etc/gpuyard/nodeconfig.yaml '# How this host joins its cluster, kept by gpuyard. It holds a secret.
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: rack
    region: us-west-2
  hybrid:
    ssm:
      activationCode: S3cretActivationCode+/=
      activationId: 12345678-1234-1234-1234-123456789012
' 1.35 us-west-2
}

np_items() {
	:
	np_run tuned '' np_item_1 anywhere
	np_run upgrades '' np_item_2 anywhere
	np_run needrestart '' np_item_3 anywhere
	np_run time '' np_item_4 host
	np_run swap '' np_item_5 anywhere
	np_run kernel_modules '' np_item_6 anywhere
	np_run sysctl 'kernel_modules tuned' np_item_7 anywhere
	np_run transparent_hugepages tuned np_item_8 anywhere
	np_run hugepages '' np_item_9 anywhere
	np_run limits sysctl np_item_10 anywhere
	np_run governor tuned np_item_11 anywhere
	np_run read_ahead '' np_item_12 anywhere
	np_run kernel_line '' np_item_13 host
	np_run gdrcopy nvidia_driver np_item_14 host
	np_run habana_driver 'kernel_line upgrades kernel_modules' np_item_15 host
	np_run habana_links habana_driver np_item_16 host
	np_run efa 'kernel_line upgrades' np_item_17 host
	np_run roce kernel_modules np_item_18 host
	np_run nccl '' np_item_19 anywhere
	np_run raid0 '' np_item_20 host
	np_run containerd 'upgrades limits' np_item_21 host
	np_run container_toolkit 'nvidia_driver containerd' np_item_22 host
	np_run cluster_join 'containerd swap nvidia_driver habana_driver container_toolkit limits' np_item_23 host
}


if [ "${1:-}" = here ]; then
	np_apply_here 7139885df45809a1ee5c69a99aca70ed97dc9268d5a3f2875512f2afb78078fb
else
	np_apply 7139885df45809a1ee5c69a99aca70ed97dc9268d5a3f2875512f2afb78078fb slow
fi
np_code=$?
if [ "${np_self_reboot:-}" = yes ]; then np_resume_unit; fi
[ "${np_mode:-}" = user-data ] || [ "$np_code" = 0 ]

R=${GPUYARD_ROOT:-}
np_dir=/var/lib/gpuyard/nodeprep
np_failed=' '
np_after=
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
np_try() {
	if np_out=$("$@" 2>&1 </dev/null); then return 0; fi
	np_fail "${1#np_} failed: $(printf '%s' "$np_out" | tail -c 1500)"
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
np_sync() { sync "$1" 2>/dev/null || sync; }
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
np_shows() {
	np_live=$(cat "$R$1" 2>/dev/null) || np_live=
	[ "$np_live" = "$2" ] && return
	case " $np_live " in *"[$2]"*) return 0 ;; esac
	return 1
}
np_words() {
	set -f
	# shellcheck disable=SC2086 # to make blanks single
	set -- $1
	np_w=$*
	set +f
}
np_runs_systemd() {
	np_v=
	if [ -r "$R/proc/1/comm" ]; then read -r np_v <"$R/proc/1/comm"; fi
	[ "$np_v" = systemd ]
}
np_initramfs() {
	if np_has update-initramfs; then
		np_try update-initramfs -u -k all
	elif np_has dracut; then
		np_try dracut --regenerate-all --force
	fi
}
np_revert() {
	np_lock || return
	: >"$R$np_dir/results"
	awk -F '\t' '!seen[$1 FS $2]++ { l[++n] = $0 } END { while (n) print l[n--] }' "$R$np_dir/owned" >"$R$np_dir/reverting" 2>/dev/null || :
	np_grub=
	np_image=
	while IFS=$(printf '\t') read -r np_kind np_name np_value; do
		np_status=reverted
		np_detail=
		np_revert_one "$np_kind" "$np_name" "$np_value" </dev/null >&2 || np_status=failed
		if [ "$np_status" = failed ]; then np_failed="$np_failed$np_name "; fi
		np_result "$np_name" "$np_status" "$np_detail"
		if [ "$np_kind$np_status" = joinedfailed ]; then break; fi
	done <"$R$np_dir/reverting"
	np_revert_built
	if np_runs_systemd; then np_run_later; fi
	if [ "$np_failed" != ' ' ]; then
		np_result end failed ''
		return
	fi
	rm -rf "$R${np_dir:?}"
	rmdir "$R/var/lib/gpuyard" "$R/etc/gpuyard" 2>/dev/null || :
	printf 'np\tend\tdone\t\n'
}
np_revert_one() {
	case $1 in
	file) np_revert_file "$2" ;;
	link) np_revert_link "$2" "$3" ;;
	live) np_revert_live "$2" "$3" ;;
	line) np_try grubby --update-kernel=ALL --remove-args="$2" ${3:+--args="$3"} ;;
	enabled) np_revert_unit disable "$2" ;;
	disabled) np_revert_unit enable "$2" ;;
	started) np_revert_unit stop "$2" ;;
	stopped) np_revert_unit start "$2" ;;
	masked) np_revert_unit unmask "$2" ;;
	swap) np_try swapon -a ;;
	held) if np_has apt-mark; then np_try apt-mark unhold "$2"; else np_try dnf -q versionlock delete "$2"; fi ;;
	joined) np_try nodeadm uninstall ;;
	esac
}
np_keep() {
	np_status=kept
	np_note "$1"
}
np_revert_file() {
	if [ ! -f "$R$1" ] || [ -h "$R$1" ]; then
		np_keep 'it is not there any more'
		return 0
	fi
	np_saved=$R$np_dir/before/$(printf '%s' "${1#/}" | tr / '%')
	np_old=$(sha256sum <"$R$1" | cut -d ' ' -f 1)
	if ! grep -qF "$(printf 'file\t%s\t%s' "$1" "$np_old")" "$R$np_dir/owned"; then
		if [ ! -f "$np_saved" ] || [ "$(sha256sum <"$np_saved" | cut -d ' ' -f 1)" != "$np_old" ]; then np_keep 'somebody has changed it since'; fi
		return 0
	fi
	if [ -f "$np_saved" ]; then
		np_tmp=$R${1%/*}/.gpuyard.revert
		np_try cp -p "$np_saved" "$np_tmp" && np_sync "$np_tmp" && np_try mv -f "$np_tmp" "$R$1" || return
		if np_has restorecon; then restorecon "$R$1" >/dev/null 2>&1 || :; fi
	else
		np_try rm -f "$R$1" || return
		case ${1%/*} in /etc/systemd/*.d) rmdir "$R${1%/*}" 2>/dev/null || : ;; esac
	fi
	case $1 in
	/etc/default/grub*)
		np_grub=yes
		np_note 'it counts from the next boot on'
		;;
	/etc/modprobe.d/*) np_image=yes ;;
	/etc/systemd/*.conf.d/*) np_later reexec ;;
	/etc/systemd/*) np_later reload ;;
	esac
}
np_revert_built() {
	np_status=reverted
	np_detail=
	if [ -n "$np_grub" ] && np_has update-grub; then np_try update-grub || np_status=failed; fi
	if [ -n "$np_image" ]; then np_initramfs || np_status=failed; fi
	if [ "$np_status" = failed ]; then
		np_failed="$np_failed boot "
		np_result boot failed "$np_detail"
	fi
}
np_revert_link() {
	if [ "$(readlink "$R$1")" = "$2" ]; then
		np_try rm -f "$R$1" || return
		np_later reload
	else
		np_keep 'it leads elsewhere now'
	fi
}
np_revert_live() {
	if [ ! -e "$R$1" ] || np_shows "$1" "$2"; then return 0; fi
	{ printf '%s\n' "$2" >"$R$1"; } 2>/dev/null || :
	np_words "$(cat "$R$1")"
	if [ "$np_w" != "$2" ] && ! np_shows "$1" "$2"; then np_keep "it stays at $np_w until the next boot, and was $2"; fi
}
np_revert_unit() {
	if [ "$(systemctl show -p LoadState --value "$2" 2>/dev/null)" = not-found ]; then
		np_keep 'it is not installed any more'
	else
		np_try systemctl "$1" "$2"
	fi
}

np_revert

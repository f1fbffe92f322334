# Undoing what this host was given, the last first, by what np_own has kept.

# np_revert leaves what somebody has changed since, and packages. What is live only and was not kept goes with the next boot.
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
		# Below a node that is still in its cluster nothing is taken away.
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

# np_revert_one KIND NAME VALUE undoes one thing.
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
	# Others may upgrade it again, and it stays installed.
	held) if np_has apt-mark; then np_try apt-mark unhold "$2"; else np_try dnf -q versionlock delete "$2"; fi ;;
	# nodeadm refuses where pods still run.
	joined) np_try nodeadm uninstall ;;
	esac
}

# np_keep says why something stays as it is.
np_keep() {
	np_status=kept
	np_note "$1"
}

# np_revert_file PATH gives a file its first content back, or takes it away where there was none.
np_revert_file() {
	if [ ! -f "$R$1" ] || [ -h "$R$1" ]; then
		np_keep 'it is not there any more'
		return 0
	fi
	np_saved=$R$np_dir/before/$(printf '%s' "${1#/}" | tr / '%')
	np_old=$(sha256sum <"$R$1" | cut -d ' ' -f 1)
	if ! grep -qF "$(printf 'file\t%s\t%s' "$1" "$np_old")" "$R$np_dir/owned"; then
		# Unless an earlier run has put it back.
		if [ ! -f "$np_saved" ] || [ "$(sha256sum <"$np_saved" | cut -d ' ' -f 1)" != "$np_old" ]; then np_keep 'somebody has changed it since'; fi
		return 0
	fi
	if [ -f "$np_saved" ]; then
		np_tmp=$R${1%/*}/.gpuyard.revert
		np_try cp -p "$np_saved" "$np_tmp" && np_sync "$np_tmp" && np_try mv -f "$np_tmp" "$R$1" || return
		if np_has restorecon; then restorecon "$R$1" >/dev/null 2>&1 || :; fi
	else
		np_try rm -f "$R$1" || return
		# A folder of drop-ins that nobody else has anything in was made for ours.
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

# np_revert_built makes anew what the system makes of files, once.
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

# np_revert_link PATH TARGET
np_revert_link() {
	if [ "$(readlink "$R$1")" = "$2" ]; then
		np_try rm -f "$R$1" || return
		np_later reload
	else
		np_keep 'it leads elsewhere now'
	fi
}

# np_revert_live PATH VALUE: what the kernel does not take stays until the next boot.
np_revert_live() {
	if [ ! -e "$R$1" ] || np_shows "$1" "$2"; then return 0; fi
	{ printf '%s\n' "$2" >"$R$1"; } 2>/dev/null || :
	np_words "$(cat "$R$1")"
	if [ "$np_w" != "$2" ] && ! np_shows "$1" "$2"; then np_keep "it stays at $np_w until the next boot, and was $2"; fi
}

# np_revert_unit VERB UNIT
np_revert_unit() {
	if [ "$(systemctl show -p LoadState --value "$2" 2>/dev/null)" = not-found ]; then
		np_keep 'it is not installed any more'
	else
		np_try systemctl "$1" "$2"
	fi
}

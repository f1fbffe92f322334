# What every prepared host runs: results, the lock, the state and the order of items.
# R is the root that is worked on: empty, or a folder in tests. Children never see the script's own input.

np_dir=/var/lib/gpuyard/nodeprep
np_failed=' '
np_reasons=
np_after=

# np_clean sets np_v to text that fits a result line: one line, no control characters, the end rather than the beginning.
np_clean() {
	np_v=$1
	case $1 in
	*[![:print:]]*) np_v=$(printf '%s' "$1" | tr '\n\t' '  ' | tr -d '\000-\037\177' | tail -c 2000) ;;
	esac
}

# np_result says what became of an item. The reader may be gone: what counts is in the file.
np_result() {
	np_clean "$3"
	printf 'np\t%s\t%s\t%s\n' "$1" "$2" "$np_v" >>"$R$np_dir/results"
	printf 'np\t%s\t%s\t%s\n' "$1" "$2" "$np_v" 2>/dev/null || :
}

# np_note adds to what is said about the item. np_fail does, and gives the item up.
np_note() { np_detail=$np_detail${np_detail:+; }$1; }
np_fail() {
	np_note "$1"
	return 1
}

# np_changed says that the item did something.
np_changed() { if [ "$np_status" = ok ] || [ "$np_status" = not-applicable ]; then np_status=changed; fi; }

# np_reboot says that what the item did counts from the next boot on.
np_reboot() {
	np_status=reboot
	np_note "$1"
}

# np_na says that something does not apply here, and why. Other steps of the item go on.
np_na() {
	if [ "$np_status" = ok ]; then np_status=not-applicable; fi
	np_note "$1"
}

# np_try runs a command, or a function np_COMMAND, quietly; if it fails, the end of what it said is the reason.
np_try() {
	if np_out=$("$@" 2>&1 </dev/null); then return 0; fi
	np_fail "${1#np_} failed: $(printf '%s' "$np_out" | tail -c 1500)"
}

# np_run carries out one item: its key, the keys that must not have failed, its function, and "host" if it is nothing
# for a container that a cluster starts on a running node: packages, drivers, the kernel's command line.
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

# np_later has a command run once after all items, however many ask for it.
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
		# A service that does not run takes the new settings when it starts.
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

# The state of the run on the host, one KEY=VALUE a line, whole or not at all.
np_state_keys='profile status step boot_id reboots rebooted_for reasons'

np_state_load() {
	for np_k in $np_state_keys; do eval "np_state_$np_k="; done
	if [ ! -f "$R$np_dir/state" ]; then return 0; fi
	while IFS='=' read -r np_k np_v; do
		case " $np_state_keys " in *" $np_k "*) eval "np_state_$np_k=\$np_v" ;; esac
	done <"$R$np_dir/state"
}

# np_state KEY VALUE keeps a fact of the run.
np_state() {
	eval "np_state_$1=\$2"
	for np_k in $np_state_keys; do eval "printf '%s=%s\n' $np_k \"\$np_state_$np_k\""; done >"$R$np_dir/state.new"
	# What is being done may be lost; what was decided may not.
	if [ "$1" != step ]; then np_sync "$R$np_dir/state.new"; fi
	mv -f "$R$np_dir/state.new" "$R$np_dir/state"
}

# np_recall KEY sets np_v to a fact of the run.
np_recall() { eval "np_v=\$np_state_$1"; }

# np_sync puts a file or folder on the disk; an old sync knows no arguments.
np_sync() { sync "$1" 2>/dev/null || sync; }

# np_own KIND NAME VALUE keeps, before it happens, what this host is given, and what it had instead: reverting goes by it.
# Of a file every content counts as given; of everything else what was there at first.
np_own() {
	np_mark=$(printf '%s\t%s\t' "$1" "$2")
	if [ "$1" = file ]; then np_mark=$np_mark$3; fi
	if grep -qsF "$np_mark" "$R$np_dir/owned"; then return 0; fi
	printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$R$np_dir/owned" || return
	# What is live only is lost with the machine.
	[ "$1" = live ] || np_sync "$R$np_dir/owned"
}

np_boot_id() { cat "$R/proc/sys/kernel/random/boot_id"; }

np_has() { command -v "$1" >/dev/null 2>&1; }

# np_lock has this run alone on the host, with a folder that can be written.
np_lock() {
	umask 022
	LC_ALL=C
	export LC_ALL
	# A connection that is lost must not stop the work halfway.
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

# np_begin takes the lock and refuses where nothing can be done. $1 names what is wanted.
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

# np_end closes the run: failed before reboot before done.
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

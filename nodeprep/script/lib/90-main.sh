# How a run goes. np_items is put together from the plan.

np_apply_here() {
	np_begin "$1" || return
	np_items
	np_end
}

# np_apply PROFILE SPEED. A slow run, one that installs packages, is a unit of its own: a connection that is lost costs
# nothing, and the next one finds it running or done.
np_apply() {
	if [ "$2" != slow ] || ! np_runs_systemd || ! np_has systemd-run; then
		np_apply_here "$1"
		return
	fi
	# What keeps the run from beginning is said here, where somebody hears it.
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
	# It may carry a secret.
	rm -f "$R$np_dir/script"
	cat "$R$np_dir/results"
	grep -Eq '^np.end.(done|reboot)' "$R$np_dir/results"
}

# np_save_script SELF keeps this very script on the host; SELF says whether it may reboot it. The script that runs after
# a reboot is the saved one, and stays.
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

# np_reboot_now reboots for the reasons that the last run left: at most twice, and never for the same reason again.
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
	# Later, so that whoever asked hears the answer before the connection goes.
	if np_has systemd-run; then
		systemd-run --quiet --on-active=2 systemctl reboot >/dev/null 2>&1 </dev/null
	else
		(sleep 2 && reboot) >/dev/null 2>&1 </dev/null &
	fi
}

# np_resume_unit has the script run again after a reboot that it asks for itself, until it is done.
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

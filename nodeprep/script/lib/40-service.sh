# Units of systemd, and who this host is.

# np_family sets np_os to the family of this distribution.
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

# np_on 'FAMILIES' COMMAND... runs a command on these families alone.
np_on() {
	np_family
	case " $1 " in
	*" $np_os "*) ;;
	*) return 0 ;;
	esac
	shift
	"$@"
}

# np_known UNIT: is it installed?
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

# np_unit_on UNIT enables and starts a unit.
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

# np_unit_run UNIT is np_unit_on for one that must run again, since its file has changed.
np_unit_run() {
	np_systemd || return 0
	np_ran=$np_status
	if [ "$np_ran" != ok ]; then np_try systemctl daemon-reload || return; fi
	np_unit_on "$1" || return
	if [ "$np_ran" != ok ]; then np_try systemctl restart "$1"; fi
}

# np_unit_mask UNIT... stops units and lets nobody start them. One that is not installed is left out, unless it is a
# target, which others can install later.
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

# np_own_running UNIT keeps that a unit ran that is stopped now.
np_own_running() {
	if systemctl -q is-active "$1" >/dev/null 2>&1; then np_own stopped "$1" ''; fi
}

# np_unit_off UNIT... stops and disables units that are installed.
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

# np_service_file PATH CONTENT keeps a unit or a drop-in, and has systemd read it.
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

# np_swap_off turns swap off now and at every boot. fstab stays as it is: masking the target reaches swap from
# every source, and is undone by one command.
np_swap_off() {
	if [ -n "$(sed 1d "$R/proc/swaps" 2>/dev/null)" ]; then
		np_own swap off '' && np_try swapoff -a || return
		np_changed
	fi
	np_link_to /etc/systemd/system/swap.target /dev/null
}

# np_time_on keeps one time daemon: the one that runs, else the one that is installed.
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
	# Two daemons would pull the clock apart.
	case $np_daemon in systemd-timesyncd.service) ;; *) np_unit_off systemd-timesyncd.service ;; esac
}

# np_where VENDOR CLASS WHAT COMMAND... runs a command where a device is.
np_where() {
	if [ -z "$(np_pci "$1" "$2")" ]; then
		np_na "this host does not have $3"
		return 0
	fi
	shift 3
	"$@"
}

# np_governor GOVERNOR UNIT sets the governor of the processors that are online.
np_governor() {
	np_any=
	for np_f in "$R"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do
		[ -e "$np_f" ] || continue
		np_any=yes
		# A processor that is offline takes no governor (EBUSY). The first often has no file that says it is online.
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

# np_read_ahead KIB sets the read-ahead of disks that are there.
np_read_ahead() {
	for np_f in "$R"/sys/block/*/queue/read_ahead_kb; do
		np_d=${np_f%/queue/read_ahead_kb}
		case ${np_d##*/} in
		nvme* | sd* | vd* | xvd* | md* | dm-*) if [ -e "$np_f" ]; then np_sysfs "${np_f#"$R"}" "$1" || return; fi ;;
		esac
	done
}

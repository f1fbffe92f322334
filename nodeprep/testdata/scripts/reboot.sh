R=${GPUYARD_ROOT:-}
np_dir=/var/lib/gpuyard/nodeprep
np_reasons=
np_state_keys='profile status step boot_id reboots rebooted_for reasons'
np_clean() {
	np_v=$1
	case $1 in
	*[![:print:]]*) np_v=$(printf '%s' "$1" | tr '\n\t' '  ' | tr -d '\000-\037\177' | tail -c 2000) ;;
	esac
}
np_note() { np_detail=$np_detail${np_detail:+; }$1; }
np_fail() {
	np_note "$1"
	return 1
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
np_boot_id() { cat "$R/proc/sys/kernel/random/boot_id"; }
np_has() { command -v "$1" >/dev/null 2>&1; }
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

np_reboot_now

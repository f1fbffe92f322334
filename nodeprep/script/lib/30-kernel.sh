# The kernel: files below /sys, parameters, modules, huge pages, command line.

# np_shows PATH VALUE: a choice shows its value in brackets, anything else is the value.
np_shows() {
	np_live=$(cat "$R$1" 2>/dev/null) || np_live=
	[ "$np_live" = "$2" ] && return
	case " $np_live " in *"[$2]"*) return 0 ;; esac
	return 1
}

# np_sysfs PATH VALUE writes a value, and reads it back.
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

# np_words TEXT sets np_w to the text with its blanks made single.
np_words() {
	set -f
	# shellcheck disable=SC2086 # to make blanks single
	set -- $1
	np_w=$*
	set +f
}

# np_sysctl_path KEY sets np_v to its path: dots divide, unless slashes do.
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

# np_later_files are the files that systemd or sysctl --system reads after ours.
np_later_files() {
	for np_f in "$R"/etc/sysctl.d/*.conf "$R"/run/sysctl.d/*.conf "$R"/usr/local/lib/sysctl.d/*.conf "$R"/usr/lib/sysctl.d/*.conf; do
		if [ -f "$np_f" ] && expr "x${np_f##*/}" '>' "x${np_conf##*/}" >/dev/null; then printf '%s\n' "$np_f"; fi
	done
	if [ -f "$R/etc/sysctl.conf" ]; then printf '%s\n' "$R/etc/sysctl.conf"; fi
}

# np_overridden KEY VALUE OP: does a later file say something else? Then np_v is which, and what.
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

# np_enough LIVE OP WANTED
np_enough() {
	if [ "$1" = "$3" ]; then return 0; fi
	if [ "$2" != '>=' ]; then return 1; fi
	[ "$1" -ge "$3" ] 2>/dev/null
}

# np_sysctls FILE 'KEY = VALUE' 'KEY >= VALUE' … keeps parameters in one file that sorts last, sets them, and reads
# every one back: systemd-sysctl succeeds even where a key is missing. >= never lowers what the host has.
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

# np_module NAME... loads modules. One that is built in is there already.
np_module() {
	for np_m in "$@"; do
		np_mod=$(printf '%s' "$np_m" | tr - _)
		if [ -d "$R/sys/module/$np_mod" ]; then continue; fi
		np_try modprobe "$np_m" || return
		np_changed
	done
}

# np_hugepages NODE SIZE_KB COUNT reserves at least so many pages on a node; it never gives back what others reserved.
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

# np_hugepages_all SIZE_KB TOTAL spreads pages over the nodes evenly, the rest to the first ones, now and at every boot.
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

# np_kernel_line ARG... edits the kernel command line by key, through whoever owns it.
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

# np_line_fragment writes a fragment that sorts after a cloud image's own. It is a piece of shell that takes other
# values of the same keys out, since the last of two values wins and two of them mislead the reader.
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

# np_line_grubby changes all entries, and the template that later kernels get theirs from.
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

# np_line_had KEY prints what the default entry has of a key.
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

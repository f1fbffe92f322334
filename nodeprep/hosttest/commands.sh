#!/bin/sh
# The commands of a fake host, one script under many names. What they know is in the host's folder fake/, and every call
# is written to fake/log. They behave as the real ones do where the preparation of a host depends on it.
R=$GPUYARD_ROOT
F=$R/fake
name=${0##*/}
printf '%s %s\n' "$name" "$*" >>"$F/log"
tab=$(printf '\t')

# A test makes a command fail by a file fake/fail-NAME, whose content is what the command says.
if [ -e "$F/fail-$name" ]; then
	cat "$F/fail-$name" >&2
	exit 1
fi

# unit_get UNIT FACT prints load, active or file of a unit. It starts no process: hosts ask about many units.
unit_get() {
	value=''
	if [ -e "$F/units/$1" ]; then
		while IFS='=' read -r key found; do
			if [ "$key" = "$2" ]; then value=$found; fi
		done <"$F/units/$1"
	fi
	if [ "$2" = load ]; then
		if [ -z "$value" ] && [ -e "$R/etc/systemd/system/$1" ]; then value=loaded; fi
		if [ -h "$R/etc/systemd/system/$1" ]; then value=masked; fi
	fi
	case $2$value in
	load) value=not-found ;;
	active) value=inactive ;;
	esac
}

unit_set() {
	mkdir -p "$F/units"
	{
		grep -v "^$2=" "$F/units/$1" 2>/dev/null
		[ "$2" = load ] || grep -q '^load=' "$F/units/$1" 2>/dev/null || echo load=loaded
		echo "$2=$3"
	} >"$F/units/.new"
	mv "$F/units/.new" "$F/units/$1"
}

# A service takes its limits from its drop-ins when it starts.
unit_start() {
	unit_set "$1" active active
	cat "$R/etc/systemd/system/$1.d/"*.conf 2>/dev/null | sed -n '/^Limit/p' >"$F/units/$1.limits"
}

show_unit() {
	for p in $props; do
		case $p in
		Id) value=$1 ;;
		LoadState) unit_get "$1" load ;;
		ActiveState) unit_get "$1" active ;;
		UnitFileState) unit_get "$1" file ;;
		Limit*)
			value=8388608
			if [ -s "$F/units/$1.limits" ]; then value=$(sed -n "s/^$p=//p" "$F/units/$1.limits"); fi
			;;
		esac
		if [ -n "$plain" ]; then echo "$value"; else echo "$p=$value"; fi
	done
}

fake_systemctl() {
	props=''
	plain=''
	now=''
	verb=''
	units=''
	while [ $# -gt 0 ]; do
		case $1 in
		-p)
			props="$props $2"
			shift
			;;
		--value) plain=yes ;;
		--now) now=yes ;;
		-q) ;;
		*) if [ -z "$verb" ]; then verb=$1; else units="$units $1"; fi ;;
		esac
		shift
	done
	case $verb in
	show)
		if [ -z "$units" ]; then
			for p in $props; do
				v=$(cat "$R"/etc/systemd/system.conf.d/*.conf 2>/dev/null | sed -n "s/^$p=//p") && echo "$p=$v"
			done
			return
		fi
		for u in $units; do
			show_unit "$u"
			echo
		done
		;;
	is-active) for u in $units; do unit_get "$u" active && [ "$value" = active ] || return 3; done ;;
	is-enabled) for u in $units; do unit_get "$u" file && [ "$value" = enabled ] || return 1; done ;;
	enable) for u in $units; do unit_set "$u" file enabled; done ;;
	stop) for u in $units; do unit_set "$u" active inactive; done ;;
	unmask)
		for u in $units; do
			rm -f "$R/etc/systemd/system/$u"
			unit_set "$u" file enabled
		done
		;;
	start | restart) for u in $units; do unit_start "$u"; done ;;
	mask)
		for u in $units; do
			mkdir -p "$R/etc/systemd/system"
			ln -sfn /dev/null "$R/etc/systemd/system/$u"
			unit_set "$u" file masked
			[ -z "$now" ] || unit_set "$u" active inactive
		done
		;;
	disable)
		for u in $units; do
			unit_set "$u" file disabled
			[ -z "$now" ] || unit_set "$u" active inactive
		done
		;;
	reboot) touch "$F/reboot-requested" ;;
	esac
}

fake_systemd_run() {
	while [ $# -gt 0 ]; do
		case $1 in
		-*) shift ;;
		*) break ;;
		esac
	done
	"$@" </dev/null
}

packages_matching() {
	while IFS=$tab read -r status package version; do
		for pattern; do
			# shellcheck disable=SC2254 # a pattern
			case $package in $pattern)
				printf '%s\t%s\t%s\n' "$status" "$package" "$version"
				break
				;;
			esac
		done
	done <"$F/packages"
}

fake_dpkg_query() {
	shift
	# shellcheck disable=SC2016 # as the caller wrote it
	case $1 in
	*Status-Abbrev*Package*Version*)
		shift
		packages_matching "$@"
		;;
	*'|${Package}'*) while IFS=$tab read -r s p v; do echo "$s|$p"; done <"$F/packages" ;;
	*)
		shift
		packages_matching "$1" | while IFS=$tab read -r s p v; do echo "$s|$v"; done
		;;
	esac
}

# fake_install NAME=VERSION or NAME... takes packages from fake/repository.
fake_install() {
	for spec; do
		package=${spec%%=*}
		version=$(sed -n "s/^$package$tab//p" "$F/repository" | head -n 1)
		case $spec in *=*) version=$(grep -xF "$package$tab${spec#*=}" "$F/repository" | head -n 1 | cut -f 2) ;; esac
		if [ -z "$version" ]; then
			echo "E: Unable to locate package $spec" >&2
			return 100
		fi
	done
	for spec; do
		package=${spec%%=*}
		version=$(sed -n "s/^$package$tab//p" "$F/repository" | head -n 1)
		case $spec in *=*) version=${spec#*=} ;; esac
		grep -v "$tab$package$tab" "$F/packages" >"$F/packages.new"
		printf 'ii \t%s\t%s\n' "$package" "$version" >>"$F/packages.new"
		mv "$F/packages.new" "$F/packages"
		case $package in
		nvidia-open | nvidia-driver-* | cuda-drivers | kmod-nvidia*)
			echo "$version" | sed 's/^[0-9]*://; s/-.*//' >"$F/modinfo-nvidia"
			;;
		habanalabs-dkms) echo "$version" >"$F/modinfo-habanalabs" ;;
		nvidia-fabricmanager*) unit_set nvidia-fabricmanager.service load loaded ;;
		chrony) unit_set "$(cat "$F/chrony-unit")" load loaded ;;
		containerd | containerd.io) unit_set containerd.service load loaded ;;
		esac
	done
}

fake_apt_get() {
	args=
	verb=
	while [ $# -gt 0 ]; do
		case $1 in
		-o) shift ;;
		-*) ;;
		install | update) verb=$1 ;;
		*) args="$args $1" ;;
		esac
		shift
	done
	# shellcheck disable=SC2086 # package names
	if [ "$verb" = install ]; then fake_install $args; fi
}

fake_apt_mark() {
	from=i
	to=h
	if [ "$1" = unhold ]; then
		from=h
		to=i
	fi
	shift
	for package; do sed -i "s/^$from\(i .$package$tab\)/$to\1/" "$F/packages"; done
}

fake_apt_cache() {
	sed -n "s/^$2$tab//p" "$F/repository" | while read -r version; do echo " $2 | $version | here"; done
}

fake_rpm() {
	if [ "$1" = -qa ]; then
		shift 3
		packages_matching "$@"
		return
	fi
	found=$(packages_matching "$4" | cut -f 3)
	if [ -z "$found" ]; then
		echo "package $4 is not installed"
		return 1
	fi
	echo "$found"
}

fake_dnf() {
	args=
	for a; do
		case $a in -*) ;; *) args="$args $a" ;; esac
	done
	# shellcheck disable=SC2086 # words
	set -- $args
	verb=$1
	shift
	case $verb in
	install)
		specs=
		for a; do
			while IFS=$tab read -r p v; do
				if [ "$a" = "$p-$v" ]; then a=$p=$v; fi
			done <"$F/repository"
			specs="$specs $a"
		done
		# shellcheck disable=SC2086 # words
		fake_install $specs
		;;
	list) sed -n "s/^$1$tab//p" "$F/repository" | while read -r version; do echo "$1.x86_64 $version here"; done ;;
	module) ;;
	versionlock)
		mkdir -p "$R/etc/dnf/plugins"
		if [ "$1" = delete ]; then
			sed -i "/^$2/d" "$R/etc/dnf/plugins/versionlock.list"
			return
		fi
		printf '%s.*\n' "$2" >>"$R/etc/dnf/plugins/versionlock.list"
		;;
	esac
}

fake_modprobe() {
	module=$(printf '%s' "$1" | tr - _)
	if grep -qx "$module" "$F/no-modules" 2>/dev/null; then
		echo "modprobe: FATAL: Module $1 not found in directory /lib/modules" >&2
		return 1
	fi
	mkdir -p "$R/sys/module/$module"
	if [ -e "$F/modinfo-$module" ]; then cp "$F/modinfo-$module" "$R/sys/module/$module/version"; fi
	if [ "$module" = nf_conntrack ]; then
		mkdir -p "$R/proc/sys/net/netfilter"
		echo 262144 >"$R/proc/sys/net/netfilter/nf_conntrack_max"
	fi
}

fake_update_grub() {
	GRUB_CMDLINE_LINUX_DEFAULT=''
	GRUB_CMDLINE_LINUX=''
	# shellcheck disable=SC1090,SC1091 # written by the test
	. "$R/etc/default/grub"
	for f in "$R"/etc/default/grub.d/*.cfg; do
		# shellcheck disable=SC1090 # written by the test
		if [ -e "$f" ]; then . "$f"; fi
	done
	mkdir -p "$R/boot/grub"
	printf '\tlinux\t/boot/vmlinuz root=/dev/vda1 ro %s %s\n' "$GRUB_CMDLINE_LINUX" "$GRUB_CMDLINE_LINUX_DEFAULT" >"$R/boot/grub/grub.cfg"
}

fake_grubby() {
	remove=''
	add=''
	for a; do
		case $a in
		--info=*) for f in "$R"/boot/loader/entries/*.conf; do sed -n 's/^options \(.*\)/args="\1"/p' "$f"; done ;;
		--default-kernel) echo "/boot/vmlinuz-$(fake_uname -r)" ;;
		--remove-args=*) remove=${a#*=} ;;
		--args=*) add=${a#*=} ;;
		esac
	done
	[ -n "$add$remove" ] || return 0
	for f in "$R"/boot/loader/entries/*.conf; do
		awk -v remove="$remove" -v add="$add" '$1 == "options" {
			line = "options"
			for (i = 2; i <= NF; i++) if ($i != remove && index($i, remove "=") != 1) line = line " " $i
			print line (add == "" ? "" : " " add)
			next
		} { print }' "$f" >"$f.new"
		mv "$f.new" "$f"
	done
}

fake_uname() { case $1 in -m) cat "$F/machine" ;; *) cat "$F/release" ;; esac; }

case $name in
systemctl) fake_systemctl "$@" ;;
systemd-run) fake_systemd_run "$@" ;;
systemd-detect-virt)
	if [ "$1" = --container ]; then echo none; else cat "$F/virtualization"; fi
	;;
systemd-escape) echo "${3#/}" | tr / - | sed 's/$/.mount/' ;;
dpkg-query) fake_dpkg_query "$@" ;;
dpkg) if [ "$1" = --audit ]; then cat "$F/audit" 2>/dev/null; else rm -f "$F/audit"; fi ;;
apt-get) fake_apt_get "$@" ;;
apt-mark) fake_apt_mark "$@" ;;
apt-cache) fake_apt_cache "$@" ;;
rpm) fake_rpm "$@" ;;
dnf) fake_dnf "$@" ;;
modprobe) fake_modprobe "$@" ;;
modinfo) if [ "$2" = version ]; then cat "$F/modinfo-$3" 2>/dev/null; fi ;;
uname) fake_uname "$@" ;;
update-grub) fake_update_grub ;;
grubby) fake_grubby "$@" ;;
swapon) cp "$F/live/proc/swaps" "$R/proc/swaps" ;;
swapoff) printf 'Filename\tType\tSize\tUsed\tPriority\n' >"$R/proc/swaps" ;;
dkms)
	if [ "$1" = status ]; then
		cat "$F/dkms" 2>/dev/null
	elif [ -e "$F/dkms-fails" ]; then
		mkdir -p "$R/var/lib/dkms/nvidia/build"
		cat "$F/dkms-log" >"$R/var/lib/dkms/nvidia/build/make.log"
		echo 'Error! Bad return status for module build.' >&2
		exit 10
	fi
	;;
sync | update-initramfs | dracut | ip | udevadm | mlnx_qos | nvidia-ctk | gpg) ;;
mdadm)
	mkdir -p "$R/dev/md"
	: >"$R/dev/md/gpuyard"
	;;
mkfs.xfs)
	mkdir -p "$R/dev/disk/by-label"
	ln -sfn ../../md/gpuyard "$R/dev/disk/by-label/gpuyard-raid0"
	echo 11111111-2222-4333-8444-555555555555 >"$F/signature-gpuyard-raid0"
	;;
blkid)
	for last; do :; done
	if [ -e "$F/signature-${last##*/}" ]; then cat "$F/signature-${last##*/}"; else exit 2; fi
	;;
ethtool)
	# What is known of an interface: the most for receiving and sending, then what is set.
	[ -f "$F/rings/$2" ] || exit 75
	read -r most_rx most_tx rx tx <"$F/rings/$2"
	case $1 in
	-g)
		printf 'Ring parameters for %s:\nPre-set maximums:\nRX:\t\t%s\nRX Mini:\tn/a\nTX:\t\t%s\n' "$2" "$most_rx" "$most_tx"
		printf 'Current hardware settings:\nRX:\t\t%s\nRX Mini:\tn/a\nTX:\t\t%s\n' "$rx" "$tx"
		;;
	-G) echo "$most_rx $most_tx $4 $6" >"$F/rings/$2" ;;
	esac
	;;
nodeadm)
	case $1 in
	init) unit_start kubelet.service ;;
	uninstall) unit_set kubelet.service active inactive ;;
	esac
	;;
esac

# Packages: from the repositories that the host has, at one exact version where versions must agree, and held.

np_apt() {
	DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l apt-get -qq -y -o DPkg::Lock::Timeout=120 \
		-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@"
}

np_dpkg() { DEBIAN_FRONTEND=noninteractive dpkg "$@"; }

# np_update reads what the repositories have. apt waits for dpkg's lock, and not for that of these lists, which
# apt-daily has for a while after a boot.
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

# np_packages_ready waits for who else installs at first boot, and heals what was interrupted.
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

# np_version_of PACKAGE prints the installed version, or nothing. Only a package that is whole counts.
np_version_of() {
	if np_has dpkg-query; then
		# shellcheck disable=SC2016 # the field names are for dpkg-query
		dpkg-query -W -f='${db:Status-Abbrev}|${Version}' "$1" 2>/dev/null | sed -n 's/^[hi]i |//p'
	else
		rpm -q --qf '%{VERSION}-%{RELEASE}\n' "$1" 2>/dev/null | grep -v 'not installed' | head -n 1
	fi
}

# np_upstream VERSION takes the epoch and the distribution's part away.
np_upstream() { printf '%s' "$1" | sed 's/^[0-9]*://; s/[-+~].*//'; }

# np_offered PACKAGE UPSTREAM prints the full version that a repository has, or nothing.
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

# np_install PACKAGE... installs what is not there, in any version.
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

# np_install_exact UPSTREAM 'NAME|OTHER' ... installs packages of one upstream version and holds them. Each argument is
# names that a package has in different repositories. All are found before the first is installed, so that no host ends
# with a driver of one version and a fabric manager of another.
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

# A package of a driver builds its modules while it is installed, so the log of a build that failed belongs to this too.
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

# np_hold NAME=VERSION... keeps packages from being upgraded by others.
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

# np_headers has the headers of the kernel that runs, or the DKMS build that follows cannot work.
np_headers() {
	np_release=$(uname -r)
	if [ -e "$R/lib/modules/$np_release/build" ]; then return 0; fi
	np_family
	case $np_os in
	ubuntu | debian) np_install "linux-headers-$np_release" ;;
	al2023)
		# Each stream of kernels has its own package of headers.
		case $np_release in
		6.1.*) np_install "kernel-devel-$np_release" ;;
		*) np_install "kernel$(printf '%s' "$np_release" | cut -d . -f 1-2)-devel-$np_release" ;;
		esac
		;;
	*) np_install "kernel-devel-$np_release" ;;
	esac
}

# np_initramfs builds the images that the kernels start from anew.
np_initramfs() {
	if np_has update-initramfs; then
		np_try update-initramfs -u -k all
	elif np_has dracut; then
		np_try dracut --regenerate-all --force
	fi
}

# Accelerators: drivers that agree to the last digit, built for the kernel that boots next.

# np_pci VENDOR CLASS prints the ids of devices whose vendor and beginning of the class match.
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

# np_may_load DRIVER: with Secure Boot a module that nobody signed installs and never loads.
np_may_load() {
	for np_f in "$R"/sys/firmware/efi/efivars/SecureBoot-*; do
		if [ -r "$np_f" ] && [ "$(od -An -t u1 "$np_f" | awk '{ print $5 }')" = 1 ]; then
			if [ -n "$(modinfo -F signer "$1" 2>/dev/null)" ]; then return 0; fi
			np_fail "Secure Boot is on, and nobody whose key this host trusts has signed the module $1: enrol a key, or turn Secure Boot off"
			return
		fi
	done
}

# np_operator: where the GPU operator runs the driver in a container, the host must have none.
np_operator() {
	if [ -d "$R/run/nvidia/driver" ]; then
		np_fail 'the GPU operator owns the driver on this host: take nvidia.driver out of the profile, or set driver.enabled=false there'
	fi
}

# np_nouveau_off keeps the kernel's own driver away from NVIDIA devices.
np_nouveau_off() {
	if [ -z "$(np_pci 0x10de 0x03)" ]; then
		np_na 'this host has no NVIDIA GPU'
		return 0
	fi
	np_was=$np_status
	np_file /etc/modprobe.d/gpuyard-nouveau.conf 0644 any '# NVIDIA devices belong to the nvidia driver.
blacklist nouveau
options nouveau modeset=0
' || return
	# The image that the kernel starts from has a copy of these files, and would load nouveau before they are read.
	if [ "$np_status" != "$np_was" ]; then np_initramfs || return; fi
	if [ -d "$R/sys/module/nouveau" ]; then np_reboot 'nouveau is loaded'; fi
}

# np_nvidia VERSION installs the driver, and with NVSwitches the fabric manager, in exactly one version.
np_nvidia() {
	np_devices=$(np_pci 0x10de 0x03)
	if [ -z "$np_devices" ]; then
		np_na 'this host has no NVIDIA GPU'
		return 0
	fi
	np_operator && np_may_load nvidia && np_headers || return
	# The open modules need Turing or newer, whose device ids begin at 0x1e00.
	np_flavour=open
	for np_d in $np_devices; do
		if [ "$((np_d))" -lt "$((0x1e00))" ]; then np_flavour=proprietary; fi
	done
	np_major=${1%%.*}
	np_family
	case $np_os$np_flavour in
	ubuntuopen) set -- "$1" "nvidia-open|nvidia-driver-$np_major-server-open" ;;
	ubuntu*) set -- "$1" "cuda-drivers|nvidia-driver-$np_major-server" ;;
	debianopen) set -- "$1" nvidia-open ;;
	debian*) set -- "$1" cuda-drivers ;;
	*open)
		np_try dnf -q -y module enable "nvidia-driver:$np_major-open" || np_try dnf -q -y module enable nvidia-driver:open-dkms || return
		np_detail=
		set -- "$1" kmod-nvidia-open-dkms 'nvidia-driver-cuda|nvidia-driver' nvidia-persistenced
		;;
	*)
		np_try dnf -q -y module enable "nvidia-driver:$np_major-dkms" || np_try dnf -q -y module enable nvidia-driver:latest-dkms || return
		np_detail=
		set -- "$1" kmod-nvidia-latest-dkms 'nvidia-driver-cuda|nvidia-driver' nvidia-persistenced
		;;
	esac
	if [ -n "$(np_pci 0x10de 0x0680)" ]; then
		set -- "$@" "nvidia-fabricmanager|nvidia-fabricmanager-$np_major|nvidia-fabric-manager"
	fi
	np_install_exact "$@" || return
	np_dkms nvidia || return
	np_loaded=$(cat "$R/sys/module/nvidia/version" 2>/dev/null) || np_loaded=
	if [ -z "$np_loaded" ] && [ -d "$R/sys/module/nouveau" ]; then
		np_reboot 'the driver is loaded at the next boot, without nouveau' # which holds the devices until then
	elif [ -z "$np_loaded" ]; then
		np_try modprobe nvidia || return
		np_changed
	elif [ "$np_loaded" != "$1" ]; then
		np_reboot "the module that is loaded is $np_loaded"
	fi
	if [ -n "$(np_pci 0x10de 0x0680)" ] && [ "$np_status" != reboot ]; then np_unit_on nvidia-fabricmanager.service; fi
}

# np_dkms MODULE: what DKMS has of the module must be built for the kernel that boots next.
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

# np_dkms_log adds how the log of a build ends that was written in this run.
np_dkms_log() {
	np_log=$(find "$R/var/lib/dkms" -name make.log -newer "$R$np_dir/lock" 2>/dev/null | head -n 1)
	[ -z "$np_log" ] || np_note "${np_log#"$R"} ends: $(tail -n 15 "$np_log")"
}

# np_next_kernel is the release that boots next.
np_next_kernel() {
	if np_has grubby; then
		np_k=$(grubby --default-kernel 2>/dev/null)
		printf '%s' "${np_k##*/vmlinuz-}"
		return
	fi
	np_k=$(find "$R/boot" -maxdepth 1 -name 'vmlinuz-*' 2>/dev/null | sed 's/.*vmlinuz-//' | sort -V | tail -n 1)
	printf '%s' "${np_k:-$(uname -r)}"
}

# np_bootable: before a reboot, the kernel that boots next and its image are there and not empty.
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

# np_habana VERSION installs Habana's driver, firmware and verbs in one version; ib_uverbs must be there before.
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

# np_efa VERSION runs the EFA installer that lies on the host, checked by its signature, without what NVIDIA hosts
# alone need.
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

# Disks of the instance itself, together as one file system. Any doubt about a disk stops the item.

# np_raid0 MOUNTPOINT joins the disks that EC2 names as instance store. They are empty after every stop, so whoever
# mounts them must live with their absence: nofail, and the array made anew by a unit at boot.
np_raid0() {
	np_disks=
	np_count=0
	for np_f in "$R"/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_*; do
		case $np_f in *-part* | *_1 | *'*') continue ;; esac
		np_d=$(readlink "$np_f")
		np_d=${np_d##*/}
		case " $np_disks " in *" $np_d "*) continue ;; esac
		np_disks="$np_disks${np_disks:+ }$np_d"
		np_count=$((np_count + 1))
	done
	if [ "$np_count" -eq 0 ]; then
		np_na 'this host has no instance-store disk'
		return 0
	fi
	if grep -q " $1 " "$R/proc/mounts"; then return 0; fi
	if [ -e "$R/dev/disk/by-label/gpuyard-raid0" ]; then
		np_raid0_mount "$1"
		return
	fi
	for np_d in $np_disks; do
		if ls "$R/sys/block/$np_d/$np_d"p* >/dev/null 2>&1; then
			np_fail "$np_d has partitions: it is left alone"
			return
		fi
		if [ -n "$(ls "$R/sys/block/$np_d/holders" 2>/dev/null)" ]; then
			np_fail "$np_d is part of something else: it is left alone"
			return
		fi
		if grep -q "^/dev/$np_d" "$R/proc/mounts"; then
			np_fail "$np_d is mounted: it is left alone"
			return
		fi
		# 2 is blkid's word for a disk on which nothing was found; anything else is a signature or a doubt.
		np_code=0
		blkid -p "$R/dev/$np_d" >/dev/null 2>&1 || np_code=$?
		if [ "$np_code" -ne 2 ]; then
			np_fail "$np_d has a signature: it is left alone"
			return
		fi
	done
	np_raid0_make "$1"
}

np_raid0_make() {
	np_has mkfs.xfs || np_install xfsprogs || return
	np_target=$R/dev/${np_disks%% *}
	if [ "$np_count" -gt 1 ]; then
		np_has mdadm || np_install mdadm || return
		np_members=
		for np_d in $np_disks; do np_members="$np_members $R/dev/$np_d"; done
		np_target=$R/dev/md/gpuyard
		mkdir -p "$R/dev/md"
		# homehost any: the array keeps its name whatever the host is called after a reboot.
		# shellcheck disable=SC2086 # devices
		np_try mdadm --create "$np_target" --run --force --level=0 --homehost=any --name=gpuyard --raid-devices="$np_count" $np_members || return
	fi
	np_try mkfs.xfs -q -L gpuyard-raid0 "$np_target" || return
	np_changed
	np_raid0_mount "$1"
}

np_raid0_mount() {
	np_uuid=$(blkid -s UUID -o value "$R/dev/disk/by-label/gpuyard-raid0" 2>/dev/null) || np_uuid=$(blkid -s UUID -o value "${np_target:-}") || {
		np_fail 'the new file system has no identifier'
		return
	}
	mkdir -p "$R$1"
	np_unit=$(systemd-escape -p --suffix=mount "$1") || return
	np_service_file "/etc/systemd/system/$np_unit" "# Instance-store disks, kept by gpuyard. They are empty after a stop: the host boots without them.
[Unit]
Description=Instance-store disks
[Mount]
What=/dev/disk/by-uuid/$np_uuid
Where=$1
Type=xfs
Options=defaults,noatime,nofail,x-systemd.device-timeout=30
[Install]
WantedBy=multi-user.target
" || return
	np_try systemctl daemon-reload || return
	np_unit_on "$np_unit"
}

#!/bin/sh
# debianroot.sh FOLDER makes a Debian 12 in a folder, for the tests that prepare real hosts: one root for OpenSSH servers
# in namespaces and for the virtual machine. What is there already and made by this very script is left as it is. It
# needs root and Debian's debootstrap, and takes packages from where this machine's apt does.
set -eu

folder=$1
stamp=$(sha256sum "$0" | cut -d ' ' -f 1)
if [ "$(cat "$folder.stamp" 2>/dev/null)" = "$stamp" ] && [ -x "$folder/usr/sbin/sshd" ]; then exit 0; fi

[ "$(id -u)" -eq 0 ] || { echo "$0: needs root, to make a root file system" >&2 && exit 1; }
command -v debootstrap >/dev/null || { echo "$0: needs debootstrap: apt-get install debootstrap" >&2 && exit 1; }

# shellcheck disable=SC2016 # the field names are for apt
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^bookworm main //p' | head -n 1)
[ -n "$mirror" ] || { echo "$0: apt has no Debian 12 (bookworm main) on this machine" >&2 && exit 1; }

# The kernel, its boot loader and the network are for the virtual machine, python3-apt is for whoever compares us with
# Ansible.
packages=openssh-server,sudo,dbus,systemd-sysv,systemd-timesyncd,unattended-upgrades,iproute2,procps,kmod,python3-apt
packages=$packages,linux-image-cloud-amd64,initramfs-tools,grub-pc-bin,grub2-common,zstd

rm -rf "$folder" "$folder.stamp"
mkdir -p "$folder"
# What it mounts while it works must not stay, however it ends: so its mounts are its own.
if ! unshare --mount debootstrap --variant=minbase --include="$packages" bookworm "$folder" "$mirror" >"$folder.log" 2>&1; then
	tail -n 20 "$folder.log" >&2
	exit 1
fi

# Every host makes its own keys and identity.
rm -f "$folder"/etc/ssh/ssh_host_* "$folder"/var/cache/apt/archives/*.deb "$folder/var/lib/dbus/machine-id"
: >"$folder/etc/machine-id"
chroot "$folder" useradd --create-home --shell /bin/sh ubuntu
chroot "$folder" useradd --create-home --shell /bin/sh guest
echo 'ubuntu ALL=(ALL) NOPASSWD: ALL' >"$folder/etc/sudoers.d/ubuntu"
chmod 0440 "$folder/etc/sudoers.d/ubuntu"
rm -f "$folder.log"
echo "$stamp" >"$folder.stamp"

# disk.sh FOLDER DEBIAN SIZE makes FOLDER/root.img, an ext4 file system of so many MiB, and what GRUB starts from. The
# files of FOLDER/files are over those of DEBIAN. It is run where mounts are nobody else's.
set -eu
dir=$1 debian=$2 size=$3

mkdir "$dir/upper" "$dir/work" "$dir/root"
cp -a "$dir/files/." "$dir/upper/"
mount -t overlay -o "lowerdir=$debian,upperdir=$dir/upper,workdir=$dir/work" overlay "$dir/root"
cd "$dir/root"

chroot . systemctl -q enable systemd-networkd.service ssh.service systemd-timesyncd.service
# What an emulated processor would spend half of a boot on.
chroot . systemctl -q disable unattended-upgrades.service e2scrub_reap.service
chroot . systemctl -q mask getty@tty1.service serial-getty@ttyS0.service modprobe@drm.service modprobe@fuse.service systemd-pcrphase.service systemd-pcrphase-sysinit.service
printf 'blacklist %s\n' kvm kvm_amd kvm_intel pcspkr psmouse evdev iTCO_wdt >etc/modprobe.d/emulated.conf
release=$(basename boot/vmlinuz-*)
release=${release#vmlinuz-}
mkdir -p boot/grub
cp -r usr/lib/grub/i386-pc boot/grub/
# The first boot's; update-grub, which needs the machine's disk, writes the next one.
# shellcheck source=/dev/null
. ./etc/default/grub.d/50-cloudimg-settings.cfg
cat >boot/grub/grub.cfg <<END
set root=(hd0,msdos1)
linux /boot/vmlinuz-$release root=/dev/vda1 ro $GRUB_CMDLINE_LINUX_DEFAULT
initrd /boot/initrd.img-$release
boot
END
sh prepare
rm prepare

# The tools are those of the new system, which see it without what is mounted on it.
mount -t tmpfs tmpfs mnt
mkdir mnt/source mnt/made
mount --bind . mnt/source
mount --bind "$dir" mnt/made
chroot . grub-mkimage -O i386-pc -o /mnt/made/core.img -p '(hd0,msdos1)/boot/grub' biosdisk part_msdos ext2 normal linux search search_fs_uuid configfile
cp usr/lib/grub/i386-pc/boot.img "$dir/boot.img"
chroot . mke2fs -q -t ext4 -d /mnt/source /mnt/made/root.img "${size}M"
umount -R mnt
cd /
umount "$dir/root"

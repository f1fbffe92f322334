# The beginning of a host, as the first process of its own namespaces. It is given the folder of the host, the Debian it
# is made of, how large its disk is, its name, and its address; a line on its input says that its network is there.
set -eu
dir=$1 debian=$2 size=$3 name=$4 address=$5

mount --make-rprivate /
mount -t tmpfs -o "size=$size,mode=0755" tmpfs "$dir/disk"
mkdir "$dir/disk/upper" "$dir/disk/work"
cp -a "$dir/files/." "$dir/disk/upper/"
mount -t overlay -o "lowerdir=$debian,upperdir=$dir/disk/upper,workdir=$dir/disk/work" overlay "$dir/root"
cd "$dir/root"

mount -t proc proc proc
# What is set there is set for the whole machine, so a folder takes its place.
mount --bind "$dir/live/sys" sys
mount --bind "$dir/live/proc/sys" proc/sys
for file in cmdline meminfo swaps mdstat; do
	if [ -e "proc/$file" ]; then mount --bind "$dir/live/proc/$file" "proc/$file"; fi
done

mount -t tmpfs -o mode=0755 tmpfs run
mkdir run/sshd
mount -t tmpfs -o mode=0755 tmpfs dev
for node in null zero full random urandom tty; do
	: >"dev/$node"
	mount --bind "/dev/$node" "dev/$node"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd

chroot . sh /prepare
rm prepare

read -r _
hostname "$name"
ip link set lo up
ip address add "$address" dev eth0
ip link set eth0 up

# From here on the machine's own files are out of reach.
pivot_root . mnt
cd /
umount -l /mnt
# Nothing that is done here may reach the kernel that the machine shares with its hosts.
exec setpriv --bounding-set=-sys_module,-sys_boot,-sys_time,-sys_rawio,-mac_admin,-syslog /usr/sbin/sshd -D -e </dev/null

// Package vmtest makes a virtual machine with Debian 12, for what only a whole machine can show: a boot loader whose
// kernel command line is changed, a kernel that takes it, units that run at boot, a connection that a reboot ends.
//
// The processor is emulated (QEMU's TCG), so that it runs wherever QEMU does, and slowly: a boot takes half a minute. Its
// memory is in two nodes. The disk is made without mounting it, from the root of tools/debianroot.sh with the files that
// a machine needs: GRUB in front of one partition, a network, and a key that it lets in.
//
// Like the hosts of package opensshtest, it lives in namespaces that opensshtest.Main enters, and leaves nothing behind.
package vmtest

// Package hosttest is a Linux host in a folder, for tests of what prepares hosts.
//
// A [Host] has the files below /proc, /sys, /etc and /boot that preparation reads and writes, and commands (package
// managers, systemctl, GRUB's tools) that work on the folder. Scripts run in the machine's own sh with GPUYARD_ROOT set
// to the folder, so what is tested is the script that real hosts run, not a model of it.
//
// Rules:
//   - [Host.Reboot] makes another boot id, forgets what was live only, and applies what is on disk in the order in which
//     a real host does: kernel command line, modules-load.d, sysctl.d, tmpfiles.d, units.
//   - The commands behave as the real ones do where preparation depends on it; a test makes one fail with [Host.Fail].
//   - A host is not for use by several goroutines at once; several hosts are.
package hosttest

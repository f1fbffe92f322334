// Package opensshtest makes hosts with real OpenSSH servers, for tests and benchmarks of what reaches hosts.
//
// Each host is Debian 12 on a disk of its own (an overlay in memory over one root that tools/debianroot.sh makes), with
// its own mounts, network, processes and name. Everything is real but what would be the machine's own kernel: below
// /proc/sys and /sys a host sees a folder (package hosttest), since a parameter that a test sets there would be set for
// the whole machine. systemd does not run on these hosts; package vmtest has a machine where it does.
//
// All of it lives in namespaces that [Main] enters before the first host is made. When their first process ends, by
// whatever, the kernel takes hosts, mounts and interfaces away: nothing is left on the machine. This needs root.
package opensshtest

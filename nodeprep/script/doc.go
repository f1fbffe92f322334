// Package script turns steps into one POSIX shell script, and the script into what carries it to a host.
//
// Rules:
//   - A [Step] is a call of one function of the library (lib/*.sh), with every argument quoted. The library is the
//     only place that changes a host; its functions look first, change only what differs, and read back.
//   - One body, three carriers: [Body.Script] for SSH and files, [Body.UserData], [Body.DaemonSet]. The body is the
//     same to the byte, so what was tested over SSH is what the others run.
//   - A script that arrives cut off does nothing: all of it is in a function that its last line calls, and that
//     function checks length and hash before it looks at what it carries.
//   - The library is written for dash, busybox, bash and mawk, gawk, busybox awk; shellcheck finds nothing in it.
package script

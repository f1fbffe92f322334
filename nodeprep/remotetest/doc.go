// Package remotetest is an SSH server in this process whose hosts are folders (package hosttest), for tests of what
// reaches hosts.
//
// A [Server] accepts one user with one key, runs the shells of its host, forwards connections as a bastion does, and
// fails as real servers do: it drops a connection after so many bytes, hangs in the handshake, refuses sessions, changes
// its key, and goes away to reboot when a script asks for it. [Pipe] connects without a network and with a delay, so
// that round trips can be counted on a clock that only moves when everybody waits (package testing/synctest).
package remotetest

// Package rack simulates the servers of a rack, for environments on the embedded cloud: each is a folder (package
// hosttest) behind an SSH server in this process, on loopback. Scripts run there with this machine's shell, and touch
// nothing outside the folder. A server is made when it is first reached, with the hardware that its pool is said to have,
// and stays as it was left from run to run, so that drift can be made in its files and found.
package rack

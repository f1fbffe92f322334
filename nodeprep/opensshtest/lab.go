package opensshtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// inside is set in the process that has namespaces of its own.
const inside = "GPUYARD_OPENSSHTEST_INSIDE"

// RootVariable is the environment variable that says where the Debian is that hosts are made of.
const RootVariable = "GPUYARD_DEBIAN_ROOT"

// Main runs f in namespaces of its own and returns its code. It starts this very program again, so it must come before
// anything else in main or TestMain.
func Main(f func() int) int {
	if os.Getenv(inside) != "" {
		if err := settle(); err != nil {
			fmt.Fprintln(os.Stderr, "making a place for hosts:", err)
			return 1
		}
		return f()
	}
	if os.Geteuid() != 0 {
		fmt.Fprintln(os.Stderr, "hosts with mounts and networks of their own need root: run this with sudo, or in a container that is privileged")
		return 1
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), inside+"=yes")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC,
		Pdeathsig:  syscall.SIGKILL,
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return max(1, exit.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, "entering namespaces:", err)
		return 1
	}
	return 0
}

// settle makes what hosts need around them: processes that are seen, and a network.
func settle() error {
	return run("sh", "-euc", `
		mount --make-rprivate /
		mount -t proc proc /proc
		ip link set lo up
		ip link add outside type bridge
		ip address add 10.77.0.1/16 dev outside
		ip link set outside up`)
}

// run runs a command; what it said is in the error.
func run(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// Lab is some hosts and the key that they let in.
type Lab struct {
	root string
	dir  string

	mu     sync.Mutex
	number int
	hosts  []*Host
}

// NewLab makes a lab in an empty folder. It must be called inside [Main].
func NewLab(dir string) (*Lab, error) {
	if os.Getenv(inside) == "" {
		panic("opensshtest: NewLab outside Main")
	}
	root := os.Getenv(RootVariable)
	if _, err := os.Stat(filepath.Join(root, "usr/sbin/sshd")); root == "" || err != nil {
		return nil, fmt.Errorf("%s names no Debian with OpenSSH (%q): tools/debianroot.sh FOLDER makes one, make test-openssh does it all", RootVariable, root)
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	// The upper half of an overlay cannot be on another overlay, as a container's disk often is.
	if err := run("mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", dir); err != nil {
		return nil, err
	}
	l := &Lab{root: root, dir: dir}
	return l, l.makeKey()
}

// Close stops all hosts.
func (l *Lab) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var problems []error
	for _, h := range l.hosts {
		problems = append(problems, h.Stop())
	}
	l.hosts = nil
	return errors.Join(append(problems, run("umount", "-l", l.dir))...)
}

// makeKey makes the key that hosts let in, with its public half beside it as ssh-keygen has it.
func (l *Lab) makeKey() error {
	public, err := remotetest.NewKey(l.Key())
	if err != nil {
		return err
	}
	return os.WriteFile(l.Key()+".pub", ssh.MarshalAuthorizedKey(public), 0o644)
}

// Key is the file of the private key that every host lets in.
func (l *Lab) Key() string { return filepath.Join(l.dir, "key") }

// Known is a file of known_hosts with the keys of hosts that were made so far.
func (l *Lab) Known() string { return filepath.Join(l.dir, "known_hosts") }

// appendTo adds a text to a file.
func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

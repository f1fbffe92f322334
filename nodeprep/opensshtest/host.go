package opensshtest

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

//go:embed host.sh
var beginning string

// Users of every host beside root: one who may use sudo without a password, and one who may not use it.
const (
	Admin = "ubuntu"
	Guest = "guest"
)

// Options say how a host differs from the usual one.
type Options struct {
	// Behind is the host that this one is reached from; nil: it is reached from the lab.
	Behind *Host
	// DiskMiB is how much can be written; 0: 256.
	DiskMiB int
	// SSHD are lines of sshd_config that come first, and so count.
	SSHD string
	// Prepare is a script that runs on the host before its server starts, without a network.
	Prepare string
}

// Host is a host that runs.
type Host struct {
	Name    string
	Address string
	// Kernel is the folder that stands for /sys and /proc/sys.
	Kernel *hosttest.Host

	lab    *Lab
	number int
	behind *Host
	dir    string
	key    ssh.PublicKey
	cmd    *exec.Cmd
	said   said
	ended  chan error

	inner sync.Once // makes the network behind it
}

// Start makes a host and starts it. It is reached when Start returns, and its key is in the lab's known_hosts.
func (l *Lab) Start(o Options) (*Host, error) {
	l.mu.Lock()
	l.number++
	h := &Host{lab: l, number: l.number, behind: o.Behind, ended: make(chan error, 1)}
	l.mu.Unlock()
	h.Name = fmt.Sprintf("host-%d", h.number)
	h.dir = filepath.Join(l.dir, h.Name)
	h.Address = fmt.Sprintf("10.77.1.%d", h.number)
	if o.Behind != nil {
		h.Address = fmt.Sprintf("10.78.%d.%d", o.Behind.number, h.number)
	}
	for _, step := range []func(Options) error{h.files, h.begin, h.connect, h.wait} {
		if err := step(o); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w: %s", h.Name, err, h.said.text()), h.Stop())
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hosts = append(l.hosts, h)
	return h, appendTo(l.Known(), h.KnownHosts())
}

// files are those that the host has beside its Debian's.
func (h *Host) files(o Options) error {
	for _, folder := range []string{"disk", "root", "files/etc/ssh/authorized_keys", "live"} {
		if err := os.MkdirAll(filepath.Join(h.dir, folder), 0o755); err != nil {
			return err
		}
	}
	kernel, err := hosttest.New(filepath.Join(h.dir, "live"), hosttest.Debian(), hosttest.H100())
	if err != nil {
		return err
	}
	h.Kernel = kernel
	// Turning swap off would go by the machine's own kernel.
	if err := kernel.Write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n"); err != nil {
		return err
	}
	if h.key, err = remotetest.NewKey(filepath.Join(h.dir, "files/etc/ssh/ssh_host_ed25519_key")); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(h.dir, "files/etc/ssh"), 0o755); err != nil {
		return err
	}
	public, err := os.ReadFile(h.lab.Key() + ".pub")
	if err != nil {
		return err
	}
	texts := map[string]string{
		"etc/ssh/sshd_config": o.SSHD + "\nHostKey /etc/ssh/ssh_host_ed25519_key\nPermitRootLogin prohibit-password\nPasswordAuthentication no\n" +
			"KbdInteractiveAuthentication no\nUsePAM yes\nUseDNS no\nAuthorizedKeysFile /etc/ssh/authorized_keys/%u\nPidFile /run/sshd.pid\n",
		"etc/hosts": "127.0.0.1 localhost " + h.Name + "\n",
		"prepare":   "set -e\n" + o.Prepare + "\n",
	}
	for _, user := range []string{"root", Admin, Guest} {
		texts["etc/ssh/authorized_keys/"+user] = string(public)
	}
	for path, text := range texts {
		if err := os.WriteFile(filepath.Join(h.dir, "files", path), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// begin starts the host's first process, which waits for its network.
func (h *Host) begin(o Options) error {
	size := o.DiskMiB
	if size == 0 {
		size = 256
	}
	h.cmd = exec.Command("sh", "-c", beginning, "host.sh", h.dir, h.lab.root, fmt.Sprintf("%dM", size), h.Name, h.Address+"/16")
	if o.Behind != nil {
		h.cmd.Args[len(h.cmd.Args)-1] = h.Address + "/24"
	}
	h.cmd.Stdout, h.cmd.Stderr = &h.said, &h.said
	h.cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
	}
	return nil
}

// connect gives the host its network card, and lets it go on.
func (h *Host) connect(Options) error {
	ready, err := h.cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := h.cmd.Start(); err != nil {
		return err
	}
	go func() { h.ended <- h.cmd.Wait() }()
	port := fmt.Sprintf("port%d", h.number)
	if err := run("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", fmt.Sprint(h.cmd.Process.Pid)); err != nil {
		return err
	}
	if h.behind == nil {
		err = run("ip", "link", "set", port, "master", "outside", "up")
	} else {
		err = h.behind.plug(port)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(ready, "\n")
	return errors.Join(err, ready.Close())
}

// plug takes the other end of a host's card into the network behind this one.
func (h *Host) plug(port string) error {
	pid := fmt.Sprint(h.cmd.Process.Pid)
	var err error
	h.inner.Do(func() {
		err = run("nsenter", "-t", pid, "-n", "sh", "-euc", fmt.Sprintf(
			"ip link add inside type bridge; ip address add 10.78.%d.254/24 dev inside; ip link set inside up", h.number))
	})
	if err != nil {
		return err
	}
	if err := run("ip", "link", "set", port, "netns", pid); err != nil {
		return err
	}
	return run("nsenter", "-t", pid, "-n", "ip", "link", "set", port, "master", "inside", "up")
}

// wait waits until the server listens.
func (h *Host) wait(Options) error {
	for start := time.Now(); time.Since(start) < 5*time.Minute; time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-h.ended:
			h.ended <- err
			return fmt.Errorf("it ended: %w", err)
		default:
		}
		if _, err := os.Stat(fmt.Sprintf("/proc/%d/root/run/sshd.pid", h.cmd.Process.Pid)); err == nil {
			return nil
		}
	}
	return errors.New("it does not listen after five minutes")
}

// Stop ends every process of the host, and with them its namespaces, as when its plug is pulled.
func (h *Host) Stop() error {
	if h.cmd == nil || h.cmd.Process == nil {
		return nil
	}
	if err := h.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	h.ended <- <-h.ended // for whoever stops it again
	return nil
}

// Target is the host for one of its users, with the lab's key. A host that is behind others is reached through them.
func (h *Host) Target(user string) remote.Target {
	t := remote.Target{Host: h.Address, User: user, KeyFiles: []string{h.lab.Key()}}
	if h.behind != nil {
		hop := h.behind.Target(Guest)
		t.Bastions, hop.Bastions = append(t.Bastions, hop.Bastions...), nil
		t.Bastions = append(t.Bastions, hop)
	}
	return t
}

// KnownHosts is the host's line of known_hosts.
func (h *Host) KnownHosts() string {
	return knownhosts.Line([]string{h.Address}, h.key) + "\n"
}

// Said is what the host's server logged.
func (h *Host) Said() string { return h.said.text() }

// Processor is the processor time that the host's server and all that it started and saw end have taken.
//
// Source: proc_pid_stat(5); the clock tick of every Linux that Go runs on is 1/100 s.
func (h *Host) Processor() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", h.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The second field is a name in brackets, which may have blanks in it. utime is the 14th, cstime the 17th.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks int64
	for _, f := range fields[11:15] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("reading the processor time of %s: %w", h.Name, err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// Shell runs a script on the host as root, past its SSH server, and returns what it printed.
func (h *Host) Shell(script string) (string, error) {
	cmd := exec.Command("nsenter", "-t", fmt.Sprint(h.cmd.Process.Pid), "-m", "-n", "-p", "-u", "-i", "-r", "-w", "sh", "-e")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", h.Name, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// ChangeKey gives the host another key, as when it is installed anew.
func (h *Host) ChangeKey() error {
	path := filepath.Join(h.dir, "another")
	if _, err := remotetest.NewKey(path); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	_, err = h.Shell("rm /run/sshd.pid\ncat >/etc/ssh/ssh_host_ed25519_key <<'END'\n" + string(text) + "END\nkill -HUP 1\n" +
		"n=0; until [ -e /run/sshd.pid ]; do sleep 0.05; n=$((n + 1)); [ $n -lt 200 ]; done\n")
	return err
}

// said is what a host wrote, for when it does not start.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *said) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.TrimSpace(s.b.String())
}

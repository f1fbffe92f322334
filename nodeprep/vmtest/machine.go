package vmtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// Admin is the user who may use sudo without a password.
const Admin = "ubuntu"

// address is where the machine's SSH server is reached, in the network of the namespaces.
const address, port = "127.0.0.1", 2222

// patient are arguments of the kernel command line for an emulated processor that waits for a busy machine: without them
// the kernel fails its timer, and systemd gives up services.
const patient = "no_timer_check systemd.service_watchdogs=no systemd.default_timeout_start_sec=1200 systemd.default_device_timeout_sec=1200"

// Machine is a virtual machine that runs.
type Machine struct {
	dir string
	key ssh.PublicKey
	cmd *exec.Cmd
}

// Options say how a machine differs from the usual one.
type Options struct {
	// Prepare is a script that runs in the folder of the machine's root before its disk is made.
	Prepare string
}

// Start makes a machine in an empty folder from a Debian, and switches it on. It takes a while until it answers.
func Start(ctx context.Context, dir, debian string, o Options) (*Machine, error) {
	if _, err := exec.LookPath("qemu-system-x86_64"); err != nil {
		return nil, fmt.Errorf("a virtual machine needs QEMU (Debian: apt-get install qemu-system-x86): %w", err)
	}
	m := &Machine{dir: dir}
	if err := m.files(o); err != nil {
		return nil, err
	}
	disk, err := makeDisk(dir, debian)
	if err != nil {
		return nil, err
	}
	const node = "memory-backend-ram,size=2048M,id="
	m.cmd = exec.CommandContext(ctx, "qemu-system-x86_64", "-nodefaults", "-display", "none", "-machine", "q35", "-accel", "tcg,thread=multi",
		// The default processor has no huge pages of 1 GiB, and an idle state in which its timer stops.
		"-cpu", "Nehalem,+pdpe1gb", "-smp", "2", "-m", "4096M",
		"-object", node+"m0", "-numa", "node,nodeid=0,cpus=0,memdev=m0", "-object", node+"m1", "-numa", "node,nodeid=1,cpus=1,memdev=m1",
		"-drive", "file="+disk+",format=raw,if=virtio,cache=unsafe", "-device", "virtio-rng-pci",
		"-netdev", fmt.Sprintf("user,id=n0,restrict=on,hostfwd=tcp:%s:%d-:22", address, port), "-device", "virtio-net-pci,netdev=n0,romfile=",
		"-serial", "file:"+m.console())
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return m, m.cmd.Start()
}

// files are those that the machine has beside its Debian's.
func (m *Machine) files(o Options) error {
	public, err := remotetest.NewKey(m.keyFile())
	if err != nil {
		return err
	}
	root := filepath.Join(m.dir, "files")
	// Folders that keys are written to are for their owner alone, and services must read /etc.
	if err := os.MkdirAll(filepath.Join(root, "etc/ssh"), 0o755); err != nil {
		return err
	}
	if m.key, err = remotetest.NewKey(filepath.Join(root, "etc/ssh/ssh_host_ed25519_key")); err != nil {
		return err
	}
	authorized := string(ssh.MarshalAuthorizedKey(public))
	for path, text := range map[string]string{
		"etc/ssh/sshd_config": "PermitRootLogin prohibit-password\nPasswordAuthentication no\nUsePAM yes\nUseDNS no\n" +
			"HostKey /etc/ssh/ssh_host_ed25519_key\nAuthorizedKeysFile /etc/ssh/authorized_keys/%u\n",
		"etc/ssh/authorized_keys/root":       authorized,
		"etc/ssh/authorized_keys/" + Admin:   authorized,
		"etc/fstab":                          "/dev/vda1 / ext4 defaults 0 1\n",
		"etc/hostname":                       "machine\n",
		"etc/hosts":                          "127.0.0.1 localhost machine\n",
		"etc/resolv.conf":                    "",
		"etc/systemd/network/10-all.network": "[Match]\nName=e*\n[Network]\nDHCP=yes\n",
		"etc/default/grub":                   "GRUB_DEFAULT=0\nGRUB_TIMEOUT=0\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n",
		// Cloud images set the line again, in a fragment that a file's editor would not see.
		"etc/default/grub.d/50-cloudimg-settings.cfg": "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet console=ttyS0 iommu=off " + patient + "\"\n",
		"prepare": "set -eu\n" + o.Prepare + "\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (m *Machine) keyFile() string { return filepath.Join(m.dir, "key") }
func (m *Machine) console() string { return filepath.Join(m.dir, "console") }

// Console is what the machine wrote to its serial line.
func (m *Machine) Console() string {
	text, err := os.ReadFile(m.console())
	if err != nil {
		return err.Error()
	}
	return strings.ToValidUTF8(string(text), "?")
}

// Target is the machine for one of its users.
func (m *Machine) Target(user string) remote.Target {
	return remote.Target{Host: address, Port: port, User: user, KeyFiles: []string{m.keyFile()}}
}

// KnownHosts is the machine's line of known_hosts.
func (m *Machine) KnownHosts() string {
	return knownhosts.Line([]string{fmt.Sprintf("[%s]:%d", address, port)}, m.key) + "\n"
}

// Stop pulls the machine's plug.
func (m *Machine) Stop() error {
	if err := m.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	var exit *exec.ExitError
	if err := m.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

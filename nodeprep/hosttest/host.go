package hosttest

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed commands.sh
var commands string

// Host is a host in a folder.
type Host struct {
	Dir     string
	bin     string
	boots   int
	defects []string
}

// New makes a host of a distribution with some hardware in an empty folder.
func New(dir string, d Distribution, hw Hardware) (*Host, error) {
	h := &Host{Dir: dir, bin: filepath.Join(dir, "fake", "bin")}
	if err := h.commands(d); err != nil {
		return nil, err
	}
	for path, content := range files(d, hw) {
		if err := h.Write(path, content); err != nil {
			return nil, err
		}
	}
	for _, folder := range hw.folders() {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			return nil, err
		}
	}
	return h, h.newBoot()
}

// Open finds a host that New has made in a folder, as it was left.
func Open(dir string) (*Host, error) {
	h := &Host{Dir: dir, bin: filepath.Join(dir, "fake", "bin")}
	id := h.Read("proc/sys/kernel/random/boot_id")
	if _, err := fmt.Sscanf(id[strings.LastIndexByte(id, '-')+1:], "%d", &h.boots); err != nil {
		return nil, fmt.Errorf("there is no host in %s: its boot id is %q", dir, id)
	}
	return h, nil
}

// commands puts the commands where scripts find them first.
func (h *Host) commands(d Distribution) error {
	if err := os.MkdirAll(h.bin, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(h.Dir, "fake", "commands"), []byte(commands), 0o755); err != nil {
		return err
	}
	for _, name := range slices.Concat(common, d.Commands) {
		if err := os.Symlink("../commands", filepath.Join(h.bin, name)); err != nil {
			return err
		}
	}
	// Of the machine's own commands, a host has those that every host has: none of its package managers.
	for _, name := range real {
		path, err := exec.LookPath(name)
		if dash, missing := exec.LookPath("dash"); name == "sh" && missing == nil {
			path = dash // the strictest of those that hosts have
		}
		if err != nil {
			return fmt.Errorf("this machine lacks a command that every host has: %w", err)
		}
		if err := os.Symlink(path, filepath.Join(h.bin, name)); err != nil {
			return err
		}
	}
	return nil
}

// AddCommand gives a host one more fake command.
func (h *Host) AddCommand(name string) error {
	return os.Symlink("../commands", filepath.Join(h.bin, name))
}

// common are fake commands that every host has.
var common = []string{
	"systemctl", "systemd-run", "systemd-detect-virt", "systemd-escape", "modprobe", "modinfo", "uname", "swapoff", "swapon", "dkms", "blkid",
	"ip", "udevadm", "sync",
}

// real are commands that every host has as it is.
var real = []string{
	"sh", "awk", "base64", "cat", "chmod", "chown", "cp", "cut", "date", "dd", "df", "env", "expr", "find", "flock", "grep", "gzip", "head", "id", "ln", "ls",
	"mkdir", "mktemp", "mv", "od", "readlink", "rm", "rmdir", "sed", "sha256sum", "sleep", "sort", "stat", "tail", "tar", "timeout", "touch", "tr", "uniq", "wc",
}

// Path is where a file of the host is.
func (h *Host) Path(path string) string { return filepath.Join(h.Dir, path) }

// Write makes a file of the host have a content.
func (h *Host) Write(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(h.Path(path)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(h.Path(path), []byte(content), 0o644)
}

// Read is the content of a file of the host, without the line end; empty if there is none.
func (h *Host) Read(path string) string {
	content, err := os.ReadFile(h.Path(path))
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(content), "\n")
}

// Fail makes a command fail from now on with what it says; an empty text lets it work again.
func (h *Host) Fail(command, says string) error {
	path := filepath.Join("fake", "fail-"+command)
	if says == "" {
		return os.RemoveAll(h.Path(path))
	}
	return h.Write(path, says+"\n")
}

// Calls are the calls of fake commands since the host was made, one a line.
func (h *Host) Calls() []string { return strings.Split(h.Read("fake/log"), "\n") }

// Command is a shell that runs on the host and reads its script from its input.
func (h *Host) Command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(h.bin, "sh"))
	cmd.Env = []string{"PATH=" + h.bin, "GPUYARD_ROOT=" + h.Dir, "HOME=/nonexistent"}
	cmd.Dir = h.Dir
	return cmd
}

// Run runs a script and returns what it printed. A script that ends with another code than 0 is no error: what it
// printed says what happened, as over any connection.
func (h *Host) Run(ctx context.Context, script string) ([]byte, error) {
	cmd := h.Command(ctx)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(script), &out, &errs
	if err := cmd.Run(); err != nil && out.Len() == 0 {
		return nil, fmt.Errorf("%w: %s", err, errs.String())
	}
	if errs.Len() > 0 {
		h.defects = append(h.defects, errs.String())
	}
	return out.Bytes(), nil
}

// Complaints is what scripts wrote to their standard error: a script that says nothing there has no slips.
func (h *Host) Complaints() string { return strings.Join(h.defects, "") }

// RebootRequested says whether the host has been told to reboot since its last boot.
func (h *Host) RebootRequested() bool {
	_, err := os.Stat(h.Path("fake/reboot-requested"))
	return err == nil
}

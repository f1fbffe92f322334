package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// floor runs the script of a check by OpenSSH's client, one process a host, all at once.
func (f *field) floor(ctx context.Context) error {
	body := script.Of(facts.Script(nodeprep.Query(wanted()))).Script()
	problems := make([]error, len(f.hosts))
	var together sync.WaitGroup
	for n, h := range f.hosts {
		together.Go(func() {
			cmd := exec.CommandContext(ctx, "ssh", "-F", "none", "-i", f.lab.Key(), "-o", "IdentitiesOnly=yes", "-o", "UserKnownHostsFile="+f.lab.Known(),
				opensshtest.Admin+"@"+h.Address, "sudo -n sh")
			cmd.Stdin = strings.NewReader(body)
			out, err := cmd.Output()
			if err == nil && !strings.Contains(string(out), "complete") {
				err = errors.New("the answer is not whole")
			}
			problems[n] = err
		})
	}
	together.Wait()
	return errors.Join(problems...)
}

// ansible runs a playbook with the same items, as a check and as an apply, on hosts that are right already.
func (f *field) ansible(ctx context.Context, list []item, check, apply cost) error {
	if _, err := exec.LookPath("ansible-playbook"); err != nil {
		fmt.Println("\nAnsible is not on this machine, so nothing is compared with it: apt-get install ansible")
		return nil
	}
	if err := f.playbook(list); err != nil {
		return err
	}
	for _, c := range []struct {
		name  string
		args  []string
		ours  cost
		label string
	}{
		{"Ansible, check", []string{"--check"}, check, "check"},
		{"Ansible, apply without a change", nil, apply, "apply"},
	} {
		took, err := f.measured(func() error { return f.play(ctx, c.args...) })
		if err != nil {
			return err
		}
		fmt.Printf("%-34s %s   gpuyard's %s is %.0f times faster (goal: 50), with %.0f times less processor time\n", c.name, took, c.label,
			ratio(took.wall, c.ours.wall), ratio(took.processor, c.ours.processor))
	}
	return nil
}

// playbook writes what Ansible reads.
func (f *field) playbook(list []item) error {
	var hosts, tasks strings.Builder
	for _, h := range f.hosts {
		fmt.Fprintf(&hosts, "%s ansible_host=%s\n", h.Name, h.Address)
	}
	for _, i := range list {
		fmt.Fprintf(&tasks, "    - name: %q\n      %s\n", i.name, i.task)
	}
	for name, text := range map[string]string{
		"ansible.cfg": "[defaults]\nforks = 50\nhost_key_checking = true\nremote_user = " + opensshtest.Admin + "\nprivate_key_file = " + f.lab.Key() +
			"\ninterpreter_python = /usr/bin/python3\nlocal_tmp = " + f.dir + "/tmp\n[ssh_connection]\npipelining = true\nssh_args = -F none -o ControlMaster=auto -o ControlPersist=60s " +
			"-o UserKnownHostsFile=" + f.lab.Known() + "\ncontrol_path_dir = " + f.dir + "/cp\n",
		"hosts":        hosts.String(),
		"playbook.yml": "- hosts: all\n  become: true\n  gather_facts: true\n  tasks:\n" + tasks.String(),
	} {
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// play runs the playbook; anything that it would change is an error, since then the two did not want the same.
func (f *field) play(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "ansible-playbook", append([]string{"-i", "hosts", "playbook.yml"}, args...)...)
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), "ANSIBLE_CONFIG="+filepath.Join(f.dir, "ansible.cfg"), "HOME="+f.dir, "ANSIBLE_NOCOLOR=1", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	err = errors.Join(err, f.hangUp(ctx))
	if err != nil {
		return fmt.Errorf("ansible-playbook: %w: %s", err, out)
	}
	if n := strings.Count(string(out), "changed=0 "); n != len(f.hosts) {
		return fmt.Errorf("ansible wants otherwise on %d hosts:\n%s", len(f.hosts)-n, out)
	}
	return nil
}

// hangUp ends the connections that Ansible keeps for the next time, so that hosts know what they took.
func (f *field) hangUp(ctx context.Context) error {
	sockets, err := filepath.Glob(filepath.Join(f.dir, "cp", "*"))
	for _, s := range sockets {
		err = errors.Join(err, exec.CommandContext(ctx, "ssh", "-F", "none", "-S", s, "-O", "exit", "host").Run())
	}
	return err
}

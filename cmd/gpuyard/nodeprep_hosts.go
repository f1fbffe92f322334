package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/internal/rack"
	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/inventory"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/provider"
)

// hostFlags say which hosts there are, and how they are reached.
type hostFlags struct {
	targetFlags
	file  string
	hosts []string
	pools []string

	user, key, bastion string
	port               int
	knownHosts         string
	config             string
	trustNew           bool
	connect            time.Duration

	rack *rack.Rack // of a simulated environment; nil: hosts are real
}

func (f *hostFlags) add(cmd *cobra.Command) {
	f.targetFlags.add(cmd, false)
	flags := cmd.Flags()
	flags.StringVar(&f.file, "inventory", "", "file with hosts: one a line, or JSON as gpuyard outputs prints it")
	flags.StringArrayVar(&f.hosts, "host", nil, "a host, as [user@]host[:port]; may be repeated")
	flags.StringArrayVar(&f.pools, "pool", nil, "only hosts of this pool; may be repeated")
	flags.StringVar(&f.user, "user", "", "user of hosts that name none; it needs sudo without a password")
	flags.IntVar(&f.port, "port", 0, "SSH port of hosts that name none")
	flags.StringVar(&f.key, "key", "", "private key of hosts that name none; left out, the SSH agent is asked")
	flags.StringVar(&f.bastion, "bastion", "", "the way to hosts that name none: [user@]host[:port], several divided by commas")
	flags.StringVar(&f.knownHosts, "known-hosts", "", "file with the keys of hosts that name none (default ~/.ssh/known_hosts)")
	flags.StringVar(&f.config, "ssh-config", "", "OpenSSH client configuration that host names are looked up in")
	flags.BoolVar(&f.trustNew, "trust-new-keys", false,
		"record the key of a host that is not known and go on: whoever answers now is taken for the host, and gets the script with its secrets")
	flags.DurationVar(&f.connect, "connect-timeout", 30*time.Second, "how long a host may take to let us in")
}

// find returns the hosts that a command line names: of an environment, of a file, or word for word.
func (a *app) findHosts(ctx context.Context, args []string, f *hostFlags) ([]inventory.Host, error) {
	sources := len(args)
	for _, given := range []bool{f.file != "", len(f.hosts) > 0} {
		if given {
			sources++
		}
	}
	if sources != 1 {
		return nil, usageError{errors.New("name hosts in one way: ENVIRONMENT, --inventory FILE, or --host HOST")}
	}
	if f.local && len(args) == 0 {
		return nil, usageError{errors.New("--local is for an environment: its hosts are simulated with it")}
	}
	hosts, err := a.readHosts(ctx, args, f)
	if err != nil {
		return nil, err
	}
	if hosts, err = chosen(hosts, f.pools); err != nil {
		return nil, err
	}
	if len(hosts) == 0 && f.file != "" {
		return nil, usageError{fmt.Errorf("%s names no host: write one a line, as [user@]host[:port]", f.file)}
	}
	if len(hosts) == 0 {
		return nil, usageError{errors.New("there is no host: only pools with a hosts block have any")}
	}
	return hosts, f.resolve(hosts)
}

func (a *app) readHosts(ctx context.Context, args []string, f *hostFlags) ([]inventory.Host, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/"
	}
	switch {
	case len(args) == 1:
		return a.stackHosts(ctx, args[0], f, home)
	case f.file != "":
		text, err := os.ReadFile(f.file)
		if err != nil {
			return nil, usageError{fmt.Errorf("reading the inventory: %w", err)}
		}
		hosts, err := inventory.Parse(text, inventory.Where{Dir: filepath.Dir(f.file), Home: home})
		if err != nil {
			return nil, usageError{fmt.Errorf("%s:\n%w", f.file, err)}
		}
		return hosts, nil
	}
	hosts, err := inventory.Words(inventory.Pool{Hosts: f.hosts}, inventory.Where{Home: home})
	if err != nil {
		return nil, usageError{err}
	}
	return hosts, nil
}

// stackHosts are the hosts of an environment that is up, from its outputs. Those of a simulated one are where it has them.
func (a *app) stackHosts(ctx context.Context, stack string, f *hostFlags, home string) ([]inventory.Host, error) {
	if err := checkName(stack); err != nil {
		return nil, err
	}
	if _, err := a.locate(stack); err != nil {
		return nil, err
	}
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	outputs, err := a.outputsOf(ctx, stack, f.targetFlags)
	if err != nil {
		return nil, err
	}
	if len(outputs) == 0 {
		return nil, fmt.Errorf("%s is not up, and has no outputs: `gpuyard up %s` first, or name hosts with --inventory or --host", stack, stack)
	}
	hosts, err := inventory.Outputs(outputs["pools"].Value, inventory.Where{Dir: root, Home: home})
	if err != nil {
		return nil, fmt.Errorf("the outputs of %s: %w", stack, err)
	}
	if f.local {
		dir := hostsBelow(engine.LocalDir(root, stack))
		a.say("Simulation: the hosts are folders in %s.\n", relative(dir))
		f.rack, err = rack.Open(dir)
	}
	return hosts, err
}

// chosen are the hosts of some pools; none named: all.
func chosen(hosts []inventory.Host, pools []string) ([]inventory.Host, error) {
	var known []string
	for _, h := range hosts {
		if h.Pool != "" && !slices.Contains(known, h.Pool) {
			known = append(known, h.Pool)
		}
	}
	for _, p := range pools {
		if !slices.Contains(known, p) {
			return nil, usageError{fmt.Errorf("there is no pool of hosts %q%s", p, catalog.Instead(p, known))}
		}
	}
	if len(pools) == 0 {
		return hosts, nil
	}
	return slices.DeleteFunc(hosts, func(h inventory.Host) bool { return !slices.Contains(pools, h.Pool) }), nil
}

// resolve fills in what hosts do not say themselves: from the SSH configuration, then from flags, then as ssh would.
func (f *hostFlags) resolve(hosts []inventory.Host) error {
	if f.port < 0 || f.port > 65535 {
		return usageError{fmt.Errorf("--port %d is no number from 1 to 65535", f.port)}
	}
	if f.key != "" {
		if err := remote.CheckKey(f.key, os.Getenv("SSH_AUTH_SOCK")); err != nil {
			return usageError{fmt.Errorf("--key: %w", err)}
		}
	}
	config, err := f.readConfig()
	if err != nil {
		return err
	}
	bastions, err := inventory.Words(inventory.Pool{Hosts: hops(f.bastion), User: f.user, KeyFile: f.key}, inventory.Where{})
	if err != nil {
		return usageError{fmt.Errorf("--bastion: %w", err)}
	}
	for n := range hosts {
		h := &hosts[n]
		if config != nil {
			if err := configured(&h.Target, config); err != nil {
				return usageError{err}
			}
		}
		f.fill(h, bastions)
	}
	return nil
}

func hops(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// fill fills in from flags.
func (f *hostFlags) fill(h *inventory.Host, bastions []inventory.Host) {
	t := &h.Target
	if t.User == "" {
		t.User = f.user
	}
	if t.User == "" {
		if me, err := user.Current(); err == nil {
			t.User = me.Username
		}
	}
	if t.Port == 0 {
		t.Port = f.port
	}
	if len(t.KeyFiles) == 0 && f.key != "" {
		t.KeyFiles = []string{f.key}
	}
	if len(t.Bastions) == 0 {
		for _, b := range bastions {
			hop := b.Target
			if hop.User == "" {
				hop.User = t.User
			}
			t.Bastions = append(t.Bastions, hop)
		}
	}
	if h.KnownHosts == "" {
		h.KnownHosts = f.knownHosts
	}
}

func (f *hostFlags) readConfig() (*remote.Config, error) {
	if f.config == "" {
		return nil, nil
	}
	file, err := os.Open(f.config)
	if err != nil {
		return nil, usageError{fmt.Errorf("reading the SSH configuration: %w", err)}
	}
	defer file.Close() //nolint:errcheck // it was read
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("reading the SSH configuration: %w", err)
	}
	config, err := remote.ReadConfig(file, home)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", f.config, err)}
	}
	return config, nil
}

// configured fills in from an SSH configuration what a host does not say itself.
func configured(t *remote.Target, config *remote.Config) error {
	found, err := config.Target(t.Host)
	if err != nil {
		return err
	}
	t.Host, t.Alias = found.Host, found.Alias
	if t.User == "" {
		t.User = found.User
	}
	if t.Port == 0 {
		t.Port = found.Port
	}
	if len(t.KeyFiles) == 0 {
		t.KeyFiles = found.KeyFiles
	}
	if len(t.Bastions) == 0 {
		t.Bastions = found.Bastions
	}
	return nil
}

// runners gives every host a runner. A file of keys that cannot be used is told here, once for all that it is for and before
// any of them is asked. The returned function closes what hosts share.
func (f *hostFlags) runners(hosts []inventory.Host) ([]fleet.Host, func(), error) {
	dialers := map[string]*remote.Dialer{}
	closeAll := func() {
		for _, d := range dialers {
			d.Close() //nolint:errcheck // the work is done, and bastions close what is left
		}
		if f.rack != nil {
			f.rack.Close()
		}
	}
	var out []fleet.Host
	var problems []string
	for _, h := range hosts {
		r, err := f.runner(h, dialers)
		if err != nil && !slices.Contains(problems, err.Error()) {
			problems = append(problems, err.Error())
		}
		out = append(out, fleet.Host{Name: h.Name, Profile: h.Profile, Runner: r})
	}
	if len(problems) > 0 {
		closeAll()
		return nil, nil, usageError{errors.New("no host was asked:\n  - " + strings.Join(problems, "\n  - "))}
	}
	return out, closeAll, nil
}

// runner is the runner of one host, by the dialer of its file of keys.
func (f *hostFlags) runner(h inventory.Host, dialers map[string]*remote.Dialer) (*remote.Runner, error) {
	options := remote.Options{TrustNewKeys: f.trustNew, AgentSocket: os.Getenv("SSH_AUTH_SOCK"), Handshake: f.connect}
	if h.KnownHosts != "" {
		options.KnownHosts = []string{h.KnownHosts}
	}
	if f.rack != nil {
		if err := f.rack.Redirect(provider.HostArgs{Address: h.Target.Host, Profile: h.Profile.Values}, &options, &h.Target); err != nil {
			return nil, err
		}
	}
	key := strings.Join(options.KnownHosts, "\n")
	if dialers[key] == nil {
		d, err := remote.NewDialer(options)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w. `ssh-keyscan HOST` prints the keys of a host: put those that are right into that file, or name another with --known-hosts", err)
		} else if err != nil {
			return nil, err
		}
		dialers[key] = d
	}
	if err := dialers[key].Check(h.Target); err != nil {
		return nil, fmt.Errorf("%w. Name a key with --key, or start an agent", err)
	}
	return dialers[key].Runner(h.Target), nil
}

package provider

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

// reach makes runners for hosts. Hosts that share a file of host keys share a dialer, and so the connection to a bastion.
type reach struct {
	o Options

	mu      sync.Mutex
	dialers map[string]*remote.Dialer
}

// runner is a runner for a host, which connects when it first runs something.
func (r *reach) runner(args HostArgs) (*remote.Runner, error) {
	target, err := r.target(args)
	if err != nil {
		return nil, err
	}
	options := remote.Options{AgentSocket: os.Getenv("SSH_AUTH_SOCK")}
	if args.KnownHosts != "" {
		path, err := r.path(args.KnownHosts)
		if err != nil {
			return nil, err
		}
		options.KnownHosts = []string{path}
	}
	if r.o.Redirect != nil {
		if err := r.o.Redirect(args, &options, &target); err != nil {
			return nil, err
		}
	}
	dialer, err := r.dialer(options)
	if err != nil {
		return nil, err
	}
	return dialer.Runner(target), nil
}

func (r *reach) dialer(options remote.Options) (*remote.Dialer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := strings.Join(options.KnownHosts, "\n")
	if d, made := r.dialers[key]; made {
		return d, nil
	}
	d, err := remote.NewDialer(options)
	if err != nil {
		return nil, err
	}
	r.dialers[key] = d
	return d, nil
}

// target is the host as package remote names it, with its bastions, to which the same key belongs.
func (r *reach) target(args HostArgs) (remote.Target, error) {
	target := remote.Target{Host: args.Address, Port: args.Port, User: args.User}
	if args.KeyFile != "" {
		path, err := r.path(args.KeyFile)
		if err != nil {
			return target, err
		}
		target.KeyFiles = []string{path}
	}
	if args.Bastion == "" {
		return target, nil
	}
	for text := range strings.SplitSeq(args.Bastion, ",") {
		hop, err := remote.ParseTarget(strings.TrimSpace(text))
		if err != nil {
			return target, fmt.Errorf("bastion: %w", err)
		}
		if hop.User == "" {
			hop.User = args.User
		}
		hop.KeyFiles = target.KeyFiles
		target.Bastions = append(target.Bastions, hop)
	}
	return target, nil
}

// path is a file as the machine knows it: ~ is the user's home, and a relative path begins at the project's folder.
func (r *reach) path(name string) (string, error) {
	if rest, found := strings.CutPrefix(name, "~/"); found {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("finding %s: %w", name, err)
		}
		return filepath.Join(home, rest), nil
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	return filepath.Join(r.o.Dir, name), nil
}

// within gives what only looks at a host a deadline, which is the reason that is told when it has passed.
func (r *reach) within(ctx context.Context, args HostArgs) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, r.o.Deadline, fmt.Errorf("%s has not answered within %v", args.Address, r.o.Deadline))
}

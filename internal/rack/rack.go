package rack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
	"github.com/gpuyard/gpuyard/provider"
)

// Rack is servers in a folder, and bastions in front of them.
type Rack struct {
	dir    string
	key    string
	client ssh.PublicKey

	mu    sync.Mutex
	doors map[string]*door // by host, and by bastion
}

// door is an SSH server on loopback.
type door struct {
	server   *remotetest.Server
	listener net.Listener
}

// Open finds the rack of a folder, which is made if there is none. Nothing runs there until a server is reached.
func Open(dir string) (*Rack, error) {
	r := &Rack{dir: dir, key: filepath.Join(dir, "key"), doors: map[string]*door{}}
	text, err := os.ReadFile(r.key)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if r.client, err = remotetest.NewKey(r.key); err != nil {
			return nil, fmt.Errorf("making the key of the simulated servers: %w", err)
		}
		return r, nil
	case err != nil:
		return nil, fmt.Errorf("reading the key of the simulated servers: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("reading the key of the simulated servers: %w", err)
	}
	r.client = signer.PublicKey()
	return r, nil
}

// Close ends all servers.
func (r *Rack) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.doors {
		_ = d.listener.Close() // it is gone either way
		d.server.Close()
	}
	clear(r.doors)
}

// Redirect has a host reached here instead of where its arguments say. Its bastions are simulated too.
func (r *Rack) Redirect(args provider.HostArgs, o *remote.Options, t *remote.Target) error {
	host, err := r.host(args)
	if err != nil {
		return err
	}
	known := host.KnownHosts(t.Address())
	t.KeyFiles = []string{r.key}
	for i := range t.Bastions {
		t.Bastions[i].KeyFiles = []string{r.key}
		bastion, err := r.bastion(t.Bastions[i].Host)
		if err != nil {
			return err
		}
		known += bastion.KnownHosts(t.Bastions[i].Address())
	}
	file := filepath.Join(r.dir, folder(args.Address)+".known_hosts")
	if err := os.WriteFile(file, []byte(known), 0o600); err != nil {
		return fmt.Errorf("recording the keys of the simulated servers: %w", err)
	}
	o.KnownHosts, o.AgentSocket = []string{file}, ""
	o.Dial = func(ctx context.Context, _, address string) (net.Conn, error) { return r.dial(ctx, address) }
	return nil
}

// dial connects to the server that stands for an address.
func (r *Rack) dial(ctx context.Context, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	d := r.doors[host]
	r.mu.Unlock()
	if d == nil {
		return nil, fmt.Errorf("no simulated server stands for %s", host)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", d.listener.Addr().String())
}

// host is the server of a host.
func (r *Rack) host(args provider.HostArgs) (*remotetest.Server, error) {
	return r.open(args.Address, func() (*hosttest.Host, error) {
		dir := filepath.Join(r.dir, folder(args.Address))
		if h, err := hosttest.Open(dir); err == nil {
			return h, h.Write("fake/repository", repository(args.Profile))
		}
		if err := os.RemoveAll(dir); err != nil { // half a host, of a run that was ended while it made it
			return nil, err
		}
		return install(dir, args)
	})
}

// bastion is a server that only forwards.
func (r *Rack) bastion(host string) (*remotetest.Server, error) {
	return r.open(host, func() (*hosttest.Host, error) { return nil, nil })
}

func (r *Rack) open(host string, make func() (*hosttest.Host, error)) (*remotetest.Server, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := r.doors[host]; d != nil {
		return d.server, nil
	}
	h, err := make()
	if err != nil {
		return nil, fmt.Errorf("making the simulated server %s: %w", host, err)
	}
	server, err := remotetest.NewServer(h, r.client)
	if err != nil {
		return nil, fmt.Errorf("starting the simulated server %s: %w", host, err)
	}
	server.Forward = func(address string) (net.Conn, error) { return r.dial(context.Background(), address) }
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the simulated server %s: %w", host, err)
	}
	r.doors[host] = &door{server, listener}
	go func() { _ = server.Serve(listener) }() // it ends when the listener is closed
	return server, nil
}

// folder is the name of a host's folder.
func folder(address string) string {
	return strings.Map(func(c rune) rune {
		if c == '/' || c == ':' {
			return '_'
		}
		return c
	}, address)
}

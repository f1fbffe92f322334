package remote_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// world is servers that are reached without a network, with one client key and one file of known host keys.
type world struct {
	t       *testing.T
	dir     string
	delay   time.Duration
	client  ssh.PublicKey
	mu      sync.Mutex
	servers map[string]*remotetest.Server
	dialled map[string]int
}

// newWorld makes a world whose messages take a time in each direction.
func newWorld(t *testing.T, delay time.Duration) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), delay: delay, servers: map[string]*remotetest.Server{}, dialled: map[string]int{}}
	key, err := remotetest.NewKey(w.key())
	if err != nil {
		t.Fatal(err)
	}
	w.client = key
	return w
}

func (w *world) key() string   { return filepath.Join(w.dir, "id_ed25519") }
func (w *world) known() string { return filepath.Join(w.dir, "known_hosts") }

// add puts a server at an address and records its key.
func (w *world) add(address string, h *hosttest.Host) *remotetest.Server {
	w.t.Helper()
	s, err := remotetest.NewServer(h, w.client)
	if err != nil {
		w.t.Fatal(err)
	}
	w.servers[address] = s
	w.record(s.KnownHosts(address))
	return s
}

func (w *world) record(line string) {
	w.t.Helper()
	f, err := os.OpenFile(w.known(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := f.WriteString(line); err != nil {
		w.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// dial connects to a server by a pipe, after the round trip that a TCP connection takes.
func (w *world) dial(ctx context.Context, _, address string) (net.Conn, error) {
	w.mu.Lock()
	s := w.servers[address]
	w.dialled[address]++
	w.mu.Unlock()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(2 * w.delay):
	}
	if s == nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: address, IsNotFound: true}}
	}
	near, far := remotetest.Pipe(w.delay)
	s.ServeConn(far)
	return near, nil
}

// dialer makes a dialer of this world.
func (w *world) dialer(change func(*remote.Options)) *remote.Dialer {
	w.t.Helper()
	o := remote.Options{KnownHosts: []string{w.known()}, Dial: w.dial}
	if change != nil {
		change(&o)
	}
	d, err := remote.NewDialer(o)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// target is a server of this world as a person names it.
func (w *world) target(text string) remote.Target {
	w.t.Helper()
	t, err := remote.ParseTarget(text)
	if err != nil {
		w.t.Fatal(err)
	}
	if t.User == "" {
		t.User = "root"
	}
	t.KeyFiles = []string{w.key()}
	return t
}

// end closes connections, and waits until the servers have seen it.
func (w *world) end(closers ...interface{ Close() error }) {
	w.t.Helper()
	for _, c := range closers {
		if err := c.Close(); err != nil {
			w.t.Errorf("closing: %v", err)
		}
	}
	for _, s := range w.servers {
		s.Close()
	}
}

// echo answers each script with its length and a code.
func echo(_, script string) (string, uint32) {
	if strings.Contains(script, "fail") {
		return "", 3
	}
	return "heard " + script, 0
}

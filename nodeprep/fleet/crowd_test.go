package fleet_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// crowd is many hosts behind one server.
type crowd struct {
	server  *remotetest.Server
	oneWay  time.Duration // how long a message takes
	key     string
	known   string
	profile profile.Profile
}

func newCrowd(t testing.TB, oneWay time.Duration, answer func(command, script string) (string, uint32)) *crowd {
	t.Helper()
	dir := t.TempDir()
	w := &crowd{oneWay: oneWay, key: filepath.Join(dir, "key"), known: filepath.Join(dir, "known_hosts")}
	public, err := remotetest.NewKey(w.key)
	if err != nil {
		t.Fatal(err)
	}
	if w.server, err = remotetest.NewServer(nil, public); err != nil {
		t.Fatal(err)
	}
	w.server.Answer = answer
	if err := os.WriteFile(w.known, []byte(w.server.KnownHosts("*")), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// dial connects to a host, after the round trip that a TCP connection takes.
func (w *crowd) dial(context.Context, string, string) (net.Conn, error) {
	time.Sleep(2 * w.oneWay)
	near, far := remotetest.Pipe(w.oneWay)
	w.server.ServeConn(far)
	return near, nil
}

// hosts are so many of them, with the dialer that reaches them.
func (w *crowd) hosts(t testing.TB, n int, p profile.Profile) (*remote.Dialer, []fleet.Host) {
	t.Helper()
	d, err := remote.NewDialer(remote.Options{KnownHosts: []string{w.known}, Dial: w.dial})
	if err != nil {
		t.Fatal(err)
	}
	var hosts []fleet.Host
	for n := range n {
		target := remote.Target{Host: fmt.Sprintf("host-%d", n), User: "root", KeyFiles: []string{w.key}}
		hosts = append(hosts, fleet.Host{Name: target.Host, Profile: p, Runner: d.Runner(target)})
	}
	return d, hosts
}

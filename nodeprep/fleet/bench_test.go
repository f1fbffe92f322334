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

// BenchmarkCheck checks 1,000 hosts over SSH, server and client in this process, at 20 ms round trip. The goal is five
// seconds on two cores.
func BenchmarkCheck(b *testing.B) {
	const hosts, delay = 1000, 10 * time.Millisecond
	dir := b.TempDir()
	key := filepath.Join(dir, "key")
	public, err := remotetest.NewKey(key)
	if err != nil {
		b.Fatal(err)
	}
	answer := recorded(b, "ubuntu-22.04-h100")
	server, err := remotetest.NewServer(nil, public)
	if err != nil {
		b.Fatal(err)
	}
	server.Answer = func(string, string) (string, uint32) { return string(answer.document), 0 }
	known := filepath.Join(dir, "known_hosts")
	if err := os.WriteFile(known, []byte(server.KnownHosts("*")), 0o600); err != nil {
		b.Fatal(err)
	}
	p, _ := profile.BuiltIn(profile.Training)
	for b.Loop() {
		d, err := remote.NewDialer(remote.Options{KnownHosts: []string{known}, Dial: func(context.Context, string, string) (net.Conn, error) {
			time.Sleep(2 * delay)
			near, far := remotetest.Pipe(delay)
			server.ServeConn(far)
			return near, nil
		}})
		if err != nil {
			b.Fatal(err)
		}
		var list []fleet.Host
		for n := range hosts {
			target := remote.Target{Host: fmt.Sprintf("host-%d", n), User: "root", KeyFiles: []string{key}}
			list = append(list, fleet.Host{Name: target.Host, Profile: p, Runner: closing{d.Runner(target)}})
		}
		report := fleet.Run(b.Context(), list, fleet.Options{Concurrency: 256})
		if report.Count(fleet.Failed) > 0 {
			report.WriteText(os.Stderr) //nolint:errcheck // the summary follows
			b.Fatal(report.Summary())
		}
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
	}
	server.Close()
}

// closing closes its connection once it has run something, as a check of a fleet does.
type closing struct{ *remote.Runner }

func (c closing) Run(ctx context.Context, script string) ([]byte, error) {
	defer c.Close() //nolint:errcheck // the answer is what counts
	return c.Runner.Run(ctx, script)
}

package fleet_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// Many hosts, all at once but for a limit, and how long a message takes in each direction.
const (
	many       = 1000
	atOnce     = 256
	oneWay     = 10 * time.Millisecond
	checkGoal  = 5 * time.Second
	memoryGoal = 500 << 20
)

// BenchmarkCheck checks 1,000 hosts over SSH, servers and clients in this process, at 20 ms round trip. The reference is
// the least that could be done with the same library: connect, run the same script, read the answer and throw it away.
// The goal is five seconds and 500 MiB on two cores that have nothing else to do, so it also says how much processor time
// a run took, and for how long its threads stood in the queue for a processor: on a busy machine that is most of it.
func BenchmarkCheck(b *testing.B) {
	answer := string(recorded(b, "ubuntu-22.04-h100").document)
	w := newCrowd(b, oneWay, func(string, string) (string, uint32) { return answer, 0 })
	b.Cleanup(w.server.Close)
	w.profile, _ = profile.BuiltIn(profile.Training)
	// In turns; the check goes first and cold, as a person's does.
	var check, bare usage
	for b.Loop() {
		check.add(func() { w.check(b) })
		bare.add(func() { w.bare(b) })
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op") // both together, which says nothing
	b.ReportMetric(check.wall.Seconds()/n, "check-s")
	b.ReportMetric(check.cpu.Seconds()/n, "check-cpu-s")
	b.ReportMetric(check.queued.Seconds()/n, "check-queued-s")
	b.ReportMetric(bare.cpu.Seconds()/n, "bare-cpu-s")
	b.ReportMetric(float64(check.cpu)/float64(bare.cpu), "cpu-ratio")
	b.ReportMetric(float64(peak())/(1<<20), "peak-MiB")
	b.Logf("%d hosts in %.1f s (goal: %v on idle cores) with %d MiB at most (goal: %d), of which %.1f s of processor; %.2f times the processor time of bare SSH",
		many, check.wall.Seconds()/n, checkGoal, peak()>>20, memoryGoal>>20, check.cpu.Seconds()/n, float64(check.cpu)/float64(bare.cpu))
}

func (w *crowd) check(b *testing.B) {
	b.Helper()
	d, hosts := w.hosts(b, many, w.profile)
	report := fleet.Run(b.Context(), hosts, fleet.Options{Concurrency: atOnce})
	if report.Count(fleet.Failed) > 0 || len(report.Hosts) != many {
		b.Fatal(report.Summary())
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
}

// bare is the reference.
func (w *crowd) bare(b *testing.B) {
	b.Helper()
	text, err := os.ReadFile(w.key)
	if err != nil {
		b.Fatal(err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		b.Fatal(err)
	}
	body := script.Of(facts.Script(nodeprep.Query(w.profile))).Script()
	config := &ssh.ClientConfig{User: "root", Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()}
	slots := make(chan struct{}, atOnce)
	var together sync.WaitGroup
	for range many {
		slots <- struct{}{}
		together.Go(func() {
			defer func() { <-slots }()
			raw, _ := w.dial(b.Context(), "", "") // it cannot fail
			if err := converse(raw, config, body); err != nil {
				b.Error(err)
			}
		})
	}
	together.Wait()
}

// converse runs a script over a connection.
func converse(raw net.Conn, config *ssh.ClientConfig, body string) error {
	conn, channels, requests, err := ssh.NewClientConn(raw, "host:22", config)
	if err != nil {
		return err
	}
	client := ssh.NewClient(conn, channels, requests)
	defer client.Close() //nolint:errcheck // the answer is what counts
	session, err := client.NewSession()
	if err != nil {
		return err
	}
	session.Stdin, session.Stdout = strings.NewReader(body), io.Discard
	return session.Run("sh")
}

// usage is what something took.
type usage struct{ wall, cpu, queued time.Duration }

func (u *usage) add(f func()) {
	start, cpu, queued := time.Now(), processor(), inQueue()
	f()
	u.wall += time.Since(start)
	u.cpu += processor() - cpu
	u.queued += inQueue() - queued
}

// processor is the processor time of this process.
func processor() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// inQueue is for how long threads of this process could have run and had no processor.
func inQueue() time.Duration {
	var sum time.Duration
	files, _ := filepath.Glob("/proc/self/task/*/schedstat") // the pattern is right
	for _, f := range files {
		var ran, waited int64
		if text, err := os.ReadFile(f); err == nil {
			fmt.Sscan(string(text), &ran, &waited) //nolint:errcheck // a kernel without it counts as no wait
		}
		sum += time.Duration(waited)
	}
	return sum
}

// peak is the most memory that this process ever had.
func peak() int64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return r.Maxrss << 10
}

package remote_test

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// behind makes hosts that are reached from a bastion alone, and the bastion that is reached from an outer one.
func behind(w *world) (outer, inner *remotetest.Server, hosts []string) {
	outer, inner = w.add("outer:22", nil), w.add("inner:22", nil)
	hosts = []string{"10.0.0.1:22", "10.0.0.2:22", "10.0.0.3:22"}
	private := map[string]*remotetest.Server{"inner:22": inner}
	for _, h := range hosts {
		s := w.add(h, nil)
		s.Answer = echo
		private[h] = s
	}
	forward := func(address string) (net.Conn, error) {
		s := private[address]
		if s == nil {
			return nil, &net.AddrError{Err: "no way there", Addr: address}
		}
		near, far := remotetest.Pipe(delay)
		s.ServeConn(far)
		return near, nil
	}
	outer.Forward, inner.Forward = forward, forward
	for name := range private {
		delete(w.servers, name) // not reached from outside
	}
	return outer, inner, hosts
}

func TestBastionsAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		outer, inner, hosts := behind(w)
		d := w.dialer(nil)
		chain := []remote.Target{w.target("jump@outer"), w.target("jump@inner")}
		var together sync.WaitGroup
		for _, h := range hosts {
			target := w.target(h)
			target.Bastions = chain
			together.Go(func() {
				r := d.Runner(target)
				defer r.Close() //nolint:errcheck // the dialer's end is looked at
				out, err := r.Run(t.Context(), "hello")
				if err != nil || string(out) != "heard hello" {
					t.Errorf("%s: %q, %v", h, out, err)
				}
			})
		}
		together.Wait()
		if outer.Accepted() != 1 || inner.Accepted() != 1 {
			t.Errorf("%d connections to the outer bastion, %d to the inner one", outer.Accepted(), inner.Accepted())
		}
		w.servers["inner:22"] = inner
		w.end(d)
	})
}

func TestABastionThatGoesAwayIsReachedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		outer, _, hosts := behind(w)
		d := w.dialer(nil)
		target := w.target(hosts[0])
		target.Bastions = []remote.Target{w.target("jump@outer")}
		r := d.Runner(target)
		if _, err := r.Run(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		outer.Close()
		if err := r.Reconnect(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Run(t.Context(), "x"); err != nil || outer.Accepted() != 2 {
			t.Errorf("%v, after %d connections to the bastion", err, outer.Accepted())
		}
		w.end(r, d)
	})
}

func TestWhatABastionRefuses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		outer, _, _ := behind(w)
		d := w.dialer(nil)
		target := w.target("10.9.9.9")
		target.Bastions = []remote.Target{w.target("jump@outer")}
		r := d.Runner(target)
		if _, err := r.Run(t.Context(), "x"); err == nil {
			t.Error("a host that is nowhere was reached")
		}
		if err := outer.ChangeKey(); err != nil {
			t.Fatal(err)
		}
		outer.Close()
		if _, err := r.Run(t.Context(), "x"); err == nil {
			t.Error("a bastion with another key was gone through")
		}
		w.end(r, d)
	})
}

// TestHandshakesAreLimited has many connections to one server, which sshd would drop above ten.
func TestHandshakesAreLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		s := w.add("10.0.0.1:22", nil)
		s.Answer = echo
		var now, most atomic.Int64
		d := w.dialer(func(o *remote.Options) { o.Handshakes = 3 })
		s.Handshaking = func(begins bool) {
			if !begins {
				now.Add(-1)
				return
			}
			for n := now.Add(1); n > most.Load(); {
				most.Store(n)
			}
			time.Sleep(time.Second)
		}
		var together sync.WaitGroup
		for range 12 {
			together.Go(func() {
				r := d.Runner(w.target("10.0.0.1"))
				if _, err := r.Run(t.Context(), "x"); err != nil {
					t.Error(err)
				}
				r.Close() //nolint:errcheck // the server's end is looked at
			})
		}
		together.Wait()
		if most.Load() != 3 {
			t.Errorf("%d handshakes at once", most.Load())
		}
		w.end(d)
	})
}

package remote_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

func TestFailuresAreTyped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(w *world, s *remotetest.Server)
		options func(*remote.Options)
		target  string
		script  string
		kind    remote.Kind
		says    string
		dialled int // connections that are tried; 0: any
	}{
		"a changed key": {prepare: func(_ *world, s *remotetest.Server) { s.ChangeKey() }, //nolint:errcheck // the test sees it
			kind: remote.Permanent, says: "shows another key", dialled: 1},
		"an unknown key": {prepare: func(w *world, _ *remotetest.Server) { os.WriteFile(w.known(), nil, 0o600) }, //nolint:errcheck // the test sees it
			kind: remote.Permanent, says: "compare it with what the host's console shows", dialled: 1},
		"another user's key": {prepare: func(w *world, _ *remotetest.Server) { remotetest.NewKey(w.key()) }, //nolint:errcheck // the test sees it
			kind: remote.Authentication, says: "unable to authenticate", dialled: 1},
		"no key": {prepare: func(w *world, _ *remotetest.Server) { os.Remove(w.key()) }, kind: remote.Authentication, says: "reading a key"}, //nolint:errcheck // the test sees it
		"a key that is none": {prepare: func(w *world, _ *remotetest.Server) { os.WriteFile(w.key(), []byte("x"), 0o600) }, //nolint:errcheck // the test sees it
			kind: remote.Authentication, says: "cannot be read"},
		"no such host":         {target: "nowhere", kind: remote.Permanent, says: "no such host", dialled: 1},
		"hangs in handshake":   {prepare: faulty(remotetest.Faults{Hang: true}), kind: remote.Transient, says: "no answer within 30s", dialled: 4},
		"sessions are refused": {prepare: faulty(remotetest.Faults{RefuseSessions: 1}), kind: remote.Transient, says: "no more sessions"},
		"falls silent":         {prepare: faulty(remotetest.Faults{Silent: true}), kind: remote.Transient, says: "opening a session"},
		"refused for ever":     {prepare: faulty(remotetest.Faults{RefuseConnections: 100}), kind: remote.Transient, says: "EOF", dialled: 4},
		"dropped early":        {prepare: faulty(remotetest.Faults{DropAfter: 700}), kind: remote.Transient, says: "", dialled: 4},
		"sudo asks":            {prepare: faulty(remotetest.Faults{SudoAsks: true}), target: "ubuntu@10.0.0.1", kind: remote.Permanent, says: "give the user NOPASSWD"},
		"the script fails":     {script: "fail", kind: remote.Permanent, says: "ended with code 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, delay)
				s := w.add("10.0.0.1:22", nil)
				s.Answer = echo
				if c.prepare != nil {
					c.prepare(w, s)
				}
				if c.target == "" {
					c.target = "10.0.0.1"
				}
				d := w.dialer(c.options)
				r := d.Runner(w.target(c.target))
				_, err := r.Run(t.Context(), "hello "+c.script)
				var typed *remote.Error
				if !errors.As(err, &typed) || typed.Kind != c.kind || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want %s: %s", err, c.kind, c.says)
				}
				if typed != nil && typed.Host != w.target(c.target).Host {
					t.Errorf("the error names %q", typed.Host)
				}
				if got := w.dialled[w.target(c.target).Address()]; c.dialled != 0 && got != c.dialled {
					t.Errorf("%d connections were tried, want %d", got, c.dialled)
				}
				w.end(r, d)
			})
		})
	}
}

func faulty(f remotetest.Faults) func(*world, *remotetest.Server) {
	return func(_ *world, s *remotetest.Server) { s.SetFaults(f) }
}

// TestKeysAreDifferentErrors holds that a key that is not known and a key that has changed can be told apart.
func TestKeysAreDifferentErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 0)
		s := w.add("10.0.0.1:22", nil)
		if err := s.ChangeKey(); err != nil {
			t.Fatal(err)
		}
		d := w.dialer(func(o *remote.Options) { o.TrustNewKeys = true })
		r := d.Runner(w.target("10.0.0.1"))
		_, err := r.Run(t.Context(), "x")
		var changed *remote.ChangedHostKeyError
		if !errors.As(err, &changed) || !strings.HasSuffix(changed.Recorded, "known_hosts:1") {
			t.Errorf("a changed key is %v, even where new keys are trusted", err)
		}
		w.end(r, d)
		if err := os.WriteFile(w.known(), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d = w.dialer(nil)
		r = d.Runner(w.target("10.0.0.1"))
		_, err = r.Run(t.Context(), "x")
		var unknown *remote.UnknownHostKeyError
		if !errors.As(err, &unknown) || unknown.Host != "10.0.0.1:22" || !strings.HasPrefix(unknown.Fingerprint, "SHA256:") {
			t.Errorf("an unknown key is %v", err)
		}
		w.end(r, d)
	})
}

func TestTrustNewKeysRecordsThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 0)
		s := w.add("10.0.0.1:22", nil)
		s.Answer = echo
		if err := os.WriteFile(w.known(), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d := w.dialer(func(o *remote.Options) { o.TrustNewKeys = true })
		r := d.Runner(w.target("10.0.0.1"))
		if _, err := r.Run(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		w.end(r, d)
		if err := s.ChangeKey(); err != nil {
			t.Fatal(err)
		}
		d = w.dialer(func(o *remote.Options) { o.TrustNewKeys = true })
		r = d.Runner(w.target("10.0.0.1"))
		var changed *remote.ChangedHostKeyError
		if _, err := r.Run(t.Context(), "x"); !errors.As(err, &changed) {
			t.Errorf("the key that was trusted is not recorded: %v", err)
		}
		w.end(r, d)
	})
}

func TestRefusedConnectionsAreTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		s := w.add("10.0.0.1:22", nil)
		s.Answer = echo
		s.SetFaults(remotetest.Faults{RefuseConnections: 3})
		d := w.dialer(nil)
		r := d.Runner(w.target("10.0.0.1"))
		out, err := r.Run(t.Context(), "hello")
		if err != nil || string(out) != "heard hello" || s.Accepted() != 4 {
			t.Errorf("%q, %v, after %d connections", out, err, s.Accepted())
		}
		w.end(r, d)
	})
}

// TestDroppedUnderWay cuts a connection while a script runs: it may have run, so nobody may assume anything.
func TestDroppedUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		s := w.add("10.0.0.1:22", nil)
		started := make(chan bool)
		s.Answer = func(string, string) (string, uint32) {
			started <- true
			time.Sleep(time.Minute)
			return "never heard", 0
		}
		d := w.dialer(nil)
		r := d.Runner(w.target("10.0.0.1"))
		go func() {
			<-started
			s.SetFaults(remotetest.Faults{})
			go s.Close()
		}()
		_, err := r.Run(t.Context(), "x")
		var typed *remote.Error
		if !errors.As(err, &typed) || !typed.OutcomeUnknown() {
			t.Errorf("got %v", err)
		}
		w.end(r, d)
	})
}

func TestContextEndsAWait(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]remotetest.Faults{"in the handshake": {Hang: true}, "in a script": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, delay)
				s := w.add("10.0.0.1:22", nil)
				s.Answer = func(string, string) (string, uint32) { time.Sleep(time.Hour); return "", 0 }
				s.SetFaults(faults)
				d := w.dialer(nil)
				r := d.Runner(w.target("10.0.0.1"))
				stopped := errors.New("somebody pressed a key")
				ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Second, stopped)
				defer cancel()
				start := time.Now()
				if _, err := r.Run(ctx, "x"); !errors.Is(err, stopped) {
					t.Errorf("got %v", err)
				}
				if took := time.Since(start); took > 6*time.Second {
					t.Errorf("it took %v", took)
				}
				w.end(r, d)
			})
		})
	}
}

// TestKeepAliveFindsASilentPeer has a peer that answers nothing any more.
func TestKeepAliveFindsASilentPeer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		w.add("10.0.0.1:22", nil).SetFaults(remotetest.Faults{Silent: true})
		d := w.dialer(nil)
		r := d.Runner(w.target("10.0.0.1"))
		start := time.Now()
		if _, err := r.Run(t.Context(), "x"); err == nil {
			t.Error("a peer that says nothing has answered")
		}
		if took := time.Since(start); took < 15*time.Second || took > 35*time.Second {
			t.Errorf("it took %v", took)
		}
		w.end(r, d)
	})
}

func TestCommandAndReuse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, delay)
		s := w.add("10.0.0.1:22", nil)
		s.Answer = echo
		d := w.dialer(nil)
		r := d.Runner(w.target("ubuntu@10.0.0.1"))
		for range 3 {
			if _, err := r.Run(t.Context(), "x"); err != nil {
				t.Error(err)
			}
		}
		if got := strings.Join(s.Commands(), ", "); got != "sudo -n sh, sudo -n sh, sudo -n sh" || s.Accepted() != 1 {
			t.Errorf("%s over %d connections", got, s.Accepted())
		}
		if err := r.Reconnect(t.Context()); err != nil || s.Accepted() != 2 {
			t.Errorf("reconnecting: %v, %d connections", err, s.Accepted())
		}
		w.end(r, d)
	})
}

package remote

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Options are what all hosts have in common. The zero value of a duration or number is its default.
type Options struct {
	// KnownHosts are files of host keys; empty: ~/.ssh/known_hosts.
	KnownHosts []string
	// TrustNewKeys records the key of a host that nobody has recorded, and goes on. Whoever answers at that moment is
	// then taken for the host for ever, and gets the script with its secrets; a key that has changed is refused all the
	// same.
	TrustNewKeys bool
	// AgentSocket is where an SSH agent listens, as SSH_AUTH_SOCK has it; empty: none.
	AgentSocket string
	// Handshake is how long a connection may take until the host has let us in; default 30 seconds.
	Handshake time.Duration
	// KeepAlive is the pause between two looks whether the peer is still there, and how long it may take to answer;
	// default 15 seconds.
	KeepAlive time.Duration
	// Handshakes is how many may be under way at once with one server: sshd drops more than ten that are not
	// authenticated (MaxStartups 10:30:100). Default 8.
	Handshakes int
	// Attempts is how often a connection is tried that fails in a transient way; default 4.
	Attempts int
	// Dial makes raw connections; nil: by the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Dialer makes connections. It is safe for use by many goroutines.
type Dialer struct {
	o        Options
	hostKeys *hostKeys
	keys     *keyring

	mu       sync.Mutex
	slots    map[string]chan struct{} // handshakes under way, by server
	bastions map[string]*bastion
}

// bastion is one shared connection. Whoever holds the turn makes it or looks at it; a channel and no mutex, so that who
// waits for a connection that takes long can give up.
type bastion struct {
	turn   chan struct{}
	client *connection
}

// NewDialer reads the known host keys.
func NewDialer(o Options) (*Dialer, error) {
	if len(o.KnownHosts) == 0 {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("finding the known host keys: %w", err)
		}
		o.KnownHosts = []string{filepath.Join(home, ".ssh", "known_hosts")}
	}
	if o.Handshake == 0 {
		o.Handshake = 30 * time.Second
	}
	if o.KeepAlive == 0 {
		o.KeepAlive = 15 * time.Second
	}
	if o.Handshakes == 0 {
		o.Handshakes = 8
	}
	if o.Attempts == 0 {
		o.Attempts = 4
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	keys, err := newHostKeys(o.KnownHosts, o.TrustNewKeys)
	if err != nil {
		return nil, err
	}
	return &Dialer{
		o: o, hostKeys: keys, keys: &keyring{agentSocket: o.AgentSocket, files: map[string]ssh.Signer{}},
		slots: map[string]chan struct{}{}, bastions: map[string]*bastion{},
	}, nil
}

// Check reads the keys of a target and of its bastions, to say what is wrong with them before anybody is asked.
func (d *Dialer) Check(t Target) error {
	for _, hop := range append([]Target{t}, t.Bastions...) {
		if _, err := d.keys.methods(hop); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the connections to bastions. Runners close their own.
func (d *Dialer) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var problems []error
	for way, b := range d.bastions {
		b.turn <- struct{}{}
		if b.client != nil {
			if err := b.client.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
				problems = append(problems, err)
			}
		}
		<-b.turn
		delete(d.bastions, way)
	}
	return errors.Join(problems...)
}

// connect makes an authenticated connection, and tries again where a moment may help.
func (d *Dialer) connect(ctx context.Context, t Target) (*connection, error) {
	var err error
	for attempt := range d.o.Attempts {
		if attempt > 0 {
			// Hosts that were refused together must not come back together.
			pause := (200 * time.Millisecond) << attempt
			select {
			case <-ctx.Done():
				return nil, &Error{t.Host, "connecting", Transient, context.Cause(ctx)}
			case <-time.After(pause/2 + rand.N(pause)):
			}
		}
		var c *connection
		if c, err = d.once(ctx, t); err == nil {
			return c, nil
		}
		if kindOf(err) != Transient || ctx.Err() != nil {
			break
		}
	}
	var typed *Error
	if errors.As(err, &typed) {
		return nil, err
	}
	return nil, &Error{t.Host, "connecting", kindOf(err), err}
}

// once makes one attempt: the raw connection, then the handshake, both before one deadline.
func (d *Dialer) once(ctx context.Context, t Target) (*connection, error) {
	methods, err := d.keys.methods(t)
	if err != nil {
		return nil, &Error{t.Host, "choosing a key", Authentication, err}
	}
	release, err := d.slot(ctx, t)
	if err != nil {
		return nil, err
	}
	defer release()
	limit, cancel := context.WithTimeoutCause(ctx, d.o.Handshake, fmt.Errorf("no answer within %v", d.o.Handshake))
	defer cancel()
	raw, err := d.raw(limit, t)
	if err != nil {
		return nil, d.causeOf(limit, err)
	}
	// Whatever the handshake waits for, one of these ends it. A channel through a bastion knows no deadlines.
	deadline, _ := limit.Deadline()
	raw.SetDeadline(deadline)                                //nolint:errcheck // see above
	stop := context.AfterFunc(limit, func() { raw.Close() }) //nolint:errcheck // nobody is left to tell
	defer stop()
	conn, channels, requests, err := ssh.NewClientConn(raw, t.Address(), &ssh.ClientConfig{
		User: t.User, Auth: methods, HostKeyCallback: d.hostKeys.verify(t.keyName()), HostKeyAlgorithms: d.hostKeys.algorithms(t.keyName()),
	})
	if err != nil {
		raw.Close() //nolint:errcheck // the handshake's error is what counts
		return nil, d.causeOf(limit, err)
	}
	raw.SetDeadline(time.Time{}) //nolint:errcheck // see above
	return newConnection(ssh.NewClient(conn, channels, requests), d.o.KeepAlive), nil
}

// causeOf is why a connection came to nothing. Closing it under a handshake gives an error that says nothing, so the
// reason that it was closed for counts. The connection's deadline is the context's, and may be noticed a moment before it:
// whose time is up, ours or the caller's, the context alone says.
func (d *Dialer) causeOf(ctx context.Context, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if at, ok := ctx.Deadline(); ok && !time.Now().Before(at) {
			<-ctx.Done()
			return context.Cause(ctx)
		}
		return fmt.Errorf("no answer within %v", d.o.Handshake)
	}
	if ctx.Err() != nil && kindOf(err) == Transient {
		return context.Cause(ctx)
	}
	return err
}

// slot waits until a server may be asked for one more handshake. Behind bastions, handshakes travel in channels of
// connections that are authenticated, and the servers behind are many: each has its own limit.
func (d *Dialer) slot(ctx context.Context, t Target) (release func(), err error) {
	d.mu.Lock()
	slots, known := d.slots[t.way()]
	if !known {
		slots = make(chan struct{}, d.o.Handshakes)
		d.slots[t.way()] = slots
	}
	d.mu.Unlock()
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// raw is a connection to the host's port, through its bastions.
func (d *Dialer) raw(ctx context.Context, t Target) (net.Conn, error) {
	if len(t.Bastions) == 0 {
		return d.o.Dial(ctx, "tcp", t.Address())
	}
	last := t.Bastions[len(t.Bastions)-1]
	last.Bastions = t.Bastions[:len(t.Bastions)-1]
	b, err := d.bastion(ctx, last)
	if err != nil {
		return nil, err
	}
	conn, err := b.DialContext(ctx, "tcp", t.Address())
	if err != nil {
		return nil, fmt.Errorf("from bastion %s: %w", last.Host, err)
	}
	return conn, nil
}

// bastion is the shared connection to a bastion, a new one if the old one is gone.
func (d *Dialer) bastion(ctx context.Context, t Target) (*connection, error) {
	d.mu.Lock()
	b, known := d.bastions[t.way()]
	if !known {
		b = &bastion{turn: make(chan struct{}, 1)}
		d.bastions[t.way()] = b
	}
	d.mu.Unlock()
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if b.client != nil && b.client.alive() {
		return b.client, nil
	}
	client, err := d.connect(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("bastion: %w", err)
	}
	b.client = client
	return client, nil
}

package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep"
)

var (
	_ nodeprep.Runner      = (*Runner)(nil)
	_ nodeprep.Reconnecter = (*Runner)(nil)
)

// Runner runs scripts on one host, over one connection that is made when it is needed. It is for one goroutine at a
// time.
type Runner struct {
	dialer *Dialer
	target Target

	mu   sync.Mutex
	conn *connection
}

// Runner is a runner for a target; it connects when it first runs something.
func (d *Dialer) Runner(t Target) *Runner { return &Runner{dialer: d, target: t} }

// Close closes the connection.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn == nil {
		return nil
	}
	err := r.conn.Close()
	r.conn = nil
	if errors.Is(err, io.EOF) || err != nil && strings.Contains(err.Error(), "use of closed") {
		return nil // the other side was first
	}
	return err
}

// Reconnect makes a new connection in place of the old one.
func (r *Runner) Reconnect(ctx context.Context) error {
	if err := r.Close(); err != nil && ctx.Err() != nil {
		return err
	}
	_, err := r.connection(ctx)
	return err
}

func (r *Runner) connection(ctx context.Context) (*connection, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != nil && r.conn.alive() {
		return r.conn, nil
	}
	conn, err := r.dialer.connect(ctx, r.target)
	if err != nil {
		return nil, err
	}
	r.conn = conn
	return conn, nil
}

// Limits of what a host may say. A document of facts is tens of kilobytes.
const (
	maxOutput = 16 << 20
	maxErrors = 8 << 10
)

// Run runs a script as root. Nothing is waited for between opening the channel and the script's end.
func (r *Runner) Run(ctx context.Context, script string) ([]byte, error) {
	conn, err := r.connection(ctx)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() }) //nolint:errcheck // nobody is left to tell
	defer stop()
	channel, requests, err := conn.OpenChannel("session", nil)
	if err != nil {
		return nil, r.failed(ctx, "opening a session", openKind(err), err)
	}
	defer channel.Close() //nolint:errcheck // the host closes it as well
	// The answer to this request would cost a round trip, and says nothing that the output does not.
	if _, err := channel.SendRequest("exec", false, ssh.Marshal(struct{ Command string }{r.command()})); err != nil {
		return nil, r.failed(ctx, "starting a shell", Unknown, err)
	}
	return r.converse(ctx, channel, requests, script)
}

// command is what the host runs. -n: sudo must never ask.
func (r *Runner) command() string {
	if r.target.User == "root" {
		return "sh"
	}
	return "sudo -n sh"
}

// converse sends the script and hears the answer.
func (r *Runner) converse(ctx context.Context, channel ssh.Channel, requests <-chan *ssh.Request, script string) ([]byte, error) {
	ended := make(chan *uint32, 1)
	go func() { ended <- exitStatus(requests) }()
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(channel, script)
		sent <- errors.Join(err, channel.CloseWrite())
	}()
	var complaints tail
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		io.Copy(&complaints, channel.Stderr()) //nolint:errcheck // what came is what there is
	}()
	out, err := io.ReadAll(io.LimitReader(channel, maxOutput+1))
	<-heard
	status := <-ended
	switch {
	case len(out) > maxOutput:
		return nil, r.failed(ctx, "reading the answer", Unknown, fmt.Errorf("it is longer than %d bytes", maxOutput))
	case err != nil:
		return nil, r.failed(ctx, "reading the answer", Unknown, err)
	case status == nil:
		return nil, r.failed(ctx, "waiting for the script", Unknown, errors.Join(errors.New("the connection ended before the script did"), <-sent))
	case *status != 0 && len(out) == 0:
		return nil, r.failed(ctx, "running the script", Permanent, explained(*status, complaints.String()))
	}
	return out, nil
}

// exitStatus is the code with which the script ended, or nil if nobody said.
func exitStatus(requests <-chan *ssh.Request) *uint32 {
	var status *uint32
	for request := range requests {
		if request.Type == "exit-status" {
			var message struct{ Status uint32 }
			if ssh.Unmarshal(request.Payload, &message) == nil {
				status = &message.Status
			}
		}
		if request.WantReply {
			request.Reply(false, nil) //nolint:errcheck // a peer that is gone is noticed elsewhere
		}
	}
	return status
}

// explained says why a shell that printed nothing failed.
func explained(status uint32, complaints string) error {
	complaints = strings.TrimSpace(complaints)
	switch {
	case strings.Contains(complaints, "sudo: a password is required"), strings.Contains(complaints, "sudo: a terminal is required"):
		return errors.New("sudo asks for a password: give the user NOPASSWD in sudoers, or connect as root")
	case strings.Contains(complaints, "not in the sudoers"), strings.Contains(complaints, "not allowed to execute"):
		return fmt.Errorf("the user may not use sudo: %s", complaints)
	case status == 127 && strings.Contains(complaints, "sudo"):
		return errors.New("sudo is not installed: install it and give the user NOPASSWD in sudoers, or connect as root")
	case status == 127:
		return fmt.Errorf("a command is missing: %s", complaints)
	}
	return fmt.Errorf("it ended with code %d: %s", status, complaints)
}

// openKind tells a refusal, which is the server's word, from a connection that is gone. Nothing has run either way.
func openKind(err error) Kind {
	var refused *ssh.OpenChannelError
	if errors.As(err, &refused) && refused.Reason == ssh.Prohibited {
		return Permanent
	}
	return Transient
}

// failed wraps an error; one that a context caused says so.
func (r *Runner) failed(ctx context.Context, op string, kind Kind, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return &Error{r.target.Host, op, kind, err}
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if extra := t.Len() - maxErrors; extra > 0 {
		t.Next(extra)
	}
	return n, err
}

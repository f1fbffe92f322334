package remote

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/skeema/knownhosts"
)

// Kind says what may be done about an error.
type Kind string

// Kinds of errors.
const (
	// Permanent: the same again gives the same again; somebody must change something.
	Permanent Kind = "permanent"
	// Authentication: other credentials are needed.
	Authentication Kind = "authentication"
	// Transient: nothing has run, and it may work in a moment.
	Transient Kind = "transient"
	// Unknown: the script may have run, in part or whole. The host's state says which.
	Unknown Kind = "outcome unknown"
)

// Error is what went wrong with one host.
type Error struct {
	Host string
	Op   string // what was being done
	Kind Kind
	Err  error
}

// Error is the host, what was done, and why it failed.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %v", e.Host, e.Op, e.Err) }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeUnknown says whether the script may have run.
func (e *Error) OutcomeUnknown() bool { return e.Kind == Unknown }

// UnknownHostKeyError is a host whose key nobody has recorded.
type UnknownHostKeyError struct {
	Host, Fingerprint string
	Files             []string // that were read
}

// Error says how the key can become known.
func (e *UnknownHostKeyError) Error() string {
	return fmt.Sprintf("the key of %s (%s) is in none of %s: compare it with what the host's console shows, and add it there",
		e.Host, e.Fingerprint, strings.Join(e.Files, ", "))
}

// ChangedHostKeyError is a host that shows another key than the recorded one: it was installed anew, or something else
// answers in its place.
type ChangedHostKeyError struct{ Host, Fingerprint, Recorded string }

// Error says where the other key is recorded.
func (e *ChangedHostKeyError) Error() string {
	return fmt.Sprintf("%s shows another key (%s) than the one recorded at %s: if it was installed anew, take that line out; if not, something else answers in its place",
		e.Host, e.Fingerprint, e.Recorded)
}

// kindOf classifies what a connection or handshake failed with.
func kindOf(err error) Kind {
	var (
		unknown *UnknownHostKeyError
		changed *ChangedHostKeyError
		dns     *net.DNSError
		typed   *Error
	)
	switch {
	case errors.As(err, &typed):
		return typed.Kind
	case errors.As(err, &unknown), errors.As(err, &changed), knownhosts.IsHostKeyChanged(err), knownhosts.IsHostUnknown(err):
		return Permanent
	case errors.As(err, &dns) && dns.IsNotFound:
		return Permanent
	case strings.Contains(err.Error(), "unable to authenticate"):
		return Authentication
	case strings.Contains(err.Error(), "no common algorithm"):
		return Permanent
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, net.ErrClosed),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EPIPE),
		errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.ETIMEDOUT):
		return Transient
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return Transient
	}
	return Transient
}

package remotetest

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Pipe is two ends of a connection in memory. What one end writes reaches the other after the delay, in order, and
// writing never waits: as on a network whose bandwidth is no limit.
func Pipe(delay time.Duration) (net.Conn, net.Conn) {
	there, back := newStream(delay), newStream(delay)
	return &end{in: back, out: there}, &end{in: there, out: back}
}

// stream is one direction.
type stream struct {
	delay time.Duration
	mu    sync.Mutex
	more  *sync.Cond
	queue []packet
	shut  bool // no more is written
	left  bool // nobody reads
	limit time.Time
}

type packet struct {
	due  time.Time
	data []byte
}

func newStream(delay time.Duration) *stream {
	s := &stream{delay: delay}
	s.more = sync.NewCond(&s.mu)
	return s
}

func (s *stream) write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut || s.left {
		return 0, io.ErrClosedPipe
	}
	s.queue = append(s.queue, packet{time.Now().Add(s.delay), append([]byte(nil), p...)})
	s.more.Broadcast()
	return len(p), nil
}

func (s *stream) read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.left:
			return 0, io.ErrClosedPipe
		case !s.limit.IsZero() && !time.Now().Before(s.limit):
			return 0, os.ErrDeadlineExceeded
		case len(s.queue) == 0 && s.shut:
			return 0, io.EOF
		case len(s.queue) > 0:
			wait := time.Until(s.queue[0].due)
			if wait <= 0 {
				n := copy(p, s.queue[0].data)
				if s.queue[0].data = s.queue[0].data[n:]; len(s.queue[0].data) == 0 {
					s.queue = s.queue[1:]
				}
				return n, nil
			}
			time.AfterFunc(wait, s.wake)
		}
		s.more.Wait()
	}
}

func (s *stream) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.more.Broadcast()
}

func (s *stream) deadline(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = t
	if !t.IsZero() {
		time.AfterFunc(time.Until(t), s.wake)
	}
	s.more.Broadcast()
}

func (s *stream) close(reader bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut = s.shut || !reader
	s.left = s.left || reader
	s.more.Broadcast()
}

// end is one end of a pipe.
type end struct{ in, out *stream }

func (e *end) Read(p []byte) (int, error)  { return e.in.read(p) }
func (e *end) Write(p []byte) (int, error) { return e.out.write(p) }

func (e *end) Close() error {
	e.in.close(true)
	e.out.close(false)
	return nil
}

func (e *end) LocalAddr() net.Addr               { return address{} }
func (e *end) RemoteAddr() net.Addr              { return address{} }
func (e *end) SetWriteDeadline(time.Time) error  { return nil }
func (e *end) SetReadDeadline(t time.Time) error { e.in.deadline(t); return nil }
func (e *end) SetDeadline(t time.Time) error     { return e.SetReadDeadline(t) }

// address is where a pipe leads: a place that looks like one of a network.
type address struct{}

func (address) Network() string { return "tcp" }
func (address) String() string  { return "192.0.2.1:22" }

package remotetest

import (
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/crypto/ssh"
)

// DropAfter is a connection that drops when so many bytes have passed in both directions; 0: never.
func DropAfter(conn net.Conn, bytes int) net.Conn {
	if bytes == 0 {
		return conn
	}
	d := &dropping{Conn: conn}
	d.left.Store(int64(bytes))
	return d
}

// dropping closes its connection after some bytes. Of what would be too much, the beginning still passes.
type dropping struct {
	net.Conn
	left atomic.Int64
}

func (d *dropping) pass(n int) (allowed int, ok bool) {
	left := d.left.Add(int64(-n))
	if left >= 0 {
		return n, true
	}
	return max(0, n+int(left)), false
}

func (d *dropping) Read(p []byte) (int, error) {
	n, err := d.Conn.Read(p)
	allowed, ok := d.pass(n)
	if !ok {
		d.Close() //nolint:errcheck // it is dropped
		return allowed, io.ErrUnexpectedEOF
	}
	return n, err
}

func (d *dropping) Write(p []byte) (int, error) {
	allowed, ok := d.pass(len(p))
	if ok {
		return d.Conn.Write(p)
	}
	n, _ := d.Conn.Write(p[:allowed]) // what passes before the drop
	d.Close()                         //nolint:errcheck // it is dropped
	return n, io.ErrClosedPipe
}

// forward joins a channel to where a forwarded connection leads, as a bastion does.
func (s *Server) forward(request ssh.NewChannel) {
	var to struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}
	if s.Forward == nil || ssh.Unmarshal(request.ExtraData(), &to) != nil {
		request.Reject(ssh.Prohibited, "forwarding is off") //nolint:errcheck // the peer may be gone
		return
	}
	conn, err := s.Forward(net.JoinHostPort(to.Host, strconv.Itoa(int(to.Port))))
	if err != nil {
		request.Reject(ssh.ConnectionFailed, err.Error()) //nolint:errcheck // the peer may be gone
		return
	}
	defer conn.Close() //nolint:errcheck // the peer may be first
	channel, requests, err := request.Accept()
	if err != nil {
		return
	}
	defer channel.Close() //nolint:errcheck // the peer may be first
	go ssh.DiscardRequests(requests)
	var both sync.WaitGroup
	both.Go(func() {
		io.Copy(conn, channel) //nolint:errcheck // one side that ends is how it ends
		conn.Close()           //nolint:errcheck // so that the other direction ends as well
	})
	both.Go(func() {
		io.Copy(channel, conn) //nolint:errcheck // one side that ends is how it ends
		channel.Close()        //nolint:errcheck // so that the other direction ends as well
	})
	both.Wait()
}

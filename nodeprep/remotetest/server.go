package remotetest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
)

// Server is an SSH server. Its zero values of faults are none.
type Server struct {
	// Host is what scripts run on; nil: Answer gives the answers.
	Host *hosttest.Host
	// Answer answers a script without running it, for tests of what is around it.
	Answer func(command, script string) (out string, status uint32)
	// Handshaking is called when a handshake begins and when it has ended; nil: nobody wants to know.
	Handshaking func(begins bool)
	// Forward is where forwarded connections lead; nil: they are refused.
	Forward func(address string) (net.Conn, error)

	mu       sync.Mutex
	key      ssh.Signer
	client   ssh.PublicKey
	faults   Faults
	open     map[net.Conn]bool
	commands []string
	accepted int
	down     bool
	work     tasks
}

// Faults are what a server does wrong.
type Faults struct {
	// DropAfter closes a connection when so many bytes of it have passed in both directions; 0: never.
	DropAfter int
	// Hang accepts a connection and says nothing.
	Hang bool
	// RefuseSessions refuses so many sessions.
	RefuseSessions int
	// RefuseConnections closes so many connections before a word is said, as sshd does above MaxStartups.
	RefuseConnections int
	// Silent keeps a connection open and answers nothing any more once a session is asked for.
	Silent bool
	// SudoAsks makes sudo want a password.
	SudoAsks bool
}

// NewServer makes a server that lets one key in.
func NewServer(h *hosttest.Host, client ssh.PublicKey) (*Server, error) {
	s := &Server{Host: h, client: client, open: map[net.Conn]bool{}}
	s.work.none.L = &s.work.mu
	return s, s.ChangeKey()
}

// NewKey makes a key and writes it to a file as ssh-keygen would.
func NewKey(path string) (ssh.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
		return nil, err
	}
	return ssh.NewPublicKey(public)
}

// ChangeKey gives the server another host key.
func (s *Server) ChangeKey() error {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = signer
	return nil
}

// KnownHosts is a line of known_hosts for the server under an address.
func (s *Server) KnownHosts(address string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return knownhosts.Line([]string{address}, s.key.PublicKey()) + "\n"
}

// SetFaults makes connections that come fail so.
func (s *Server) SetFaults(f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = f
}

// Commands are the commands that were run, Accepted how many connections have come.
func (s *Server) Commands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.commands...)
}

// Accepted is how many connections have come.
func (s *Server) Accepted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// Serve accepts connections until the listener is closed.
func (s *Server) Serve(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		s.ServeConn(conn)
	}
}

// Close drops all connections, and waits until their work has ended.
func (s *Server) Close() {
	s.drop()
	s.work.Wait()
}

// drop closes all connections.
func (s *Server) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.open {
		conn.Close() //nolint:errcheck // it is dropped
	}
}

// admit notes a connection, and says whether it may go on and with which faults.
func (s *Server) admit(conn net.Conn) (Faults, ssh.Signer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accepted++
	if s.down || s.faults.RefuseConnections > 0 {
		s.faults.RefuseConnections = max(0, s.faults.RefuseConnections-1)
		return Faults{}, nil, false
	}
	s.open[conn] = true
	return s.faults, s.key, true
}

// ServeConn serves one connection, beside others, until it ends.
func (s *Server) ServeConn(conn net.Conn) { s.work.Go(func() { s.serve(conn) }) }

func (s *Server) serve(raw net.Conn) {
	defer raw.Close() //nolint:errcheck // the peer may be first
	faults, key, ok := s.admit(raw)
	if !ok {
		return
	}
	defer func() {
		s.mu.Lock()
		delete(s.open, raw)
		s.mu.Unlock()
	}()
	if faults.Hang {
		raw.Read(make([]byte, 1)) //nolint:errcheck // it waits for the peer to give up
		for {
			if _, err := raw.Read(make([]byte, 1024)); err != nil {
				return
			}
		}
	}
	config := &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, offered ssh.PublicKey) (*ssh.Permissions, error) {
		if bytes.Equal(offered.Marshal(), s.client.Marshal()) {
			return nil, nil
		}
		return nil, errors.New("another key is let in")
	}}
	config.AddHostKey(key)
	if s.Handshaking != nil {
		s.Handshaking(true)
	}
	conn, channels, requests, err := ssh.NewServerConn(DropAfter(raw, faults.DropAfter), config)
	if s.Handshaking != nil {
		s.Handshaking(false)
	}
	if err != nil {
		return
	}
	s.work.Go(func() { answer(requests, faults.Silent) })
	for channel := range channels {
		switch channel.ChannelType() {
		case "session":
			s.work.Go(func() { s.session(channel, faults) })
		case "direct-tcpip":
			s.work.Go(func() { s.forward(channel) })
		default:
			channel.Reject(ssh.UnknownChannelType, "no such channel") //nolint:errcheck // the peer may be gone
		}
	}
	conn.Close() //nolint:errcheck // it has ended
}

// answer answers keepalives, unless the server has fallen silent.
func answer(requests <-chan *ssh.Request, silent bool) {
	for r := range requests {
		if r.WantReply && !silent {
			r.Reply(false, nil) //nolint:errcheck // the peer may be gone
		}
	}
}

// refuses says whether one more session is refused.
func (s *Server) refuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults.RefuseSessions == 0 {
		return false
	}
	s.faults.RefuseSessions--
	return true
}

// session runs one command.
func (s *Server) session(request ssh.NewChannel, faults Faults) {
	if faults.Silent {
		return
	}
	if s.refuses() {
		request.Reject(ssh.ResourceShortage, "no more sessions") //nolint:errcheck // the peer may be gone
		return
	}
	channel, requests, err := request.Accept()
	if err != nil {
		return
	}
	defer channel.Close() //nolint:errcheck // the peer may be first
	for r := range requests {
		var message struct{ Command string }
		if r.Type != "exec" || ssh.Unmarshal(r.Payload, &message) != nil {
			r.Reply(false, nil) //nolint:errcheck // the peer may be gone
			continue
		}
		if r.WantReply {
			r.Reply(true, nil) //nolint:errcheck // the peer may be gone
		}
		status := s.run(channel, message.Command, faults)
		channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status})) //nolint:errcheck // the peer may be gone
		break
	}
	s.rebootIfAsked()
}

// run runs a command with the channel as its input and output, and returns its code.
func (s *Server) run(channel ssh.Channel, command string, faults Faults) uint32 {
	s.mu.Lock()
	s.commands = append(s.commands, command)
	s.mu.Unlock()
	sudo := strings.HasPrefix(command, "sudo -n ")
	if sudo && faults.SudoAsks {
		fmt.Fprintln(channel.Stderr(), "sudo: a password is required") //nolint:errcheck // the peer may be gone
		return 1
	}
	if s.Answer != nil {
		var script bytes.Buffer
		script.ReadFrom(channel) //nolint:errcheck // what came is what there is
		out, status := s.Answer(command, script.String())
		channel.Write([]byte(out)) //nolint:errcheck // the peer may be gone
		return status
	}
	if strings.TrimPrefix(command, "sudo -n ") != "sh" {
		fmt.Fprintf(channel.Stderr(), "sh: %s: not found\n", command) //nolint:errcheck // the peer may be gone
		return 127
	}
	// The shell outlives a connection that is lost, as under sshd: it reads an input that has ended.
	cmd := s.Host.Command(context.Background())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = channel, channel, channel.Stderr()
	cmd.WaitDelay = 30 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return uint32(exit.ExitCode())
	case err != nil:
		return 255
	}
	return 0
}

// rebootIfAsked boots the host once it has been told to: connections are dropped, and new ones are refused until it is
// up again.
func (s *Server) rebootIfAsked() {
	if s.Host == nil || !s.Host.RebootRequested() {
		return
	}
	s.mu.Lock()
	s.down = true
	s.mu.Unlock()
	s.drop()
	if err := s.Host.Reboot(); err != nil {
		return // it stays down, and the test sees a host that does not come back
	}
	s.mu.Lock()
	s.down = false
	s.mu.Unlock()
}

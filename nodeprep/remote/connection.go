package remote

import (
	"time"

	"golang.org/x/crypto/ssh"
)

// connection is an authenticated connection that notices when its peer is gone.
type connection struct {
	*ssh.Client
	gone chan struct{} // closed when the connection is
}

func newConnection(client *ssh.Client, every time.Duration) *connection {
	c := &connection{Client: client, gone: make(chan struct{})}
	go func() {
		client.Wait() //nolint:errcheck // it says how the connection ended, which every user of it is told as well
		close(c.gone)
	}()
	go c.keepAlive(every)
	return c
}

// alive says whether the connection stands, as far as is known.
func (c *connection) alive() bool {
	select {
	case <-c.gone:
		return false
	default:
		return true
	}
}

// keepAlive asks the peer again and again, and closes the connection if it does not answer in time: a peer that was
// switched off sends nothing, and reading would wait for ever.
func (c *connection) keepAlive(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-c.gone:
			return
		case <-ticker.C:
		}
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			c.SendRequest("keepalive@openssh.com", true, nil) //nolint:errcheck // a refusal is an answer too
		}()
		select {
		case <-answered:
		case <-c.gone:
			return
		case <-time.After(every):
			c.Close() //nolint:errcheck // it is gone already
			return
		}
	}
}

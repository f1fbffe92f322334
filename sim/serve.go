package sim

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// maxMessage is how large a message the engine may send: as much as its own providers take.
const maxMessage = 400 << 20

// Endpoint is where a cloud is served.
type Endpoint struct {
	addresses []string // aws:4711
	stop      context.CancelFunc
	serving   sync.WaitGroup
}

// Serve serves the cloud on loopback, one port a provider, until ctx ends or the endpoint is closed. An endpoint
// serves any number of runs of the engine.
func (c *Cloud) Serve(ctx context.Context) (*Endpoint, error) {
	ctx, stop := context.WithCancel(ctx)
	e := &Endpoint{stop: stop}
	for _, p := range c.providers {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			e.Close()
			return nil, fmt.Errorf("serving the embedded cloud's %s provider: %w", p.Name, err)
		}
		e.addresses = append(e.addresses, fmt.Sprintf("%s:%d", p.Name, listener.Addr().(*net.TCPAddr).Port))
		e.serve(ctx, c, p, &line{Listener: listener, open: map[net.Conn]bool{}})
	}
	return e, nil
}

func (e *Endpoint) serve(ctx context.Context, c *Cloud, p *engine.Provider, l *line) {
	served := engine.NewServer(p, c.store, engine.Options{Now: c.now, Faults: c.faults, Takes: c.takes, HangUp: l.hangUp, Changed: c.log.add})
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.UnaryInterceptor(served.Intercept))
	pulumirpc.RegisterResourceProviderServer(server, served)
	e.serving.Go(func() { _ = server.Serve(l) }) // it ends by Stop, which is no failure
	context.AfterFunc(ctx, server.Stop)
}

// DebugProviders returns the value of PULUMI_DEBUG_PROVIDERS under which the Pulumi engine finds the cloud. Give it to
// the Pulumi process alone, never to this one.
func (e *Endpoint) DebugProviders() string { return strings.Join(e.addresses, ",") }

// Close ends the serving. Operations under way are cut off.
func (e *Endpoint) Close() {
	e.stop()
	e.serving.Wait()
}

// line is a listener that knows its open connections, so that it can drop them as a dying process does.
type line struct {
	net.Listener

	mu   sync.Mutex
	open map[net.Conn]bool
}

// Accept implements net.Listener.
func (l *line) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[conn] = true
	return &call{Conn: conn, line: l}, nil
}

// hangUp drops every connection. New ones are accepted.
func (l *line) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn := range l.open {
		_ = conn.Close() // it is gone either way
	}
	clear(l.open)
}

// call is a connection that its line forgets when it ends.
type call struct {
	net.Conn
	line *line
}

// Close implements net.Conn.
func (c *call) Close() error {
	c.line.mu.Lock()
	delete(c.line.open, c.Conn)
	c.line.mu.Unlock()
	return c.Conn.Close()
}

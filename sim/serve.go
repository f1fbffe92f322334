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
		server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage))
		pulumirpc.RegisterResourceProviderServer(server, engine.NewServer(p, c.store, c.now))
		e.addresses = append(e.addresses, fmt.Sprintf("%s:%d", p.Name, listener.Addr().(*net.TCPAddr).Port))
		e.serving.Go(func() { _ = server.Serve(listener) }) // it ends by Stop, which is no failure
		context.AfterFunc(ctx, server.Stop)
	}
	return e, nil
}

// DebugProviders returns the value of PULUMI_DEBUG_PROVIDERS under which the Pulumi engine finds the cloud. Give it to
// the Pulumi process alone, never to this one.
func (e *Endpoint) DebugProviders() string { return strings.Join(e.addresses, ",") }

// Close ends the serving. Operations under way are cut off.
func (e *Endpoint) Close() {
	e.stop()
	e.serving.Wait()
}

package provider

import (
	"context"
	"fmt"
	"net"

	p "github.com/pulumi/pulumi-go-provider"
	sdk "github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
)

// server has the engine look at every host before a preview or an update. A host is changed by people and their packages
// between updates, and a preview that trusted the state would show a node that is not there.
type server struct{ rpc.ResourceProviderServer }

// Create implements rpc.ResourceProviderServer.
func (s server) Create(ctx context.Context, req *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	resp, err := s.ResourceProviderServer.Create(ctx, req)
	if resp != nil {
		resp.RefreshBeforeUpdate = true
	}
	return resp, refreshed(err)
}

// Read implements rpc.ResourceProviderServer.
func (s server) Read(ctx context.Context, req *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	resp, err := s.ResourceProviderServer.Read(ctx, req)
	if resp != nil {
		resp.RefreshBeforeUpdate = true
	}
	return resp, refreshed(err)
}

// Update implements rpc.ResourceProviderServer.
func (s server) Update(ctx context.Context, req *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	resp, err := s.ResourceProviderServer.Update(ctx, req)
	if resp != nil {
		resp.RefreshBeforeUpdate = true
	}
	return resp, refreshed(err)
}

// refreshed says the same of a resource that is there and not right, which comes as an error.
func refreshed(err error) error {
	state, ok := status.FromError(err)
	if err == nil || !ok {
		return err
	}
	for _, detail := range state.Details() {
		if failed, is := detail.(*rpc.ErrorResourceInitFailed); is {
			failed.RefreshBeforeUpdate = true
			if with, err := status.New(state.Code(), state.Message()).WithDetails(failed); err == nil {
				return with.Err()
			}
		}
	}
	return err
}

// newServer makes a server that talks to the engine by a client, which Attach brings if it is nil.
func newServer(made p.Provider, client *sdk.HostClient) (rpc.ResourceProviderServer, error) {
	inner, err := p.RawServer(Name, Version, made)(client)
	if err != nil {
		return nil, fmt.Errorf("making the provider: %w", err)
	}
	return server{inner}, nil
}

// Main serves the provider to the engine that started this process, until it ends.
func Main(ctx context.Context, o Options) error {
	made, err := New(o)
	if err != nil {
		return err
	}
	return sdk.MainContext(ctx, Name, func(client *sdk.HostClient) (rpc.ResourceProviderServer, error) {
		return newServer(made, client)
	})
}

// Endpoint is where a provider is served in this process.
type Endpoint struct {
	address string
	server  *grpc.Server
	done    chan struct{}
}

// maxMessage is how large a message the engine may send: as much as its own providers take.
const maxMessage = 400 << 20

// Attach serves the provider on loopback, for any number of runs of the engine, until the endpoint is closed.
func Attach(ctx context.Context, o Options) (*Endpoint, error) {
	made, err := New(o)
	if err != nil {
		return nil, err
	}
	// The engine cancels a provider at the end of each run, and this one is there for the next.
	made.Cancel = func(context.Context) error { return nil }
	served, err := newServer(made, nil)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serving the provider: %w", err)
	}
	e := &Endpoint{
		address: fmt.Sprintf("%s:%d", Name, listener.Addr().(*net.TCPAddr).Port),
		server:  grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage)), done: make(chan struct{}),
	}
	rpc.RegisterResourceProviderServer(e.server, served)
	go func() {
		defer close(e.done)
		_ = e.server.Serve(listener) // it ends by Stop, which is no failure
	}()
	return e, nil
}

// DebugProviders is what PULUMI_DEBUG_PROVIDERS must have for the engine to find the provider.
func (e *Endpoint) DebugProviders() string { return e.address }

// Close ends the serving.
func (e *Endpoint) Close() {
	e.server.Stop()
	<-e.done
}

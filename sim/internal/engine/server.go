package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Server serves one Provider to the Pulumi engine. It is safe for concurrent use, and for many runs of the engine.
type Server struct {
	pulumirpc.UnimplementedResourceProviderServer

	provider *Provider
	store    *store.Store
	now      func() time.Time

	mu        sync.Mutex
	instances map[string]Props // the configurations of this run, by the provider resource's URN
	last      Props            // the one that Configure got last
	engine    string           // the address of the engine that attached
}

var _ pulumirpc.ResourceProviderServer = (*Server)(nil)

// NewServer returns a server of p over the cloud in s.
func NewServer(p *Provider, s *store.Store, now func() time.Time) *Server {
	return &Server{provider: p, store: s, now: now, instances: map[string]Props{}}
}

// The verbs of operations, as errors print them.
const (
	creating = "creating"
	updating = "updating"
	deleting = "deleting"
	reading  = "reading"
	calling  = "calling"
)

// operation is one thing that happens to the cloud.
type operation struct {
	verb  string
	token string
	id    string // empty in creations and calls
}

func (o operation) String() string {
	if o.id == "" {
		return o.verb + " " + kindOf(o.token)
	}
	return o.verb + " " + kindOf(o.token) + " " + o.id
}

// through is the one way into the cloud: every operation passes it, whole, in one transaction. It puts the operation
// in front of a refusal, so that errors read like the AWS provider's.
func (s *Server) through(_ context.Context, op operation, work func(*store.Tx) error) error {
	transact := s.store.Update
	if op.verb == reading || op.verb == calling {
		transact = s.store.View
	}
	if err := transact(work); err != nil {
		return failure(fmt.Errorf("%s: %w", op, err))
	}
	return nil
}

// failure is err as the engine shows it.
func failure(err error) error { return status.Error(codes.Unknown, err.Error()) }

// receive are the forms in which the engine sends properties: everything is kept.
var receive = plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true, KeepResources: true, SkipNulls: true}

// Handshake implements the first call of a run.
func (s *Server) Handshake(context.Context, *pulumirpc.ProviderHandshakeRequest) (*pulumirpc.ProviderHandshakeResponse, error) {
	return &pulumirpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

// Attach implements what the engine calls on a server it did not start.
func (s *Server) Attach(_ context.Context, req *pulumirpc.PluginAttach) (*emptypb.Empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.engine = req.GetAddress()
	return &emptypb.Empty{}, nil
}

// GetPluginInfo implements the version question.
func (s *Server) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: s.provider.Version}, nil
}

// Cancel ends a run of the engine, not the cloud: the server stays up for the next run and only forgets the
// configurations of this one.
func (s *Server) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.instances)
	return &emptypb.Empty{}, nil
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/gpuyard/gpuyard/sim/internal/fault"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Options say how a server behaves beside its tables. The zero Options but for Now are a cloud that answers at once and
// in which nothing goes wrong.
type Options struct {
	Now func() time.Time
	// Faults go wrong on demand; nil: none do. All servers of a cloud share them.
	Faults *fault.Plan
	// Takes says how long an operation takes, by its verb, such as fault.Create, and its token; nil: no time.
	Takes func(verb, token string) time.Duration
	// HangUp drops the engine's connections, as happens when a provider dies; nil: there are none.
	HangUp func()
	// Changed hears of every change of the cloud, by its verb, such as fault.Create; nil: nobody does.
	Changed func(verb, token, id string)
}

// Server serves one Provider to the Pulumi engine. It is safe for concurrent use, and for many runs of the engine.
type Server struct {
	pulumirpc.UnimplementedResourceProviderServer

	provider *Provider
	store    *store.Store
	opts     Options
	busy     atomic.Int64 // calls under way

	mu        sync.Mutex
	instances map[string]Props // the configurations of this run, by the provider resource's URN
	last      Props            // the one that Configure got last
	engine    string           // the address of the engine that attached
	ended     chan struct{}    // closed when what is under way shall end
	dead      error            // why the provider is dead; nil: it is not
}

var _ pulumirpc.ResourceProviderServer = (*Server)(nil)

// NewServer returns a server of p over the cloud in s.
func NewServer(p *Provider, s *store.Store, opts Options) *Server {
	return &Server{provider: p, store: s, opts: opts, instances: map[string]Props{}, ended: make(chan struct{})}
}

// operation is one thing that happens to the cloud.
type operation struct {
	verb  string // fault.Create and its like
	token string
	id    string // empty in creations and calls
	made  string // the id of what a creation made
	name  string // of the Pulumi resource; empty in calls

	idle      bool   // it changes nothing, as the update that follows a failure whose resource is known
	instances string // what instances it starts, known when the cloud has done its part
	zones     [][2]string
}

// participles are the verbs of operations as errors print them.
var participles = map[string]string{
	fault.Create: "creating", fault.Update: "updating", fault.Delete: "deleting", fault.Read: "reading", fault.Call: "calling",
}

func (o *operation) String() string {
	if o.id == "" {
		return participles[o.verb] + " " + kindOf(o.token)
	}
	return participles[o.verb] + " " + kindOf(o.token) + " " + o.id
}

// changes says whether the operation may change the cloud.
func (o *operation) changes() bool { return o.verb != fault.Read && o.verb != fault.Call }

// through is the one way into the cloud: every operation passes it, whole, in one transaction. It puts the operation
// in front of a refusal, so that errors read like the AWS provider's. What goes wrong on demand goes wrong here, and
// what takes time takes it here: after a refusal, which comes at once, and before anything is changed.
func (s *Server) through(ctx context.Context, op *operation, work func(*store.Tx) error) error {
	if err := s.strikeBefore(ctx, op); err != nil {
		return err
	}
	err := s.pass(ctx, op, work)
	switch dead := s.death(); {
	case err == nil:
		return s.strikeAfter(op)
	case errors.Is(err, dead):
		return dead
	default:
		return failure(fmt.Errorf("%s: %w", op, err))
	}
}

func (s *Server) pass(ctx context.Context, op *operation, work func(*store.Tx) error) error {
	if !op.changes() {
		return s.store.View(work)
	}
	if wait := s.takes(op); wait > 0 {
		if err := s.rehearse(work); err != nil {
			return err
		}
		if op.idle {
			wait = 0
		}
		if err := s.sleep(ctx, wait); err != nil {
			return err
		}
	}
	err := s.store.Update(func(tx *store.Tx) error {
		if err := work(tx); err != nil {
			return err
		}
		return s.death()
	})
	if err == nil && s.opts.Changed != nil {
		s.opts.Changed(op.verb, op.token, op.id+op.made)
	}
	return err
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

// Cancel ends a run of the engine, not the cloud: what is under way ends, and the server stays up for the next run and
// only forgets the configurations of this one.
func (s *Server) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.instances)
	s.end()
	return &emptypb.Empty{}, nil
}

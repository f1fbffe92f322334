package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil/rpcerror"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/gpuyard/gpuyard/sim/internal/fault"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// struck is an operation that the cloud did, and that went wrong all the same.
type struck struct {
	fault.Fault
	op *operation
}

// Error implements error, in the words of the AWS provider, and says that it was on demand.
func (e *struck) Error() string {
	switch e.Kind {
	case fault.NoCapacity:
		var zones []string
		for _, z := range e.op.zones {
			zones = append(zones, z[0])
		}
		return fmt.Sprintf("%s: unexpected state 'CREATE_FAILED', wanted target 'ACTIVE'. last error: AsgInstanceLaunchFailures: Could not launch instances. "+
			"InsufficientInstanceCapacity - We currently do not have sufficient %s capacity in the Availability Zone you requested (%s). %s", e.op, e.op.instances, strings.Join(zones, ", "), onDemand(e.Fault))
	default:
		return fmt.Sprintf("%s: timeout while waiting for the operation to end, which the cloud has done. %s", e.op, onDemand(e.Fault))
	}
}

// GRPCStatus makes e an answer as it stands.
func (e *struck) GRPCStatus() *status.Status { return status.New(codes.Unknown, e.Error()) }

func onDemand(f fault.Fault) string { return "[injected fault " + f.String() + "]" }

// seen is an operation as faults see it.
func (o *operation) seen() fault.Operation {
	return fault.Operation{Verb: o.verb, Token: o.token, Name: o.name, Instances: o.instances, Zones: o.zones}
}

// strikeBefore returns the error of an operation that the cloud never hears of.
func (s *Server) strikeBefore(ctx context.Context, op *operation) error {
	f, ok := s.opts.Faults.Before(op.seen())
	switch {
	case !ok:
		return nil
	case f.Kind == fault.Crash:
		return s.die(ctx, fmt.Sprintf("%s: the provider dies before the cloud hears of it. %s", op, onDemand(f)))
	default:
		return failure(fmt.Errorf("%s: %s %s", op, s.provider.throttled(op.token), onDemand(f)))
	}
}

// strikeAfter returns the error of an operation that the cloud has done.
func (s *Server) strikeAfter(op *operation) error {
	if f, ok := s.opts.Faults.After(op.seen()); ok {
		return &struck{f, op}
	}
	return nil
}

// throttled returns how a service says that there were too many requests.
func (p *Provider) throttled(token string) string {
	if p.Throttled == nil {
		return "ThrottlingException: Rate exceeded"
	}
	return p.Throttled(token)
}

// outcome turns the error of an operation into its answer. What the cloud has made or changed is in r; nil: nothing that
// has properties.
func (s *Server) outcome(ctx context.Context, err error, r *store.Record) error {
	var hit *struck
	if !errors.As(err, &hit) {
		return err
	}
	var marked error
	switch {
	case hit.Kind == fault.CrashAfter && hit.op.verb == fault.Create && r != nil:
		marked = s.lose(r)
	case hit.Kind == fault.NoCapacity && r != nil:
		r.Outputs["status"] = resource.NewProperty("CREATE_FAILED")
		marked = s.store.Update(func(tx *store.Tx) error { return tx.Put(r) })
	}
	switch {
	case marked != nil:
		return failure(marked)
	case hit.Kind == fault.CrashAfter:
		return s.die(ctx, fmt.Sprintf("%s: the provider dies after the cloud has done it%s. %s", hit.op, leftBehind(hit.op, r), onDemand(hit.Fault)))
	case r == nil:
		return hit
	default:
		return initFailed(r, hit)
	}
}

// lose marks a resource of whose creation nobody learns.
func (s *Server) lose(r *store.Record) error {
	r.Lost = true
	return s.store.Update(func(tx *store.Tx) error {
		_, err := tx.Next(lostScope)
		return errors.Join(err, tx.Put(r))
	})
}

// leftBehind says what nobody knows of after a creation whose answer is lost.
func leftBehind(op *operation, r *store.Record) string {
	if r == nil || op.verb != fault.Create {
		return ""
	}
	return fmt.Sprintf(": %s is there, and the state will not say so", r.ID)
}

// initFailed is the answer of a provider that knows what it has made or changed, although it was no success: the engine
// records the resource with the failure, and updates it in the next run.
func initFailed(r *store.Record, hit *struck) error {
	properties, err := plugin.MarshalProperties(r.Outputs, receive)
	if err != nil {
		return failure(err)
	}
	inputs, err := plugin.MarshalProperties(r.Inputs, receive)
	if err != nil {
		return failure(err)
	}
	return rpcerror.WithDetails(rpcerror.New(codes.Unknown, hit.Error()), &pulumirpc.ErrorResourceInitFailed{
		Id: r.ID, Properties: properties, Inputs: inputs, Reasons: []string{hit.Error()},
	})
}

// lostScope counts the creations whose answers were lost, so that a cloud without any need not look for them.
const lostScope = "lost"

// refind takes the mark of a lost resource away: whoever reads it by its id knows of it.
func (s *Server) refind(r *store.Record) error {
	if !r.Lost {
		return nil
	}
	return s.store.Update(func(tx *store.Tx) error {
		now, ok := tx.Get(r.Token, r.ID)
		if !ok {
			return nil
		}
		now.Lost = false
		return tx.Put(now)
	})
}

// lost returns the resource that an earlier creation for the same Pulumi resource left behind without an answer.
func (s *Server) lost(c *Call) (id string, ok bool) {
	_ = s.store.View(func(tx *store.Tx) error { // a closed store has nothing to say
		if tx.Count(lostScope) == 0 {
			return nil
		}
		for _, r := range tx.All(c.res.Token) {
			if r.Lost && r.URN == string(c.URN) {
				id, ok = r.ID, true
			}
		}
		return nil
	})
	return id, ok
}

// again looks at a creation that follows one whose answer was lost. Where the name is taken, it says by what; where there
// is a second one now, it says so to whoever runs the engine, since nobody else will: the real cloud bills for both.
func (s *Server) again(ctx context.Context, c *Call, made *store.Record, err error) error {
	var hit *struck
	id, ok := s.lost(c)
	switch {
	case !ok || errors.As(err, &hit):
		return err
	case err != nil:
		return failure(fmt.Errorf("%s. An earlier creation of this resource made %s, and its answer was lost: import it under that id, or remove it", status.Convert(err).Message(), id))
	case made.ID != id:
		s.log(ctx, s.address(), pulumirpc.LogSeverity_WARNING, fmt.Sprintf("%s %s is the second of its kind: an earlier creation made %s, and its answer was lost. "+
			"The real cloud would bill for both; remove %s", kindOf(c.res.Token), made.ID, id, id))
	}
	return nil
}

// address returns where the engine listens.
func (s *Server) address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engine
}

// Intercept answers for a dead provider, and counts the calls that are under way. A new run of the engine attaches, and
// the provider lives again, as a new process would.
func (s *Server) Intercept(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if info.FullMethod == pulumirpc.ResourceProvider_Attach_FullMethodName || info.FullMethod == pulumirpc.ResourceProvider_Handshake_FullMethodName {
		s.revive()
	}
	if err := s.death(); err != nil {
		return nil, err
	}
	s.busy.Add(1)
	defer s.busy.Add(-1)
	return handler(ctx, req)
}

func (s *Server) revive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = nil
}

// death returns why the provider is dead, or nil.
func (s *Server) death() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dead
}

// How long a dying provider lets answers out that are under way, so that only the operation that is struck is lost.
const (
	drainFor   = 2 * time.Second
	drainEvery = 5 * time.Millisecond
	flush      = 50 * time.Millisecond
)

// die ends the provider for this run of the engine: what is under way ends without a trace, connections drop, and
// nothing is answered until the engine attaches anew.
func (s *Server) die(ctx context.Context, why string) error {
	s.mu.Lock()
	if s.dead != nil {
		defer s.mu.Unlock()
		return s.dead
	}
	s.dead = status.Error(codes.Unavailable, "the provider is dead until the next run: "+why)
	engine := s.engine
	s.end()
	s.mu.Unlock()

	s.log(ctx, engine, pulumirpc.LogSeverity_WARNING, why)
	for deadline := time.Now().Add(drainFor); s.busy.Load() > 1 && time.Now().Before(deadline); {
		time.Sleep(drainEvery)
	}
	time.Sleep(flush)
	if s.opts.HangUp != nil {
		s.opts.HangUp()
	}
	return s.death()
}

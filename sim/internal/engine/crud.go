package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gpuyard/gpuyard/sim/internal/fault"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Create makes a resource, or in a preview says what is known of it.
func (s *Server) Create(ctx context.Context, req *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	c, in, err := s.begin(req.GetUrn(), req.GetProperties())
	if err != nil {
		return nil, failure(err)
	}
	res := c.res
	if req.GetPreview() {
		out := res.state().Unknown(in, res.args())
		res.fillUnknown(out)
		s.finish(c, out)
		props, err := plugin.MarshalProperties(out, receive)
		return &pulumirpc.CreateResponse{Properties: props}, err
	}
	if err := s.ambiguous(); err != nil {
		return nil, failure(err)
	}

	var made *store.Record
	op := &operation{verb: fault.Create, token: res.Token, name: c.URN.Name()}
	err = s.through(ctx, op, func(tx *store.Tx) error {
		c.tx = tx
		if err := c.admit(); err != nil {
			return err
		}
		id, out, err := res.Create(c)
		if err != nil {
			return err
		}
		if _, taken := tx.Get(res.Token, id); taken {
			return Refuse("AlreadyExists", "The %s '%s' exists already; choose another name, or import it", kindOf(res.Token), id)
		}
		made = &store.Record{
			Provider: s.provider.Name, Token: res.Token, ID: id, URN: string(c.URN), Region: c.region(res), Owner: c.owner,
			Inputs: in, Outputs: s.outputs(c, nil, in, out),
		}
		op.made = id
		op.starts(c)
		return tx.Put(made)
	})
	err = s.again(ctx, c, made, err)
	if err != nil {
		return nil, s.outcome(ctx, err, made)
	}
	if ctx.Err() != nil { // whoever asked is gone
		if err := s.lose(made); err != nil {
			return nil, failure(err)
		}
	}
	props, err := plugin.MarshalProperties(made.Outputs, receive)
	return &pulumirpc.CreateResponse{Id: made.ID, Properties: props}, err
}

// Update changes a resource where it stands, or in a preview says what is known of the result.
func (s *Server) Update(ctx context.Context, req *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	c, in, err := s.begin(req.GetUrn(), req.GetNews())
	if err != nil {
		return nil, failure(err)
	}
	res := c.res
	if req.GetPreview() {
		out, err := s.foresee(c, req, in)
		if err != nil {
			return nil, failure(err)
		}
		props, err := plugin.MarshalProperties(out, receive)
		return &pulumirpc.UpdateResponse{Properties: props}, err
	}

	var r *store.Record
	op := &operation{verb: fault.Update, token: res.Token, id: req.GetId(), name: c.URN.Name()}
	err = s.through(ctx, op, func(tx *store.Tx) error {
		var ok bool
		if r, ok = tx.Get(res.Token, req.GetId()); !ok {
			return gone(res, req.GetId())
		}
		c.at(tx, r)
		if err := c.admit(); err != nil {
			return err
		}
		var out Outputs
		if res.Update != nil {
			if out, err = res.Update(c); err != nil {
				return err
			}
		}
		r.Outputs = s.outputs(c, r, in, out)
		op.idle = in.DeepEquals(r.Inputs)
		r.Inputs, r.URN, r.Lost = in, string(c.URN), false
		op.starts(c)
		return tx.Put(r)
	})
	if err != nil {
		return nil, s.outcome(ctx, err, r)
	}
	props, err := plugin.MarshalProperties(r.Outputs, receive)
	return &pulumirpc.UpdateResponse{Properties: props}, err
}

// foresee returns the outputs of an update as far as a preview can know them.
func (s *Server) foresee(c *Call, req *pulumirpc.UpdateRequest, in resource.PropertyMap) (resource.PropertyMap, error) {
	olds, err := plugin.UnmarshalProperties(req.GetOlds(), receive)
	if err != nil {
		return nil, err
	}
	oldIn, err := plugin.UnmarshalProperties(req.GetOldInputs(), receive)
	if err != nil {
		return nil, err
	}
	out := s.outputs(c, &store.Record{Inputs: oldIn, Outputs: olds}, in, nil)
	if c.res.Moved != nil && !c.res.Moved(Props(plainMap(oldIn)), c.In) {
		return out, nil
	}
	for _, name := range c.res.Moves {
		out[resource.PropertyKey(name)] = schema.NewUnknown()
	}
	return out, nil
}

// Read returns a resource as it stands now, or no id when it is gone. Given only an id, it imports.
func (s *Server) Read(ctx context.Context, req *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	res, err := s.provider.find(string(resource.URN(req.GetUrn()).Type()))
	if err != nil {
		return nil, failure(err)
	}
	var r *store.Record
	err = s.through(ctx, &operation{verb: fault.Read, token: res.Token, id: req.GetId(), name: resource.URN(req.GetUrn()).Name()}, func(tx *store.Tx) error {
		r, _ = tx.Get(res.Token, req.GetId())
		if r != nil && res.Gone != nil && res.Gone(s.about(res, tx, r)) {
			r = nil
		}
		return nil
	})
	if err != nil {
		return nil, s.outcome(ctx, err, nil)
	}
	if r == nil {
		return &pulumirpc.ReadResponse{}, nil
	}
	if err := s.refind(r); err != nil {
		return nil, failure(err)
	}
	resp := &pulumirpc.ReadResponse{Id: r.ID}
	if resp.Inputs, err = plugin.MarshalProperties(r.Inputs, receive); err != nil {
		return nil, failure(err)
	}
	resp.Properties, err = plugin.MarshalProperties(r.Outputs, receive)
	return resp, err
}

// Delete removes a resource, unless something depends on it. What is gone already is no error.
func (s *Server) Delete(ctx context.Context, req *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	res, err := s.provider.find(string(resource.URN(req.GetUrn()).Type()))
	if err != nil {
		return nil, failure(err)
	}
	c := s.call(res, resource.URN(req.GetUrn()))
	op := &operation{verb: fault.Delete, token: res.Token, id: req.GetId(), name: c.URN.Name()}
	err = s.through(ctx, op, func(tx *store.Tx) error {
		r, ok := tx.Get(res.Token, req.GetId())
		if !ok {
			return nil
		}
		c.at(tx, r)
		c.In = Props(plainMap(r.Inputs))
		if err := errors.Join(s.provider.inUse(tx, r), judge(c, res.Keep)); err != nil {
			return err
		}
		if res.Delete != nil {
			if err := res.Delete(c); err != nil {
				return err
			}
		}
		return remove(tx, r)
	})
	if err != nil {
		return nil, s.outcome(ctx, err, nil)
	}
	return &emptypb.Empty{}, nil
}

// starts notes what instances an operation starts.
func (o *operation) starts(c *Call) {
	if c.res.Capacity != nil {
		o.instances, o.zones = c.res.Capacity(c)
	}
}

// begin reads a request that carries new arguments.
func (s *Server) begin(urn string, args *structpb.Struct) (*Call, resource.PropertyMap, error) {
	u := resource.URN(urn)
	res, err := s.provider.find(string(u.Type()))
	if err != nil {
		return nil, nil, err
	}
	in, err := plugin.UnmarshalProperties(args, receive)
	if err != nil {
		return nil, nil, err
	}
	c := s.call(res, u)
	c.In = Props(plainMap(in))
	return c, in, nil
}

// at makes c a call about a resource that exists.
func (c *Call) at(tx *store.Tx, r *store.Record) {
	c.tx, c.ID, c.Was, c.Had = tx, r.ID, Props(plainMap(r.Outputs)), Props(plainMap(r.Inputs))
	if r.Region != "" {
		c.Region = r.Region
	}
}

// about returns a call about a resource as it stands.
func (s *Server) about(res *Resource, tx *store.Tx, r *store.Record) *Call {
	c := s.call(res, resource.URN(r.URN))
	c.at(tx, r)
	c.In = Props(plainMap(r.Inputs))
	return c
}

// admit judges c's arguments by its references and then by the Apply rules.
func (c *Call) admit() error {
	if err := c.missing(); err != nil {
		return err
	}
	return judge(c, c.res.Apply)
}

// fillUnknown makes unknown, in the outputs of a preview, what the cloud will fill in inside objects that are given.
func (r *Resource) fillUnknown(out resource.PropertyMap) {
	for _, path := range r.Fills {
		block, field, _ := strings.Cut(path, ".")
		v := out[resource.PropertyKey(block)]
		if !v.IsObject() || given(v.ObjectValue(), resource.PropertyKey(field)) {
			continue
		}
		filled := v.ObjectValue().Copy()
		filled[resource.PropertyKey(field)] = schema.NewUnknown()
		out[resource.PropertyKey(block)] = resource.NewProperty(filled)
	}
}

func gone(res *Resource, id string) error {
	return Refuse("NotFound", "The %s '%s' does not exist any more; run refresh, so that the state says so too", kindOf(res.Token), id)
}

// outputs returns all outputs of a resource: what it had, its arguments, what the cloud says now, and an empty value
// for every other field of its type. Arguments that were taken back since r do not linger.
func (s *Server) outputs(c *Call, r *store.Record, in resource.PropertyMap, now Outputs) resource.PropertyMap {
	if r == nil {
		r = &store.Record{}
	}
	t := c.res.state()
	out := overlay(r.Outputs, r.Inputs, in)
	for k := range out {
		if t.Field(string(k)) == nil {
			delete(out, k) // an argument that the resource does not report
		}
	}
	for k, v := range properties(now) {
		if t.Field(string(k)) == nil {
			panic(fmt.Sprintf("%s has no output %q", c.res.Token, k))
		}
		out[k] = v
	}
	out = t.Fill(out)
	s.finish(c, out)
	return out
}

// overlay returns outputs under new arguments: what the cloud had filled in beside the old ones stays, at every depth
// of objects; what the old ones had said goes.
func overlay(out, oldIn, newIn resource.PropertyMap) resource.PropertyMap {
	result := resource.PropertyMap{}
	for k, v := range out {
		if _, said := oldIn[k]; !said {
			result[k] = v
		}
	}
	for k, v := range newIn {
		if v.IsObject() && out[k].IsObject() && oldIn[k].IsObject() {
			v = resource.NewProperty(overlay(out[k].ObjectValue(), oldIn[k].ObjectValue(), v.ObjectValue()))
		}
		result[k] = v
	}
	return result
}

func (s *Server) finish(c *Call, out resource.PropertyMap) {
	if s.provider.Finish != nil {
		s.provider.Finish(c, out)
	}
}

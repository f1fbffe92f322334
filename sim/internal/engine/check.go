package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
)

// Check names the resource if it has no name, and judges its arguments as far as they are known.
func (s *Server) Check(_ context.Context, req *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	urn := resource.URN(req.GetUrn())
	res, err := s.provider.find(string(urn.Type()))
	if err != nil {
		return nil, failure(err)
	}
	olds, err := plugin.UnmarshalProperties(req.GetOlds(), receive)
	if err != nil {
		return nil, failure(err)
	}
	news, err := plugin.UnmarshalProperties(req.GetNews(), receive)
	if err != nil {
		return nil, failure(err)
	}
	if err := res.AutoName.apply(urn, olds, news, req.GetRandomSeed()); err != nil {
		return nil, failure(err)
	}

	resp := &pulumirpc.CheckResponse{Failures: misfits(res.args().Check(news, res.Required...))}
	if len(resp.Failures) == 0 {
		c := s.call(res, urn)
		c.In = Props(plainMap(news))
		resp.Failures = failures(judge(c, res.Plan))
	}
	resp.Inputs, err = plugin.MarshalProperties(news, receive)
	return resp, err
}

// judge returns what the rules refuse, all of it.
func judge(c *Call, rules []Rule) error {
	var errs []error
	for _, r := range rules {
		errs = append(errs, r.Judge(c))
	}
	return errors.Join(errs...)
}

// misfits turns problems with types into the form that names the argument.
func misfits(problems []schema.Problem) []*pulumirpc.CheckFailure {
	var all []*pulumirpc.CheckFailure
	for _, p := range problems {
		all = append(all, &pulumirpc.CheckFailure{Property: p.Path, Reason: p.Reason})
	}
	return all
}

// failures turns refusals into the form that names the argument.
func failures(err error) []*pulumirpc.CheckFailure {
	var all []*pulumirpc.CheckFailure
	for _, e := range each(err) {
		f := &pulumirpc.CheckFailure{Reason: e.Error()}
		if refusal := (*Error)(nil); errors.As(e, &refusal) && refusal.Path != "" {
			f.Property = refusal.Path
		}
		all = append(all, f)
	}
	return all
}

// find returns the resource type with a token, or an error that names near ones.
func (p *Provider) find(token string) (*Resource, error) {
	var known []string
	for _, r := range p.Resources {
		if r.Token == token {
			return r, nil
		}
		known = append(known, r.Token)
	}
	return nil, p.unknown("resource type", token, known)
}

func (p *Provider) unknown(what, token string, known []string) error {
	slices.Sort(known)
	if near := catalog.Near(token, known); len(near) > 0 {
		known = near
	}
	return fmt.Errorf("the embedded cloud has no %s %q in %s; it has %v", what, token, p.Name, known)
}

// resource returns the resource type with a token that the tables themselves name.
func (p *Provider) resource(token string) *Resource {
	r, err := p.find(token)
	if err != nil {
		panic(err)
	}
	return r
}

func (r *Resource) args() *schema.Type  { return schema.Of(r.Args) }
func (r *Resource) state() *schema.Type { return schema.Of(r.State) }

// call returns a Call about a resource that does not exist yet.
func (s *Server) call(res *Resource, urn resource.URN) *Call {
	c := &Call{URN: urn, Config: s.current(), res: res, provider: s.provider, now: s.opts.Now()}
	if s.provider.Regional {
		c.Region = s.provider.Instance(c.Config)
	}
	return c
}

// plain returns v without secrets, at every depth.
func plain(v resource.PropertyValue) resource.PropertyValue {
	v = schema.Plain(v)
	switch {
	case v.IsArray():
		list := make([]resource.PropertyValue, len(v.ArrayValue()))
		for i, e := range v.ArrayValue() {
			list[i] = plain(e)
		}
		return resource.NewProperty(list)
	case v.IsObject():
		return resource.NewProperty(plainMap(v.ObjectValue()))
	default:
		return v
	}
}

func plainMap(m resource.PropertyMap) resource.PropertyMap {
	out := resource.PropertyMap{}
	for k, v := range m {
		out[k] = plain(v)
	}
	return out
}

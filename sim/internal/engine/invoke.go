package engine

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/gpuyard/gpuyard/sim/internal/fault"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Invoke calls a function. Functions look and never touch, so previews call them too.
func (s *Server) Invoke(ctx context.Context, req *pulumirpc.InvokeRequest) (*pulumirpc.InvokeResponse, error) {
	f, err := s.provider.function(req.GetTok())
	if err != nil {
		return nil, failure(err)
	}
	args, err := plugin.UnmarshalProperties(req.GetArgs(), receive)
	if err != nil {
		return nil, failure(err)
	}
	resp := &pulumirpc.InvokeResponse{Failures: misfits(schema.Of(f.Args).Check(args))}
	if len(resp.GetFailures()) > 0 {
		return resp, nil
	}
	c := s.call(nil, "")
	c.In = Props(plainMap(args))
	var out resource.PropertyMap
	err = s.through(ctx, &operation{verb: fault.Call, token: f.Token}, func(tx *store.Tx) error {
		c.tx = tx
		result, err := f.Call(c)
		out = schema.Of(f.Result).Fill(properties(result))
		return err
	})
	if err != nil {
		return nil, s.outcome(ctx, err, nil)
	}
	resp.Return, err = plugin.MarshalProperties(out, receive)
	return resp, err
}

func (p *Provider) function(token string) (*Function, error) {
	var known []string
	for _, f := range p.Functions {
		if f.Token == token {
			return f, nil
		}
		known = append(known, f.Token)
	}
	return nil, p.unknown("function", token, known)
}

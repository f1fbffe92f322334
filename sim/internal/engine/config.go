package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gpuyard/gpuyard/sim/internal/schema"
)

// CheckConfig judges a provider's configuration against its SDK type.
func (s *Server) CheckConfig(_ context.Context, req *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	cfg, err := s.config(req.GetNews())
	if err != nil {
		return nil, failure(err)
	}
	problems := schema.Of(s.provider.Config).Check(resource.PropertyMap(cfg))
	resp := &pulumirpc.CheckResponse{Inputs: req.GetNews(), Failures: misfits(problems)}
	if s.provider.Configure != nil && len(resp.Failures) == 0 {
		resp.Failures = append(resp.Failures, failures(s.provider.Configure(cfg))...)
	}
	return resp, nil
}

// DiffConfig says which changes of the configuration put all its resources out of reach.
func (s *Server) DiffConfig(_ context.Context, req *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	olds, err := plugin.UnmarshalProperties(req.GetOldInputs(), receive)
	if err != nil {
		return nil, failure(err)
	}
	news, err := plugin.UnmarshalProperties(req.GetNews(), receive)
	if err != nil {
		return nil, failure(err)
	}
	before, after := s.provider.Instance(Props(plainMap(olds))), s.provider.Instance(Props(plainMap(news)))
	elsewhere := before != "" && after != "" && before != after
	return diff(olds, news, func(path string) bool { return elsewhere && slices.Contains(s.provider.Replace, path) }), nil
}

// Configure takes a configuration. Attached to one server, all instances of a provider share it and the last
// Configure counts; ambiguous says when that matters.
func (s *Server) Configure(ctx context.Context, req *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	cfg, err := s.config(req.GetArgs())
	if err != nil {
		return nil, failure(err)
	}
	if s.provider.Configure != nil {
		if err := s.provider.Configure(cfg); err != nil {
			return nil, failure(err)
		}
	}
	s.mu.Lock()
	s.instances[req.GetUrn()], s.last = cfg, cfg
	engine := s.engine
	s.mu.Unlock()
	s.log(ctx, engine, pulumirpc.LogSeverity_INFO, s.provider.Notice)
	return &pulumirpc.ConfigureResponse{AcceptSecrets: true, SupportsPreview: true, AcceptResources: true}, nil
}

// current returns the configuration in force.
func (s *Server) current() Props {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// ambiguous refuses a creation while two instances of the provider that point at different places are configured:
// the protocol does not say which of them a resource belongs to.
func (s *Server) ambiguous() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cfg := range s.instances {
		a, b := s.provider.Instance(cfg), s.provider.Instance(s.last)
		if a != "" && b != "" && a != b {
			return fmt.Errorf("this program configures the %s provider for %q and for %q; an attached embedded cloud serves one of them a run, "+
				"since the engine does not say which a resource belongs to: use one instance of the provider", s.provider.Name, a, b)
		}
	}
	return nil
}

// config reads a configuration. The engine sends every value that is not a string as JSON text.
func (s *Server) config(args *structpb.Struct) (Props, error) {
	sent, err := plugin.UnmarshalProperties(args, receive)
	if err != nil {
		return nil, err
	}
	cfg, t := resource.PropertyMap{}, schema.Of(s.provider.Config)
	for key, v := range sent {
		f := t.Field(string(key))
		if v = plain(v); f != nil && f.Type.Kind != schema.String && v.IsString() {
			var decoded any
			if err := json.Unmarshal([]byte(v.StringValue()), &decoded); err == nil {
				v = resource.NewPropertyValue(decoded)
			}
		}
		if key != "version" { // the provider's own version travels with its configuration
			cfg[key] = v
		}
	}
	return Props(cfg), nil
}

// log tells the engine's user something. That there is nobody to tell is no error.
func (s *Server) log(ctx context.Context, address string, severity pulumirpc.LogSeverity, message string) {
	if address == "" || message == "" {
		return
	}
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_, _ = pulumirpc.NewEngineClient(conn).Log(ctx, &pulumirpc.LogRequest{Severity: severity, Message: message})
}

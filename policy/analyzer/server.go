package analyzer

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// Configurable is a pack that looks at the configuration of all its policies together. An error ends the run before
// anything is judged.
type Configurable interface {
	Configure(map[string]policyx.PolicyConfig) error
}

// server answers the engine. The calls of one run come in this order: Handshake, ConfigureStack (left out where there is
// no stack), GetPluginInfo, GetAnalyzerInfo, Configure, and then any number of Remediate, Analyze and AnalyzeStack, also at
// the same time.
// Source: Pulumi, pkg/resource/plugin/analyzer_plugin.go and pkg/engine/update.go, loadPolicyPlugins.
type server struct {
	pulumirpc.UnimplementedAnalyzerServer
	build func(*pulumi.Context) (policyx.PolicyPack, error)

	mu        sync.Mutex
	handshake *pulumirpc.AnalyzerHandshakeRequest
	session   *session
}

var _ pulumirpc.AnalyzerServer = (*server)(nil)

// Handshake is the engine's first call.
func (s *server) Handshake(_ context.Context, req *pulumirpc.AnalyzerHandshakeRequest) (*pulumirpc.AnalyzerHandshakeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handshake = req
	return &pulumirpc.AnalyzerHandshakeResponse{}, nil
}

// ConfigureStack says which stack is judged. The pack is made anew for it.
func (s *server) ConfigureStack(_ context.Context, req *pulumirpc.AnalyzerStackConfigureRequest) (*pulumirpc.AnalyzerStackConfigureResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handshake == nil {
		return nil, errors.New("the engine configures a stack before its handshake")
	}
	return &pulumirpc.AnalyzerStackConfigureResponse{}, s.begin(req)
}

// begin makes the pack. Its context outlives the call.
func (s *server) begin(req *pulumirpc.AnalyzerStackConfigureRequest) error {
	pctx, err := pulumi.NewContext(context.Background(), pulumi.RunInfo{
		Organization: req.GetOrganization(), Project: req.GetProject(), Stack: req.GetStack(),
		RootDirectory: s.handshake.GetRootDirectory(), EngineAddr: s.handshake.GetEngineAddress(),
		Config: req.GetConfig(), ConfigSecretKeys: req.GetConfigSecretKeys(), DryRun: req.GetDryRun(), Parallel: 1,
	})
	if err != nil {
		return fmt.Errorf("reaching the engine: %w", err)
	}
	pack, err := s.build(pctx)
	if err != nil {
		return fmt.Errorf("making the policy pack: %w", err)
	}
	s.session = newSession(pack, req.GetTags(), nil)
	return nil
}

// current is the session that a call belongs to. Without a stack it is one that knows none.
func (s *server) current() (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		if err := s.begin(&pulumirpc.AnalyzerStackConfigureRequest{}); err != nil {
			return nil, err
		}
	}
	return s.session, nil
}

// Configure takes levels and settings, which hold for all calls after it.
func (s *server) Configure(_ context.Context, req *pulumirpc.ConfigureAnalyzerRequest) (*emptypb.Empty, error) {
	session, err := s.current()
	if err != nil {
		return nil, err
	}
	configs := make(map[string]policyx.PolicyConfig, len(req.GetPolicyConfig()))
	for name, c := range req.GetPolicyConfig() {
		configs[name] = policyx.PolicyConfig{EnforcementLevel: policyx.EnforcementLevel(c.GetEnforcementLevel()), Properties: c.GetProperties().AsMap()}
	}
	if pack, ok := session.pack.(Configurable); ok {
		if err := pack.Configure(configs); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = newSession(session.pack, session.tags, configs)
	return &emptypb.Empty{}, nil
}

// GetPluginInfo tells the version of the pack.
func (s *server) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	session, err := s.current()
	if err != nil {
		return nil, err
	}
	return &pulumirpc.PluginInfo{Version: session.version}, nil
}

// GetAnalyzerInfo describes the pack: what the engine reconciles configuration files with.
func (s *server) GetAnalyzerInfo(context.Context, *emptypb.Empty) (*pulumirpc.AnalyzerInfo, error) {
	session, err := s.current()
	if err != nil {
		return nil, err
	}
	info := &pulumirpc.AnalyzerInfo{Name: session.pack.Name(), Version: session.version, SupportsConfig: true}
	for _, p := range session.pack.Policies() {
		schema, err := schemaOf(p)
		if err != nil {
			return nil, err
		}
		info.Policies = append(info.Policies, &pulumirpc.PolicyInfo{
			Name: p.Name(), Description: p.Description(), EnforcementLevel: pulumirpc.EnforcementLevel(p.EnforcementLevel()), ConfigSchema: schema,
		})
	}
	return info, nil
}

func schemaOf(p policyx.Policy) (*pulumirpc.PolicyConfigSchema, error) {
	schema := p.ConfigSchema()
	if schema == nil {
		return nil, nil
	}
	properties := make(map[string]any, len(schema.Properties))
	for name, s := range schema.Properties {
		properties[name] = s
	}
	encoded, err := structpb.NewStruct(properties)
	if err != nil {
		return nil, fmt.Errorf("the configuration schema of the policy %s is not JSON: %w", p.Name(), err)
	}
	return &pulumirpc.PolicyConfigSchema{Properties: encoded, Required: schema.Required}, nil
}

// Cancel asks to end what is under way. A judgement is too short for that, and the engine ends the process after it.
func (s *server) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

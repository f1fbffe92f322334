package analyzer

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/propertyrpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// Analyze judges the inputs of one resource.
func (s *server) Analyze(ctx context.Context, req *pulumirpc.AnalyzeRequest) (*pulumirpc.AnalyzeResponse, error) {
	session, err := s.current()
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.AnalyzeResponse{}
	if len(session.resource) == 0 {
		return response, nil
	}
	resource, err := decode(req)
	if err != nil {
		return nil, err
	}
	for _, a := range session.resource {
		err := a.policy.Validate(ctx, policyx.ResourceValidationArgs{
			Manager:  findings{session, a.policy, a.level, req.GetUrn(), &response.Diagnostics},
			Resource: resource, Config: a.config, StackTags: session.tags,
		})
		if err != nil {
			return nil, fmt.Errorf("judging %s by the policy %s: %w", req.GetUrn(), a.policy.Name(), err)
		}
	}
	return response, nil
}

// Remediate changes the inputs of one resource: each remediation sees what the one before it left.
func (s *server) Remediate(ctx context.Context, req *pulumirpc.AnalyzeRequest) (*pulumirpc.RemediateResponse, error) {
	session, err := s.current()
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.RemediateResponse{}
	if len(session.remedies) == 0 {
		return response, nil
	}
	resource, err := decode(req)
	if err != nil {
		return nil, err
	}
	for _, a := range session.remedies {
		changed, err := a.policy.Remediate(ctx, policyx.ResourceRemediationArgs{Resource: resource, Config: a.config})
		if err != nil {
			return nil, fmt.Errorf("changing %s by the policy %s: %w", req.GetUrn(), a.policy.Name(), err)
		}
		if changed == nil {
			continue
		}
		resource.Properties = *changed
		response.Remediations = append(response.Remediations, &pulumirpc.Remediation{
			PolicyName: a.policy.Name(), Description: a.policy.Description(), PolicyPackName: session.pack.Name(),
			PolicyPackVersion: session.version, Properties: propertyrpc.Marshal(*changed),
		})
	}
	return response, nil
}

// AnalyzeStack judges all resources of a stack together. The engine blames the stack where no resource is named.
func (s *server) AnalyzeStack(ctx context.Context, req *pulumirpc.AnalyzeStackRequest) (*pulumirpc.AnalyzeResponse, error) {
	session, err := s.current()
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.AnalyzeResponse{}
	if len(session.stack) == 0 {
		return response, nil
	}
	resources := make([]policyx.AnalyzerResource, len(req.GetResources()))
	for i, r := range req.GetResources() {
		if resources[i], err = decode(r); err != nil {
			return nil, err
		}
		resources[i].Parent, resources[i].Dependencies = r.GetParent(), r.GetDependencies()
		resources[i].PropertyDependencies = propertyDependencies(r.GetPropertyDependencies())
	}
	for _, a := range session.stack {
		err := a.policy.Validate(ctx, policyx.StackValidationArgs{
			Manager: findings{session, a.policy, a.level, "", &response.Diagnostics}, Resources: resources,
		})
		if err != nil {
			return nil, fmt.Errorf("judging the stack by the policy %s: %w", a.policy.Name(), err)
		}
	}
	return response, nil
}

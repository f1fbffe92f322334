package analyzer

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// session is a pack with its configuration. It does not change.
type session struct {
	pack    policyx.PolicyPack
	version string
	tags    map[string]string

	resource []active[policyx.ResourceValidationPolicy]
	remedies []active[policyx.ResourceRemediationPolicy]
	stack    []active[policyx.StackValidationPolicy]
}

// active is a policy that is not switched off, with the level that holds and its settings.
type active[P policyx.Policy] struct {
	policy P
	level  policyx.EnforcementLevel
	config map[string]any
}

func newSession(pack policyx.PolicyPack, tags map[string]string, configs map[string]policyx.PolicyConfig) *session {
	s := &session{pack: pack, version: pack.Version().String(), tags: tags}
	for _, p := range pack.Policies() {
		config, configured := configs[p.Name()]
		level := p.EnforcementLevel()
		if configured {
			level = config.EnforcementLevel
		}
		if level == policyx.EnforcementLevelDisabled {
			continue
		}
		switch p := p.(type) {
		case policyx.ResourceValidationPolicy:
			s.resource = append(s.resource, active[policyx.ResourceValidationPolicy]{p, level, config.Properties})
		case policyx.StackValidationPolicy:
			s.stack = append(s.stack, active[policyx.StackValidationPolicy]{p, level, config.Properties})
		case policyx.ResourceRemediationPolicy:
			if level == policyx.EnforcementLevelRemediate { // a remediation of any other level does not run
				s.remedies = append(s.remedies, active[policyx.ResourceRemediationPolicy]{p, level, config.Properties})
			}
		}
	}
	return s
}

// findings collects what one policy reports.
type findings struct {
	session *session
	policy  policyx.Policy
	level   policyx.EnforcementLevel
	urn     string // who is blamed where the policy does not say
	into    *[]*pulumirpc.AnalyzeDiagnostic
}

// ReportViolation implements policyx.PolicyManager.
func (f findings) ReportViolation(message, urn string) {
	if urn == "" {
		urn = f.urn
	}
	if message != "" {
		message = "\n" + message
	}
	*f.into = append(*f.into, &pulumirpc.AnalyzeDiagnostic{
		PolicyName: f.policy.Name(), PolicyPackName: f.session.pack.Name(), PolicyPackVersion: f.session.version,
		Description: f.policy.Description(), Message: f.policy.Description() + message,
		EnforcementLevel: pulumirpc.EnforcementLevel(f.level), Urn: urn,
	})
}

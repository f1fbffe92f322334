package analyzer

import (
	"context"
	"errors"
	"fmt"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
)

// probes is a pack whose policies report all that they are given.
func probes(pctx *pulumi.Context) (policyx.PolicyPack, error) {
	about := fmt.Sprintf("%s/%s/%s dry run %t", pctx.Organization(), pctx.Project(), pctx.Stack(), pctx.DryRun())
	return policyx.NewPolicyPack("probes", semver.MustParse("1.2.3-rc.1"), policyx.EnforcementLevelMandatory, []policyx.Policy{
		policyx.NewResourceValidationPolicy("echo", policyx.ResourceValidationPolicyArgs{
			Description: "Echoes.", EnforcementLevel: policyx.EnforcementLevelMandatory,
			ConfigSchema: &policyx.ConfigSchema{Required: []string{"depth"}, Properties: map[string]map[string]any{"depth": {"type": "number"}, "list": {"type": "array"}}},
			ValidateResource: func(_ context.Context, args policyx.ResourceValidationArgs) error {
				args.Manager.ReportViolation(fmt.Sprintf("%s\n%s\nconfig %v tags %v", about, describe(args.Resource), args.Config, args.StackTags), "")
				return refused(args.Resource)
			}}),
		policyx.NewResourceValidationPolicy("blames", policyx.ResourceValidationPolicyArgs{
			Description: "Blames another.", EnforcementLevel: policyx.EnforcementLevelAdvisory,
			ValidateResource: func(_ context.Context, args policyx.ResourceValidationArgs) error {
				args.Manager.ReportViolation("", "urn:pulumi:s::p::t:i:T::other")
				args.Manager.ReportViolation("twice", "")
				return nil
			}}),
		policyx.NewResourceValidationPolicy("idle", policyx.ResourceValidationPolicyArgs{Description: "Judges nothing."}),
		remedy("first"),
		remedy("second"),
		policyx.NewStackValidationPolicy("stack", policyx.StackValidationPolicyArgs{
			Description: "Echoes the stack.", EnforcementLevel: policyx.EnforcementLevelMandatory,
			ValidateStack: func(_ context.Context, args policyx.StackValidationArgs) error {
				for _, r := range args.Resources {
					args.Manager.ReportViolation(describe(r), r.URN)
				}
				args.Manager.ReportViolation("the whole", "")
				return nil
			}}),
	})
}

// remedy is a remediation that leaves what it saw in a property.
func remedy(name string) policyx.Policy {
	return policyx.NewResourceRemediationPolicy(name, policyx.ResourceRemediationPolicyArgs{
		Description: "Remedies.",
		RemediateResource: func(_ context.Context, args policyx.ResourceRemediationArgs) (*property.Map, error) {
			if _, fine := args.Resource.Properties.GetOk("fine"); fine {
				return nil, nil
			}
			changed := args.Resource.Properties.Set(name, property.New(fmt.Sprintf("saw %s\nconfig %v", describe(args.Resource), args.Config)))
			return &changed, refused(args.Resource)
		}})
}

// refused is the failure of a policy, which is no finding.
func refused(r policyx.AnalyzerResource) error {
	if _, refused := r.Properties.GetOk("refused"); refused {
		return errors.New("refused by the probe")
	}
	return nil
}

// describe tells everything about a resource.
func describe(r policyx.AnalyzerResource) string {
	o, timeouts := r.Options, "none"
	if o.CustomTimeouts != nil {
		timeouts = fmt.Sprintf("%+v", *o.CustomTimeouts)
	}
	return fmt.Sprintf("%s %s %s parent %q\n%#v\nprotect %t before %t ignore %q secrets %#v aliases %#v timeouts %s\nprovider %s %s %s %#v\nfrom %q %q",
		r.Type, r.URN, r.Name, r.Parent, r.Properties, o.Protect, o.DeleteBeforeReplace, o.IgnoreChanges, o.AdditionalSecretOutputs, o.Aliases, timeouts,
		r.Provider.Type, r.Provider.URN, r.Provider.Name, r.Provider.Properties, r.Dependencies, r.PropertyDependencies)
}

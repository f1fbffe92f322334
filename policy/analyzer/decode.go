package analyzer

import (
	"fmt"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/propertyrpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"
)

// message is what the requests about one resource and about a stack both say of a resource.
type message interface {
	GetType() string
	GetUrn() string
	GetName() string
	GetProperties() *structpb.Struct
	GetOptions() *pulumirpc.AnalyzerResourceOptions
	GetProvider() *pulumirpc.AnalyzerProviderResource
}

// decode makes a resource of a message. All policies share it: properties cannot be changed, and a policy leaves the lists
// of the options alone.
func decode(m message) (policyx.AnalyzerResource, error) {
	properties, err := propertyrpc.Unmarshal(m.GetProperties())
	if err != nil {
		return policyx.AnalyzerResource{}, fmt.Errorf("reading the properties of %s: %w", m.GetUrn(), err)
	}
	provider := m.GetProvider()
	providerProperties, err := propertyrpc.Unmarshal(provider.GetProperties())
	if err != nil {
		return policyx.AnalyzerResource{}, fmt.Errorf("reading the provider of %s: %w", m.GetUrn(), err)
	}
	return policyx.AnalyzerResource{
		Type: m.GetType(), URN: m.GetUrn(), Name: m.GetName(), Properties: properties,
		Options: options(m.GetOptions()), Parent: m.GetOptions().GetParent(),
		Provider: policyx.AnalyzerProviderResource{
			Type: provider.GetType(), URN: provider.GetUrn(), Name: provider.GetName(), Properties: providerProperties,
		},
	}, nil
}

func options(m *pulumirpc.AnalyzerResourceOptions) pulumi.ResourceOptions {
	aliases := make([]pulumi.Alias, len(m.GetAliases()))
	for i, urn := range m.GetAliases() {
		aliases[i] = pulumi.Alias{URN: pulumi.URN(urn)}
	}
	return pulumi.ResourceOptions{
		AdditionalSecretOutputs: append([]string{}, m.GetAdditionalSecretOutputs()...),
		Aliases:                 aliases,
		CustomTimeouts:          timeouts(m.GetCustomTimeouts()),
		DeleteBeforeReplace:     m.GetDeleteBeforeReplaceDefined() && m.GetDeleteBeforeReplace(),
		IgnoreChanges:           m.GetIgnoreChanges(),
		Protect:                 m.GetProtect(),
	}
}

// timeouts are absent where none is set.
func timeouts(m *pulumirpc.AnalyzerResourceOptions_CustomTimeouts) *pulumi.CustomTimeouts {
	set := pulumi.CustomTimeouts{Create: duration(m.GetCreate()), Update: duration(m.GetUpdate()), Delete: duration(m.GetDelete()), Read: duration(m.GetRead())}
	if set == (pulumi.CustomTimeouts{}) {
		return nil
	}
	return &set
}

func duration(seconds float64) string {
	if seconds == 0 {
		return ""
	}
	return time.Duration(seconds * float64(time.Second)).String()
}

func propertyDependencies(m map[string]*pulumirpc.AnalyzerPropertyDependencies) map[string][]string {
	from := make(map[string][]string, len(m))
	for name, urns := range m {
		if len(urns.GetUrns()) > 0 {
			from[name] = urns.GetUrns()
		}
	}
	return from
}

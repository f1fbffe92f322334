package pack

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Resource is a resource as a policy sees it.
type Resource struct {
	URN string
	// Type is the token, such as aws:ec2/vpc:Vpc.
	Type string
	// Name is the last part of the URN.
	Name string
	// Properties are the inputs for a resource policy, and the outputs for a stack policy.
	Properties property.Map
	// Region is the region of the provider that makes the resource, empty if it is not known.
	Region string
	// Protect says that the resource has the option protect.
	Protect bool
	// Dependencies are the URNs that the resource waits for, PropertyDependencies those that one property comes from.
	// They are empty for resource policies.
	Dependencies         []string
	PropertyDependencies map[string][]string
}

// Get returns the property at a path of names.
func (r *Resource) Get(path ...string) Value {
	if len(path) == 0 {
		return Value{}
	}
	v, ok := r.Properties.GetOk(path[0])
	if !ok {
		return Value{}
	}
	return read(v, false).Get(path[1:]...)
}

// versioned matches the API version in a token of Azure Native: azure-native:app/v20250101:ContainerApp.
var versioned = regexp.MustCompile(`^(azure-native:\w+)/v\d{8}(?:preview)?:`)

// Unversioned returns a token without the API version that Azure Native puts into some of its tokens.
func Unversioned(token string) string {
	if !strings.HasPrefix(token, "azure-native:") {
		return token
	}
	return versioned.ReplaceAllString(token, "$1:")
}

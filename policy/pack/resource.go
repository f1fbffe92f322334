package pack

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/gpuyard/gpuyard/catalog"
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
	// Provider is the configuration of the provider that makes the resource.
	Provider property.Map
	// Protect says that the resource has the option protect.
	Protect bool
	// Dependencies are the URNs that the resource waits for, PropertyDependencies those that one property comes from.
	// They are empty for resource policies.
	Dependencies         []string
	PropertyDependencies map[string][]string
	// Catalog is what instance types are; nil means catalog.Default.
	Catalog *catalog.Catalog
}

// catalog is what instance types are.
func (r *Resource) catalog() *catalog.Catalog { return cmp.Or(r.Catalog, catalog.Default()) }

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

// Region returns the region of the provider that makes the resource, empty if it is not known.
func (r *Resource) Region() string {
	v, _ := r.Provider.GetOk("region")
	region, _ := read(v, false).Text()
	return region
}

// maxDepth bounds how deep texts looks: no resource of any provider nests deeper, and a value that does is no plan.
const maxDepth = 64

// texts calls visit for every known string among the properties, at any depth, with the path to it.
func (r *Resource) texts(visit func(path []string, v Value)) {
	for name, v := range r.Properties.AllStable {
		walk(append(make([]string, 0, 8), name), read(v, false), visit)
	}
}

func walk(path []string, v Value, visit func([]string, Value)) {
	if v.state != known || len(path) > maxDepth {
		return
	}
	switch {
	case v.v.IsString():
		visit(path, v)
	case v.v.IsArray():
		for i, e := range v.v.AsArray().All {
			walk(append(path, strconv.Itoa(i)), read(e, v.secret), visit)
		}
	case v.v.IsMap():
		for name, e := range v.v.AsMap().AllStable {
			walk(append(path, name), read(e, v.secret), visit)
		}
	}
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

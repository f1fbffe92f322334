package engine

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
)

// Provider is one provider of the embedded cloud.
type Provider struct {
	Name    string           // the package in a token: aws
	Version string           // what the Go SDK pins, since a program asks for no other
	Config  any              // the SDK type of the provider's configuration, aws.ProviderArgs{}
	Notice  string           // what Configure logs: that this is a simulation
	Catalog *catalog.Catalog // what the hardware is, for rules and resources; nil: they need none

	Configure func(cfg Props) error                   // judges a configuration whose values may be unknown; nil: takes all
	Instance  func(cfg Props) string                  // what the configuration points at: a region, a cluster's endpoint
	Regional  bool                                    // Instance is the region that resources live in
	Replace   []string                                // configuration that cannot change without making all resources anew
	Throttled func(token string) string               // how a service refuses too many requests; nil: as most do
	Finish    func(c *Call, out resource.PropertyMap) // last touch to all outputs, also in previews; nil: none
	Resources []*Resource                             // one entry a resource type
	Functions []*Function                             // one entry a function (invoke)
}

// Resource is one resource type: its SDK types, its rules, and what the cloud fills in.
type Resource struct {
	Token string // aws:ec2/subnet:Subnet
	Args  any    // ec2.SubnetArgs{}
	State any    // ec2.Subnet{}

	Required []string // lists and maps that must be given; the SDK type cannot say so
	Replace  []string // arguments that cannot change without making the resource anew: "cidrBlock", "launchTemplate.id"
	// ReplaceIf names arguments that make the resource anew by how they change, such as a size that shrinks; nil: none do.
	ReplaceIf   func(was, in Props) []string
	DeleteFirst bool               // a replacement cannot stand beside the old one
	AutoName    *AutoName          // how the resource gets its name when the program gives none
	Global      bool               // lives in no region, as IAM does
	Refs        []Ref              // the resources it refers to
	Plan        []Rule             // judged by Check, from the arguments alone
	Apply       []Rule             // judged by Create and Update, from the arguments and the cloud
	Keep        []Rule             // judged by Delete, beside the references to it
	Fills       []string           // outputs inside argument blocks that the cloud fills in: "vpcConfig.vpcId"
	Gone        func(c *Call) bool // says that the cloud itself has forgotten a resource since it was made; nil: it never does
	Moves       []string           // outputs that become another value with every update, such as latestVersion

	// Moved says whether an update from one set of arguments to another moves Moves; nil: every update does.
	Moved func(was, in Props) bool

	// Capacity returns what instances an operation wants started, in words, and the zones, by name and by id, that it may
	// take them from, where it wants any; nil: it never does.
	Capacity func(c *Call) (instances string, zones [][2]string)
	// Create returns the identifier of a new resource and the outputs that are not simply its arguments.
	Create func(c *Call) (id string, out Outputs, err error)
	// Update returns the outputs that an update changes beside the arguments; nil: none.
	Update func(c *Call) (Outputs, error)
	// Delete cleans up what the store cannot know; nil: nothing.
	Delete func(c *Call) error
}

// Outputs are properties in plain Go values: strings, numbers, booleans, []any and map[string]any.
type Outputs map[string]any

// Function is one function that programs invoke.
type Function struct {
	Token  string
	Args   any
	Result any
	Call   func(c *Call) (Outputs, error)
}

// Rule is one judgement that the real cloud makes and people trip over.
type Rule struct {
	Name   string // subnet-in-vpc
	Says   string // one sentence, as the documentation prints it
	Source string // where the real cloud states it
	Judge  func(c *Call) error
}

// Ref is a reference from one resource type to another. On creation what it names must exist; while the resource
// exists, what it names cannot be deleted if Holds.
type Ref struct {
	Path  string   // where the reference stands: "vpcId", "routes[*].natGatewayId"
	To    string   // the token of what it names
	By    []string // outputs of that resource which may be named; "id" is its identifier
	Code  string   // AWS's code when it does not exist
	Holds bool
}

// AutoName says how a resource is named when its program gives no name, as the AWS provider does it: the Pulumi
// name, a dash and seven hexadecimal digits, kept for as long as the resource lives.
type AutoName struct {
	Property string // name
	Prefix   string // the argument that names a prefix instead; empty: there is none
	Max      int    // the longest name the service takes
}

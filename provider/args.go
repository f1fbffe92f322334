package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

// HostArgs says which host it is, how it is reached, and what it should be.
type HostArgs struct {
	// Address is the host's name or IP address.
	Address string `pulumi:"address"`
	// Port is the port of SSH, and User who logs in; whoever is not root needs sudo without a password.
	Port int    `pulumi:"port,optional"`
	User string `pulumi:"user,optional"`
	// KeyFile is a private key; empty: the SSH agent is asked.
	KeyFile string `pulumi:"keyFile,optional"`
	// KnownHosts is a file of host keys; empty: ~/.ssh/known_hosts. A host that is not in it is refused.
	KnownHosts string `pulumi:"knownHosts,optional"`
	// Bastion is the way there: [user@]host[:port], several divided by commas.
	Bastion string `pulumi:"bastion,optional"`
	// Profile is what the host should be, by the keys of package nodeprep.
	Profile map[string]string `pulumi:"profile"`
	// Secrets are keys of the profile whose values are secrets.
	Secrets map[string]string `pulumi:"secrets,optional" provider:"secret"`
	// Accelerator and AcceleratorCount are what the host is said to hold, and must then hold.
	Accelerator      string `pulumi:"accelerator,optional"`
	AcceleratorCount int    `pulumi:"acceleratorCount,optional"`
	// Reboot says whether an update may reboot the host.
	Reboot string `pulumi:"reboot,optional"`
	// OnDestroy says what becomes of the host when the resource is deleted.
	OnDestroy string `pulumi:"onDestroy,optional"`
	// Items says what each item of the profile shall be. The provider fills it in.
	Items map[string]string `pulumi:"items,optional"`
}

// Values of Reboot.
const (
	rebootNever  = "never"
	rebootNeeded = "when_needed"
)

// Values of OnDestroy.
const (
	destroyLeaves  = "leave"
	destroyReverts = "revert"
)

// Annotate describes the arguments in the package's schema.
func (a *HostArgs) Annotate(an infer.Annotator) {
	an.Describe(&a.Address, "The host's name or IP address.")
	an.Describe(&a.Port, "The port of SSH.")
	an.Describe(&a.User, "Who logs in; whoever is not root needs sudo without a password.")
	an.Describe(&a.KeyFile, "A private key file; left out, the SSH agent is asked.")
	an.Describe(&a.KnownHosts, "A file of host keys, ~/.ssh/known_hosts if left out. A host that is not in it is refused.")
	an.Describe(&a.Bastion, "The way there: [user@]host[:port], several divided by commas.")
	an.Describe(&a.Profile, "What the host should be, by key: see docs/nodeprep.md.")
	an.Describe(&a.Secrets, "Keys of the profile whose values are secrets.")
	an.Describe(&a.Accelerator, "The accelerators that the host is said to hold, and must then hold, such as gaudi2 or h100.")
	an.Describe(&a.AcceleratorCount, "How many accelerators it is said to hold.")
	an.Describe(&a.Reboot, "never, or when_needed: whether an update may reboot the host. Hosts reboot one after the other.")
	an.Describe(&a.OnDestroy, "leave, or revert: whether the host is given back what it had before, when the resource is deleted.")
	an.Describe(&a.Items, "What each item of the profile shall be. The provider fills it in.")
	an.SetDefault(&a.Port, 22)
	an.SetDefault(&a.User, "root")
	an.SetDefault(&a.Reboot, rebootNever)
	an.SetDefault(&a.OnDestroy, destroyLeaves)
}

// profile is the wanted values, secrets included.
func (a HostArgs) profile() profile.Profile {
	return profile.Profile{Name: "host"}.Extend("host", a.Profile).Extend("host", a.Secrets)
}

// known is the profile without what is not known yet in a preview, and the families of keys that are left out: a family
// is an item's, and makes no sense in part.
func (a HostArgs) known() (profile.Profile, []string) {
	var left []string
	for key, value := range a.given() {
		if value == "" {
			family, _, _ := strings.Cut(key, ".")
			left = append(left, family)
		}
	}
	over := map[string]string{}
	for key := range a.given() {
		if family, _, _ := strings.Cut(key, "."); slices.Contains(left, family) {
			over[key] = ""
		}
	}
	slices.Sort(left)
	return a.profile().Extend("host", over), slices.Compact(left)
}

// given is every key that is given; one without a value is not known yet.
func (a HostArgs) given() map[string]string {
	given := maps.Clone(a.Profile)
	if given == nil {
		given = map[string]string{}
	}
	maps.Copy(given, a.Secrets)
	return given
}

// Check judges the arguments, and says what each item shall be. A value that is not known yet is judged when it is.
func (h *Host) Check(ctx context.Context, req infer.CheckRequest) (infer.CheckResponse[HostArgs], error) {
	args, failures, err := infer.DefaultCheck[HostArgs](ctx, req.NewInputs)
	if err != nil || len(failures) > 0 {
		return infer.CheckResponse[HostArgs]{Inputs: args, Failures: failures}, err
	}
	fail := func(property, format string, a ...any) {
		failures = append(failures, p.CheckFailure{Property: property, Reason: fmt.Sprintf(format, a...)})
	}
	if args.Address == "" && !unknown(req, "address") {
		fail("address", "it is empty")
	}
	if args.Reboot != rebootNever && args.Reboot != rebootNeeded {
		fail("reboot", "%q is neither %s nor %s", args.Reboot, rebootNever, rebootNeeded)
	}
	if args.OnDestroy != destroyLeaves && args.OnDestroy != destroyReverts {
		fail("onDestroy", "%q is neither %s nor %s", args.OnDestroy, destroyLeaves, destroyReverts)
	}
	if args.Bastion != "" {
		for hop := range strings.SplitSeq(args.Bastion, ",") {
			if _, err := remote.ParseTarget(strings.TrimSpace(hop)); err != nil {
				fail("bastion", "%v", err)
			}
		}
	}
	wanted, left := args.known()
	for _, problem := range nodeprep.Check(wanted) {
		fail("profile", "%s", problem)
	}
	for key := range args.Secrets {
		if _, twice := args.Profile[key]; twice {
			fail("secrets", "%s is among the plain values of the profile as well: state it once", key)
		}
	}
	args.Items = map[string]string{}
	for _, key := range nodeprep.Wanted(args.profile().Extend("host", pending(args, left))) {
		args.Items[key] = string(nodeprep.OK)
	}
	return infer.CheckResponse[HostArgs]{Inputs: args, Failures: failures}, nil
}

// pending gives keys that are not known yet a value, so that their items are counted.
func pending(args HostArgs, families []string) map[string]string {
	over := map[string]string{}
	for key, value := range args.given() {
		if family, _, _ := strings.Cut(key, "."); value == "" && slices.Contains(families, family) {
			over[key] = "not known yet"
		}
	}
	return over
}

// unknown says whether an input is not known yet.
func unknown(req infer.CheckRequest, name string) bool {
	value, ok := req.NewInputs.GetOk(name)
	return ok && value.IsComputed()
}

package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/azure"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/fault"
	"github.com/gpuyard/gpuyard/sim/internal/store"
	"github.com/gpuyard/gpuyard/sim/kubernetes"
	"github.com/gpuyard/gpuyard/sim/pace"
)

// ErrBusy is what NewCloud returns, wrapped, while somebody else has the directory open.
var ErrBusy = store.ErrBusy

// providers are the providers of the embedded cloud.
func providers(account aws.Account) []*engine.Provider {
	return []*engine.Provider{
		aws.Provider(account),
		kubernetes.Provider(),
		azure.Provider(),
	}
}

// Options say where a cloud lives and how it behaves.
type Options struct {
	// Dir is where the cloud keeps its state. It is made if it is not there.
	Dir string
	// Catalog is what AWS offers; nil is the default one.
	Catalog *catalog.Catalog
	// Now is the clock behind times such as a cluster's createdAt; nil is time.Now.
	Now func() time.Time
	// Reservations are capacity reservations that the account has beside those of the file reservations.json in Dir.
	Reservations []Reservation
	// Quotas are limits of the account that differ from those of Quotas, by key.
	Quotas map[string]int
	// Faults go wrong on demand, each once or as often as it says, over all endpoints of the cloud.
	Faults []Fault
	// Pace is how much of the real time operations take. The zero Pace takes none.
	Pace pace.Pace
}

// Cloud is an embedded cloud that is open.
type Cloud struct {
	store     *store.Store
	providers []*engine.Provider
	now       func() time.Time
	faults    *fault.Plan
	pace      pace.Pace
	log       eventLog
}

// NewCloud opens the cloud in opts.Dir and locks it. While another process or another Cloud has it open, the error
// wraps ErrBusy.
func NewCloud(opts Options) (*Cloud, error) {
	account, err := accountOf(opts)
	if err != nil {
		return nil, err
	}
	all := providers(account)
	if err := checkFaults(opts.Faults, all); err != nil {
		return nil, err
	}
	s, err := store.Open(opts.Dir)
	if err != nil {
		return nil, err
	}
	now := opts.Now
	if now == nil {
		now = time.Now
	}
	return &Cloud{store: s, providers: all, now: now, faults: fault.NewPlan(opts.Faults), pace: opts.Pace}, nil
}

// takes returns how long an operation takes, by the verb of a fault.
func (c *Cloud) takes(verb, token string) time.Duration {
	switch verb {
	case fault.Create:
		return c.pace.Takes(token, pace.Create)
	case fault.Update:
		return c.pace.Takes(token, pace.Update)
	case fault.Delete:
		return c.pace.Takes(token, pace.Delete)
	default:
		return 0
	}
}

// Close releases the directory. Endpoints are closed on their own.
func (c *Cloud) Close() error { return c.store.Close() }

// Resource is one resource that exists in the cloud.
type Resource struct {
	Provider string // aws
	Token    string // aws:ec2/vpc:Vpc
	ID       string
	URN      string // of the Pulumi resource; empty for what the cloud made by itself, such as a default security group
	Region   string // empty for what lives in no region
	Lost     bool   // made by an operation whose answer was lost, and not touched since: the engine may not know of it
	Inputs   resource.PropertyMap
	Outputs  resource.PropertyMap
}

// Resources returns everything that exists, sorted by token and id. What the cloud made by itself is among it.
func (c *Cloud) Resources() []Resource {
	var all []Resource
	err := c.store.View(func(tx *store.Tx) error {
		for _, token := range tx.Tokens() {
			for _, r := range tx.All(token) {
				all = append(all, Resource{r.Provider, r.Token, r.ID, r.URN, r.Region, r.Lost, r.Inputs, r.Outputs})
			}
		}
		return nil
	})
	if err != nil {
		panic(err) // only a closed cloud cannot be looked at
	}
	slices.SortFunc(all, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Token, b.Token), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// Change overwrites properties of a resource from outside, as somebody in the console does, so that a refresh finds
// drift. A nil value takes a property away. The keys must be properties of the resource's type.
func (c *Cloud) Change(token, id string, set map[string]any) error {
	return c.outside(token, func(tx *store.Tx, res *engine.Resource) error { return engine.Change(tx, res, id, set) })
}

// Remove takes a resource away from outside, with all that came with it, whatever depends on it.
func (c *Cloud) Remove(token, id string) error {
	return c.outside(token, func(tx *store.Tx, res *engine.Resource) error { return engine.Remove(tx, res, id) })
}

func (c *Cloud) outside(token string, change func(*store.Tx, *engine.Resource) error) error {
	for _, p := range c.providers {
		for _, res := range p.Resources {
			if res.Token == token {
				return c.store.Update(func(tx *store.Tx) error { return change(tx, res) })
			}
		}
	}
	return fmt.Errorf("the embedded cloud has no resource type %q", token)
}

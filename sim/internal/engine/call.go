package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Account is the account every embedded cloud is: the one AWS's own documentation uses in examples.
const Account = "111122223333"

// Call is one operation as rules and resources see it. In Check, and in a function, there is no cloud to look at
// beyond the account and the region.
type Call struct {
	Region string       // of the resource, or of the provider where there is none yet
	Config Props        // the provider's configuration
	URN    resource.URN // empty in functions
	ID     string       // of the resource; empty until it is made
	In     Props        // the arguments
	Was    Props        // in Update and Delete, the outputs so far
	Had    Props        // in Update and Delete, the arguments so far

	owner    string
	res      *Resource
	provider *Provider
	tx       *store.Tx
	now      time.Time
}

// Item is a resource that exists.
type Item struct {
	Token, ID, URN string
	Owned          bool // came with another resource
	In, Out        Props
}

// Name returns how messages call an item.
func (i Item) Name() string { return kindOf(i.Token) + " " + i.ID }

// Get returns a resource in reach: of c's region, or global.
func (c *Call) Get(token, id string) (Item, bool) {
	r, ok := c.tx.Get(token, id)
	if !ok || !c.inReach(r) {
		return Item{}, false
	}
	return item(r), true
}

// All returns the resources of a type that are in reach.
func (c *Call) All(token string) []Item {
	var all []Item
	for _, r := range c.tx.All(token) {
		if c.inReach(r) {
			all = append(all, item(r))
		}
	}
	return all
}

// Others returns All without the resource that the call is about.
func (c *Call) Others(token string) []Item {
	var all []Item
	for _, i := range c.All(token) {
		if i.ID != c.ID {
			all = append(all, i)
		}
	}
	return all
}

// Find returns the resource whose output is value; the output "id" is its identifier.
func (c *Call) Find(token, output, value string) (Item, bool) {
	if output == "id" {
		return c.Get(token, value)
	}
	for _, i := range c.All(token) {
		if i.Out.Str(output) == value {
			return i, true
		}
	}
	return Item{}, false
}

// Anywhere says whether some resource of a type has the value as an output, in whatever region: names of buckets are
// shared by all.
func (c *Call) Anywhere(token, output, value string) bool {
	for _, r := range c.tx.All(token) {
		if r.Provider == c.provider.Name && Props(r.Outputs).Str(output) == value {
			return true
		}
	}
	return false
}

// Resolve returns the resource that the argument at path refers to, by c's own Refs.
func (c *Call) Resolve(path string) (Item, bool) {
	for _, ref := range c.res.Refs {
		if ref.Path != path {
			continue
		}
		for _, by := range ref.By {
			if i, ok := c.Find(ref.To, by, c.In.Str(path)); ok {
				return i, true
			}
		}
	}
	return Item{}, false
}

// Make adds a resource that comes and goes with c's own, whose identifier is owner.
func (c *Call) Make(token, id, owner string, in, out Outputs) error {
	res := c.provider.resource(token)
	return c.tx.Put(&store.Record{
		Provider: c.provider.Name, Token: token, ID: id, Region: c.region(res), Owner: ownerKey(c.res.Token, owner),
		Inputs: properties(in), Outputs: res.state().Fill(properties(out)),
	})
}

// ComeWith makes the resource that is being created go when another one goes, as a Helm release goes with its cluster.
func (c *Call) ComeWith(token, id string) { c.owner = ownerKey(token, id) }

// Adopt gives another resource the arguments of c's own that have these names, and takes away those c does not have.
func (c *Call) Adopt(token, id string, names ...string) error {
	r, ok := c.tx.Get(token, id)
	if !ok {
		return fmt.Errorf("adopting %s %s, which does not exist", token, id)
	}
	for _, name := range names {
		key := resource.PropertyKey(name)
		delete(r.Inputs, key)
		delete(r.Outputs, key)
		if v, given := c.In[key]; given {
			r.Inputs[key], r.Outputs[key] = v, v
		}
	}
	r.Outputs = c.provider.resource(token).state().Fill(r.Outputs)
	return c.tx.Put(r)
}

// Drop removes a resource that c's own resource brought into being.
func (c *Call) Drop(token, id string) error { return c.tx.Delete(token, id) }

// Next counts the calls for a scope, from 1, across runs.
func (c *Call) Next(scope string) (uint64, error) { return c.tx.Next(scope) }

// NewID returns an identifier that no other resource has or had: the prefix and 17 hexadecimal digits, as EC2 makes
// them. It depends on the resource's URN and how often one was drawn for it, not on the order in which the engine
// happens to create things, so runs of the same program give the same identifiers.
func (c *Call) NewID(prefix string) (string, error) {
	h, err := c.NewHex(prefix)
	return prefix + "0" + h[:16], err
}

// NewHex returns 64 hexadecimal digits under the same promise as NewID.
func (c *Call) NewHex(purpose string) (string, error) {
	scope := "id " + purpose + " " + string(c.URN)
	n, err := c.tx.Next(scope)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", scope, n))
	return hex.EncodeToString(sum[:]), err
}

// Catalog returns what the hardware is that the cloud offers.
func (c *Call) Catalog() *catalog.Catalog { return c.provider.Catalog }

// Time returns the time of the call.
func (c *Call) Time() time.Time { return c.now }

// Now returns the time of the call as AWS prints times.
func (c *Call) Now() string { return c.now.UTC().Format(time.RFC3339) }

func (c *Call) inReach(r *store.Record) bool {
	return r.Provider != c.provider.Name || !c.provider.Regional || r.Region == "" || r.Region == c.Region
}

// region returns where a new resource of type r lives.
func (c *Call) region(r *Resource) string {
	if r.Global || !c.provider.Regional {
		return ""
	}
	return c.Region
}

func item(r *store.Record) Item {
	return Item{Token: r.Token, ID: r.ID, URN: r.URN, Owned: r.Owner != "", In: Props(r.Inputs), Out: Props(r.Outputs)}
}

// ownerKey is how a Record names its owner.
func ownerKey(token, id string) string { return token + " " + id }

func properties(out Outputs) resource.PropertyMap {
	return resource.NewPropertyMapFromMap(out)
}

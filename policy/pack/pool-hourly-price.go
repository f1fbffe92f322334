package pack

import (
	"fmt"

	"github.com/gpuyard/gpuyard/catalog"
)

var poolHourlyPrice = Policy{
	Name: "pool-hourly-price", Level: Mandatory, Area: Spending,
	Summary: "No pool costs more an hour than the configuration allows.",
	Why: "A pool may grow to its maximum at any time, and an hour of a large one costs as much as a month of a small one. The price is " +
		"the on-demand list price at the maximum size; spot, reservations and contracts cost less.",
	Fix:    "Lower `scalingConfig.maxSize`, take a smaller type, or raise `maxPerPool`.",
	Tokens: []string{tokenNodeGroup},
	Settings: []Setting{
		{Name: "maxPerPool", Kind: NumberSetting, Doc: "The most that one pool may cost an hour at its maximum size. Left out: no limit."},
		{Name: "maxPerStack", Kind: NumberSetting, Doc: "The most that all pools together may cost; `stack-hourly-price` reads it. Left out: no limit."},
	},
	Resource: func(r *Resource, c Config) []Finding {
		limit, limited := c.number("maxPerPool")
		p, ok := priceOf(r, typesAt(r))
		if !limited || !ok || p.amount <= limit {
			return nil
		}
		return one("%s: that is %s %s an hour, and %s is the limit.", p.text, dollars(p.amount), p.currency, dollars(limit))
	},
}

// price is what a pool costs an hour at its maximum size.
type price struct {
	amount   float64
	currency string
	text     string // 4 nodes of g6.xlarge at the list price of us-west-2 of 2026-10-01
}

// priceOf prices a node group by the dearest of its types: EKS may take any.
func priceOf(group *Resource, types []*catalog.InstanceType) (price, bool) {
	nodes, ok := group.Get("scalingConfig", "maxSize").Number()
	if !ok {
		return price{}, false
	}
	var dearest catalog.Price
	name := ""
	for _, t := range types {
		if p, ok := group.catalog().Price(t.Name, group.Region()); ok && (name == "" || p.PerHour > dearest.PerHour) {
			dearest, name = p, t.Name
		}
	}
	return price{
		amount: dearest.PerHour * nodes, currency: dearest.Currency,
		text: fmt.Sprintf("%.0f nodes of %s at the list price of %s of %s", nodes, name, dearest.Region, dearest.Date),
	}, name != ""
}

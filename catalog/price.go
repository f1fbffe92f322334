package catalog

import (
	"maps"
	"slices"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

// Price is the on-demand list price of an instance type. What a spot instance, a capacity block or a contract costs is
// not known here; nor is tax.
type Price struct {
	PerHour float64
	// Currency is USD, or CNY in the China regions.
	Currency string
	// Region is the region whose price this is.
	Region string
	// Date is the day on which the price list was read, as YYYY-MM-DD.
	Date string
	// Exact says that this is the price of the region that was asked for. Otherwise another region's stands in.
	Exact bool
}

// standInRegion is the region whose prices stand in first: nearly every type is sold there.
const standInRegion = "us-east-1"

// Price returns the list price of an instance type in a region. If that region's price is not known, us-east-1's
// stands in, or the next region's that has one in USD, and Exact is false. The second result is false if no price
// is known.
func (c *Catalog) Price(typ, region string) (Price, bool) {
	if p, ok := c.prices[region][typ]; ok {
		p.Exact = true
		return p, true
	}
	for _, other := range c.standIns {
		if p, ok := c.prices[other][typ]; ok {
			return p, true
		}
	}
	return Price{}, false
}

// indexPrices reads the prices of generated and added types.
func (c *Catalog) indexPrices(f *dataset.File) {
	c.prices = make(map[string]map[string]Price, len(f.Prices))
	for region, list := range f.Prices {
		c.prices[region] = make(map[string]Price, len(list.PerHour))
		for name, perHour := range list.PerHour {
			c.prices[region][name] = Price{PerHour: perHour, Currency: list.Currency, Region: region, Date: list.Date}
		}
	}
	for name, t := range f.Types {
		for region, added := range t.Price {
			if c.prices[region] == nil {
				c.prices[region] = map[string]Price{}
			}
			c.prices[region][name] = Price{
				PerHour: added.PerHour, Currency: dataset.Currency(region), Region: region, Date: added.Date,
			}
		}
	}
	c.standIns = []string{standInRegion}
	for _, region := range slices.Sorted(maps.Keys(c.prices)) {
		if region != standInRegion && dataset.Currency(region) == "USD" {
			c.standIns = append(c.standIns, region)
		}
	}
}

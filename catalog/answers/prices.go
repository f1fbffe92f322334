package answers

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

// product is the part of an entry of the price list that counts.
//
// Source: AWS Billing User Guide, "Understanding your price list query API files".
type product struct {
	Product struct{ Attributes struct{ InstanceType string } }
	Terms   struct{ OnDemand map[string]term }
}

type term struct {
	PriceDimensions map[string]struct {
		Unit         string
		PricePerUnit map[string]string
	}
}

// ReadPrices reads the entries of a region's price list that are for Linux on shared hardware: the price an hour by type,
// and the types whose entries do not come to one price.
func ReadPrices(region string, entries []string) (map[string]float64, []LeftOut) {
	prices, odd := map[string]float64{}, map[string]error{}
	for _, entry := range entries {
		var p product
		if err := json.Unmarshal([]byte(entry), &p); err != nil {
			odd["?"] = fmt.Errorf("reading the price list: %w", err)
			continue
		}
		name := p.Product.Attributes.InstanceType
		for _, price := range p.perHour(dataset.Currency(region)) {
			if was, twice := prices[name]; twice && was != price {
				odd[name] = fmt.Errorf("it has two list prices, %g and %g an hour", was, price)
			}
			prices[name] = price
		}
		if _, priced := prices[name]; !priced {
			odd[name] = errors.New("it has no list price an hour")
		}
	}
	var left []LeftOut
	for _, name := range slices.Sorted(maps.Keys(odd)) {
		delete(prices, name)
		left = append(left, LeftOut{name, odd[name]})
	}
	return prices, left
}

// perHour returns the prices of a product that are an hour's, in a currency. What is sold by contract alone is listed at
// nothing, which is no price.
func (p *product) perHour(currency string) []float64 {
	var prices []float64
	for _, t := range p.Terms.OnDemand {
		for _, d := range t.PriceDimensions {
			price, err := strconv.ParseFloat(d.PricePerUnit[currency], 64)
			if err == nil && price > 0 && d.Unit == "Hrs" {
				prices = append(prices, price)
			}
		}
	}
	return prices
}

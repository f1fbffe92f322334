package answers

import (
	"maps"
	"strings"
	"testing"
)

// entry is an entry of the price list with the terms of on-demand use.
func entry(name, terms string) string {
	return `{"product": {"attributes": {"instanceType": "` + name + `"}}, "terms": {"OnDemand": {` + terms + `}}}`
}

// dimension is a term with one price.
func dimension(id, unit, currency, price string) string {
	return `"` + id + `": {"priceDimensions": {"` + id + `.1": {"unit": "` + unit + `", "pricePerUnit": {"` + currency + `": "` + price + `"}}}}`
}

func TestReadPrices(t *testing.T) {
	t.Parallel()
	prices, left := ReadPrices("us-west-2", []string{
		entry("m5.large", dimension("a", "Hrs", "USD", "0.0960000000")),
		entry("m5.large", dimension("b", "Hrs", "USD", "0.0960000000")), // the same in other words
		entry("p5.48xlarge", dimension("a", "Hrs", "USD", "55.04")+","+dimension("b", "Quantity", "USD", "9")),
		entry("g6.xlarge", dimension("a", "Hrs", "USD", "1")+","+dimension("b", "Hrs", "USD", "2")),
		entry("p6e.36xlarge", dimension("a", "Hrs", "USD", "0.0000000000")),
		entry("c5.large", dimension("a", "Hrs", "CNY", "1")),
		"[]",
	})
	want := map[string]float64{"m5.large": 0.096, "p5.48xlarge": 55.04}
	if !maps.Equal(prices, want) {
		t.Errorf("prices %v, want %v", prices, want)
	}
	var lines []string
	for _, l := range left {
		lines = append(lines, l.Name+": "+l.Why.Error())
	}
	got := strings.Join(lines, "\n")
	for _, line := range []string{
		"c5.large: it has no list price an hour", "g6.xlarge: it has two list prices", "p6e.36xlarge: it has no list price an hour", "?: reading the price list",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is not in:\n%s", line, got)
		}
	}
	if len(left) != 4 {
		t.Errorf("%d are left out, want 4:\n%s", len(left), got)
	}
}

func TestReadPricesInChina(t *testing.T) {
	t.Parallel()
	prices, left := ReadPrices("cn-north-1", []string{entry("m5.large", dimension("a", "Hrs", "CNY", "0.856"))})
	if prices["m5.large"] != 0.856 || len(left) > 0 {
		t.Errorf("prices %v, left out %v", prices, left)
	}
}

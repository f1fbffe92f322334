package catalog

import "testing"

func TestPrice(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, typ, region string
		want              Price // zero: none
	}{
		{"exact", "p5.48xlarge", "us-east-1", Price{55.04, "USD", "us-east-1", "2026-07-20", true}},
		{"GovCloud", "p5.48xlarge", "us-gov-west-1", Price{66.048, "USD", "us-gov-west-1", "2026-08-24", true}},
		{"China", "g5.48xlarge", "cn-north-1", Price{154.03795, "CNY", "cn-north-1", "2024-11-06", true}},
		{"us-east-1 stands in", "p5.48xlarge", "us-west-2", Price{55.04, "USD", "us-east-1", "2026-07-20", false}},
		{"for GovCloud too", "p5.48xlarge", "us-gov-east-1", Price{55.04, "USD", "us-east-1", "2026-07-20", false}},
		{"in its own currency", "p5.48xlarge", "cn-north-1", Price{55.04, "USD", "us-east-1", "2026-07-20", false}},
		{"the next region stands in", "hpc6a.48xlarge", "us-east-2", Price{3.467, "USD", "us-gov-east-1", "2026-08-24", false}},
		{"the one region stands in", "hpc8a.96xlarge", "us-east-1", Price{9.5341, "USD", "us-gov-west-1", "2026-08-24", false}},
		{"no list price", "p5e.48xlarge", "us-east-1", Price{}},
		{"unknown type", "x1.large", "us-east-1", Price{}},
	} {
		got, ok := Default().Price(x.typ, x.region)
		if got != x.want || ok != (x.want != Price{}) {
			t.Errorf("%s: %+v, %t; want %+v", x.name, got, ok, x.want)
		}
	}
}

// TestForeignCurrencyNeverStandsIn: a sum in USD must not take in a price in CNY.
func TestForeignCurrencyNeverStandsIn(t *testing.T) {
	t.Parallel()
	c := with(t, `{"types": {"p5e.48xlarge": {"source": "s", "price": {"cn-northwest-1": {"perHour": 9, "date": "2026-01-01"}}}}}`)
	if got, ok := c.Price("p5e.48xlarge", "us-east-1"); ok {
		t.Errorf("got %+v", got)
	}
	want := Price{9, "CNY", "cn-northwest-1", "2026-01-01", true}
	if got, ok := c.Price("p5e.48xlarge", "cn-northwest-1"); !ok || got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEveryPriceIsPositive(t *testing.T) {
	t.Parallel()
	c := Default()
	n := 0
	for _, typ := range c.Types() {
		for region := range c.prices {
			p, ok := c.Price(typ.Name, region)
			if !ok {
				continue
			}
			n++
			if p.PerHour <= 0 || p.Date == "" || p.Exact != (p.Region == region) {
				t.Errorf("%s in %s: %+v", typ.Name, region, p)
			}
		}
	}
	if n == 0 {
		t.Error("no price at all")
	}
}

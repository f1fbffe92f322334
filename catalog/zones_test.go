package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestZones(t *testing.T) {
	t.Parallel()
	c := Default()
	if got := c.Regions(); len(got) != 30 || !slices.IsSorted(got) || !slices.Contains(got, "us-west-2") {
		t.Errorf("regions %q", got)
	}
	for _, x := range []struct {
		what      string
		got, want []string
	}{
		{"zones of us-west-2", c.Zones("us-west-2"), []string{"usw2-az1", "usw2-az2", "usw2-az3", "usw2-az4"}},
		{"zones of ca-central-1", c.Zones("ca-central-1"), []string{"cac1-az1", "cac1-az2", "cac1-az4"}},
		{"zones of a region without offerings", c.Zones("us-gov-west-1"), nil},
		{"dl1 in us-west-2", c.ZonesOf("dl1.24xlarge", "us-west-2"), []string{"usw2-az1"}},
		{"p4de in us-east-1", c.ZonesOf("p4de.24xlarge", "us-east-1"), []string{"use1-az4", "use1-az6"}},
		{"dl1 in eu-west-1", c.ZonesOf("dl1.24xlarge", "eu-west-1"), nil},
		{"an unknown type", c.ZonesOf("p5.48xlarge p4d.24xlarge", "us-east-2"), nil},
		{"regions of dl1", c.RegionsOf("dl1.24xlarge"), []string{"us-east-1", "us-west-2"}},
		{"regions of p6-b300", c.RegionsOf("p6-b300.48xlarge"), []string{"us-west-2"}},
		{"regions of hpc6a", c.RegionsOf("hpc6a.48xlarge"), []string{"ap-southeast-1", "ap-southeast-2", "eu-north-1", "us-east-2"}},
		{"regions of an unknown type", c.RegionsOf("x.large"), nil},
	} {
		if !slices.Equal(x.got, x.want) {
			t.Errorf("%s: %q, want %q", x.what, x.got, x.want)
		}
	}
}

func TestOffered(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		typ, region, zone string
		want              bool
	}{
		{"p5.48xlarge", "us-east-2", "use2-az1", true},
		{"dl1.24xlarge", "us-west-2", "usw2-az1", true},
		{"dl1.24xlarge", "us-west-2", "usw2-az2", false},
		{"p5.48xlarge", "us-east-1", "use2-az1", false},
		{"p5.48xlarge", "us-east-2", "us-east-2a", false}, // a name, not an id
		{"p5.48xlarge", "nowhere", "use2-az1", false},
	} {
		if got := Default().Offered(x.typ, x.region, x.zone); got != x.want {
			t.Errorf("%s in %s, %s: %t", x.typ, x.region, x.zone, got)
		}
	}
}

// TestOfferingsHoldTogether checks that the views of the offerings agree for every type and region.
func TestOfferingsHoldTogether(t *testing.T) {
	t.Parallel()
	c := Default()
	for _, typ := range c.Types() {
		regions := c.RegionsOf(typ.Name)
		if len(regions) == 0 {
			t.Errorf("%s is offered nowhere", typ.Name)
		}
		for _, region := range regions {
			zones := c.ZonesOf(typ.Name, region)
			if len(zones) == 0 || !slices.IsSorted(zones) {
				t.Errorf("%s in %s: zones %q", typ.Name, region, zones)
			}
			for _, zone := range zones {
				if !slices.Contains(c.Zones(region), zone) || !strings.Contains(zone, "-az") || !c.Offered(typ.Name, region, zone) {
					t.Errorf("%s in %s: zone %s", typ.Name, region, zone)
				}
			}
		}
	}
}

func TestAnswersAreCopies(t *testing.T) {
	t.Parallel()
	c := with(t, `{"types": {}}`)
	c.Zones("us-west-2")[0] = "changed"
	c.ZonesOf("p5.48xlarge", "us-west-2")[0] = "changed"
	if c.Zones("us-west-2")[0] != "usw2-az1" || c.ZonesOf("p5.48xlarge", "us-west-2")[0] != "usw2-az1" {
		t.Error("a caller's change reached the catalog")
	}
}

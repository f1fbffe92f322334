package catalog

import (
	"slices"
	"strings"
	"testing"
)

const sources = `"sources": {"types": "EC2 of today", "offerings": "EC2 of today", "prices": "the list of today"}`

// g9Record is a type that nobody sells, as a data set has it.
const g9Record = `{"arch":"x86_64","vcpus":192,"memoryMiB":1048576,"cards":"1x8@200","ipv4":64,"placement":"cluster","usage":"on-demand"}`

func override(t *testing.T, set string) *Catalog {
	t.Helper()
	c, err := Override([]byte(set))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOverrideStandsOverTheEmbeddedData(t *testing.T) {
	t.Parallel()
	c := override(t, `{`+sources+`,
		"types": {"g9.48xlarge": `+g9Record+`, "g6.xlarge": `+strings.Replace(g9Record, "192", "5", 1)+`},
		"offerings": {"us-west-2": {"usw2-az9": "g9.48xlarge g6.xlarge"}},
		"prices": {"us-west-2": {"currency": "USD", "date": "2026-11-30", "perHour": "g9.48xlarge 12.5"}}}`)
	for name, vcpus := range map[string]int{"g9.48xlarge": 192, "g6.xlarge": 5, "p5.48xlarge": 192} {
		if typ, err := c.Lookup(name); err != nil || typ.VCPUs != vcpus {
			t.Errorf("%s: %+v, %v; want %d vCPUs", name, typ, err, vcpus)
		}
	}
	if lookup(t, "g6.xlarge").VCPUs == 5 {
		t.Error("the default catalog has changed")
	}
	if !c.Offered("g9.48xlarge", "us-west-2", "usw2-az9") || c.Offered("p5.48xlarge", "us-west-2", "usw2-az1") {
		t.Error("the zones of a region that is stated are not the stated ones alone")
	}
	if !slices.Equal(c.ZonesOf("p5.48xlarge", "us-east-2"), Default().ZonesOf("p5.48xlarge", "us-east-2")) {
		t.Error("a region that is not stated has lost its zones")
	}
	want := Price{PerHour: 12.5, Currency: "USD", Region: "us-west-2", Date: "2026-11-30", Exact: true}
	if got, ok := c.Price("g9.48xlarge", "us-west-2"); !ok || got != want {
		t.Errorf("price %+v, want %+v", got, want)
	}
	if c.Origin() != "EC2 of today" || Default().Origin() != "" {
		t.Errorf("origins %q and %q", c.Origin(), Default().Origin())
	}
}

// TestAdditionsHoldOverAnOverride: what EC2's answers lack, newer answers lack as well.
func TestAdditionsHoldOverAnOverride(t *testing.T) {
	t.Parallel()
	record := strings.NewReplacer(`"1x8@200"`, `"17x4@400","maxEFA":16`).Replace(g9Record)
	c := override(t, `{`+sources+`, "types": {"p6-b300.48xlarge": `+record+`}}`)
	typ, err := c.Lookup("p6-b300.48xlarge")
	if err != nil || typ.Cards[0].EFA || !typ.Cards[1].EFA {
		t.Errorf("%+v, %v: card 0 carries no EFA, the others do", typ, err)
	}
}

// TestOverrideRefuses changes one thing of a sound set at a time.
func TestOverrideRefuses(t *testing.T) {
	t.Parallel()
	sound := `{` + sources + `, "types": {"g9.48xlarge": ` + strings.Replace(g9Record, `"cards"`,
		`"accelerator": {"maker":"nvidia","name":"B300","count":4,"memoryMiB":9}, "disks": {"count":1,"sizeGB":9}, "cards"`, 1) + `},
		"offerings": {"us-west-2": {"usw2-az9": "g9.48xlarge"}},
		"prices": {"us-west-2": {"currency": "USD", "date": "2026-11-30", "perHour": "g9.48xlarge 12.5"}}}`
	override(t, sound)
	for _, c := range []struct{ from, to, want string }{
		{`"types": {"g9`, `"types": ["g9`, "line 1: invalid character ':' after array element"},
		{`"usw2-az9": "`, `"usw2-az9": '`, "line 2: invalid character '\\''"},
		{`12.5"}}}`, `12.5"}}`, "ends before its closing brace"},
		{`12.5"}}}`, `12.5"}}}}`, "something follows the closing brace"},
		{`"types": {"g9`, `"tips": {"g9`, `unknown field "tips"`},
		{`"EC2 of today"`, `" "`, "sources: types is empty: say where the types come from"},
		{`"vcpus":192`, `"vcpus":"many"`, "types: g9.48xlarge: vcpus is a string, want a number"},
		{`"vcpus":192`, `"vcpu":192`, `types: g9.48xlarge: json: unknown field "vcpu"`},
		{`"vcpus":192,`, ``, "types: g9.48xlarge: the record lacks one of vcpus"},
		{`"x86_64"`, `"mips"`, `types: g9.48xlarge: the architecture is "mips"`},
		{`"on-demand"`, `"for-ever"`, `types: g9.48xlarge: usage names "for-ever"`},
		{`"ipv4":64`, `"ipv4":1`, "types: g9.48xlarge: ipv4 is 1"},
		{`1x8@200`, `1x8@0`, "types: g9.48xlarge: cards 1x8@0 lack interfaces or bandwidth"},
		{`1x8@200`, `eight`, `types: g9.48xlarge: network cards "eight" are not written as in`},
		{`"ipv4"`, `"maxEFA":2,"ipv4"`, "types: g9.48xlarge: maxEFA is 2 with 1 network cards"},
		{`"sizeGB":9`, `"sizeGB":0`, "types: g9.48xlarge: disks are 1 of 0 GB"},
		{`"name":"B300"`, `"name":""`, "types: g9.48xlarge: accelerator lacks one of maker, name and memoryMiB"},
		{`"count":4`, `"count":4,"fraction":0.5`, "types: g9.48xlarge: accelerator has 4 devices with fraction 0.5"},
		{`"count":4`, `"fraction":7`, "types: g9.48xlarge: accelerator has the fraction 7"},
		{`usw2-az9`, `us-west-2a`, `offerings: us-west-2: "us-west-2a" is not a zone id such as usw2-az1`},
		{`usw2-az9`, ``, "offerings: us-west-2: a set of zones is empty"},
		{`"USD"`, `"EUR"`, `prices: us-west-2: currency is "EUR", want "USD"`},
		{`2026-11-30`, `yesterday`, `prices: us-west-2: date is "yesterday", want YYYY-MM-DD`},
		{`48xlarge 12.5`, `48xlarge -1`, "prices: us-west-2: perHour has g9.48xlarge at -1, want more than 0"},
		{`48xlarge 12.5`, `48xlarge`, "prices: us-west-2: a price table of 1 words has a name without a price"},
	} {
		changed := strings.Replace(sound, c.from, c.to, 1)
		if changed == sound {
			t.Fatalf("%q is not in the set", c.from)
		}
		if _, err := Override([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: got %v, want an error with %q", c.to, c.from, err, c.want)
		}
	}
}

func TestOverrideNamesEverythingThatIsWrong(t *testing.T) {
	t.Parallel()
	_, err := Override([]byte(`{` + sources + `, "types": {"b.large": {}, "a.large": {"arch": "mips"}}}`))
	want := []string{
		`types: a.large: the architecture is "mips", want "x86_64" or "arm64"`,
		"types: a.large: the record lacks one of vcpus, memoryMiB, cards, ipv4 and usage",
		`types: b.large: the architecture is "", want "x86_64" or "arm64"`,
		"types: b.large: the record lacks one of vcpus, memoryMiB, cards, ipv4 and usage",
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got:\n%v\nwant:\n%s", err, strings.Join(want, "\n"))
	}
}

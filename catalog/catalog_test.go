package catalog

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update after checking); got:\n%s", path, got)
	}
}

// lookup finds a type of the default catalog or fails the test.
func lookup(t *testing.T, name string) *InstanceType {
	t.Helper()
	typ, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// with lays additions over the embedded data.
func with(t *testing.T, additions string) *Catalog {
	t.Helper()
	c, err := parse(nil, []byte(additions))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLookupUnknownType(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"p5n.48xlarge": `unknown instance type "p5n.48xlarge"; did you mean p5en.48xlarge, p5.48xlarge or p5e.48xlarge?`,
		"p5.48xl":      `unknown instance type "p5.48xl"; did you mean p5.48xlarge?`,
		"quantum":      `unknown instance type "quantum"`,
		"":             `unknown instance type ""`,
	} {
		_, err := Lookup(name)
		var unknown *UnknownTypeError
		if !errors.As(err, &unknown) || unknown.Name != name {
			t.Fatalf("Lookup(%q) = %v, want an UnknownTypeError that names it", name, err)
		}
		if err.Error() != want {
			t.Errorf("Lookup(%q): got %q, want %q", name, err, want)
		}
	}
}

func TestTypesAreSortedAndFresh(t *testing.T) {
	t.Parallel()
	types := Default().Types()
	if len(types) < 400 {
		t.Fatalf("only %d types", len(types))
	}
	if !slices.IsSortedFunc(types, func(a, b *InstanceType) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the types are not sorted by name")
	}
	first := types[0]
	types[0] = nil
	if Default().Types()[0] != first {
		t.Error("a caller's change to the list reached the catalog")
	}
}

// TestProvenance checks that the embedded data says where it comes from.
func TestProvenance(t *testing.T) {
	t.Parallel()
	f, err := dataset.Decode(generatedJSON)
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		f.Sources.Types:     "DescribeInstanceTypes",
		f.Sources.Offerings: "DescribeInstanceTypeOfferings",
		f.Sources.Prices:    "list prices",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the source %q lacks %q", got, want)
		}
	}
	for region, list := range f.Prices {
		if _, err := time.Parse(time.DateOnly, list.Date); err != nil {
			t.Errorf("prices of %s: %v", region, err)
		}
	}
}

// g9 is a type that nobody sells, as a person would add it.
const g9 = `{"types": {"g9.48xlarge": {
	"source": "an announcement",
	"arch": "arm64", "vcpus": 192, "memoryMiB": 1048576,
	"accelerator": {"maker": "nvidia", "name": "B300", "count": 4, "memoryMiB": 275040},
	"cards": "1x8@200 4x2@400",
	"maxEFA": 4, "cardsWithoutEFA": [0], "ipv4": 64,
	"placement": "cluster", "usage": "on-demand",
	"zones": {"us-east-1": ["use1-az4", "use1-az2"]},
	"price": {"us-east-1": {"perHour": 12.5, "date": "2026-11-30"}}
}}}`

func TestOneAdditionAddsAType(t *testing.T) {
	t.Parallel()
	c := with(t, g9)
	typ, err := c.Lookup("g9.48xlarge")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := typ.InterfacePlan(FabricEFA)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := plan.String(), "1 ENA (0/0) + 4 efa-only (1-4/0)"; got != want {
		t.Errorf("plan %q, want %q", got, want)
	}
	if got, want := c.ZonesOf("g9.48xlarge", "us-east-1"), []string{"use1-az2", "use1-az4"}; !slices.Equal(got, want) {
		t.Errorf("zones %q, want %q", got, want)
	}
	want := Price{PerHour: 12.5, Currency: "USD", Region: "us-east-1", Date: "2026-11-30", Exact: true}
	if got, ok := c.Price("g9.48xlarge", "us-east-1"); !ok || got != want {
		t.Errorf("price %+v, want %+v", got, want)
	}
	if !slices.Contains(c.Types(), typ) {
		t.Error("the added type is not listed")
	}
}

func TestAdditionChangesOnlyWhatItStates(t *testing.T) {
	t.Parallel()
	c := with(t, `{"types": {"p5.48xlarge": {"source": "a letter", "memoryMiB": 1, "zones": {"us-west-2": ["usw2-az9"]}}}}`)
	got, err := c.Lookup("p5.48xlarge")
	if err != nil {
		t.Fatal(err)
	}
	if was := lookup(t, "p5.48xlarge"); got.MemoryMiB != 1 || got.VCPUs != was.VCPUs || got.MaxEFA != was.MaxEFA || len(got.Cards) != len(was.Cards) {
		t.Errorf("got %+v", got)
	}
	if zones := c.ZonesOf("p5.48xlarge", "us-west-2"); !slices.Equal(zones, []string{"usw2-az9"}) {
		t.Errorf("the stated zones do not prevail: %q", zones)
	}
	if !c.Offered("p5.48xlarge", "us-east-2", "use2-az1") {
		t.Error("a region that the addition does not state has lost its zones")
	}
}

func TestBrokenAdditionsAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ additions, want string }{
		"no JSON":      {`{`, "reading the additions"},
		"misspelt key": {`{"types": {"x1.large": {"source": "s", "vcpu": 2}}}`, `x1.large: json: unknown field "vcpu"`},
		"no source":    {`{"types": {"p5.48xlarge": {"vcpus": 2}}}`, "p5.48xlarge names no source"},
		"no arch":      {`{"types": {"x1.large": {"source": "s", "vcpus": 2}}}`, `x1.large: the architecture is ""`},
		"no cards":     {`{"types": {"x1.large": {"source": "s", "arch": "arm64", "vcpus": 2, "memoryMiB": 1, "ipv4": 2, "usage": "spot"}}}`, "lacks one of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(nil, []byte(c.additions))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(nil, additionsJSON); err != nil {
			b.Fatal(err)
		}
	}
}

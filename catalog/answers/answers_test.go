package answers

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// recorded are the answers in testdata.
func recorded(t *testing.T) Set {
	t.Helper()
	var s Set
	for name, into := range map[string]any{"types": &s.Types, "offerings": &s.Offerings, "prices": &s.Prices} {
		src, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(src, into); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestReduce(t *testing.T) {
	t.Parallel()
	got, left, err := recorded(t).Reduce()
	if err != nil || len(left) > 0 {
		t.Fatal(left, err)
	}
	const path = "testdata/data.golden.json"
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got:\n%s", got)
	}
}

// TestTheCatalogTakesWhatIsReduced holds both ends of the form together.
func TestTheCatalogTakesWhatIsReduced(t *testing.T) {
	t.Parallel()
	set := recorded(t)
	set.Offerings.Regions["us-west-2"]["m5.large"] = []string{"usw2-az4", "usw2-lax1-az1"}
	text, _, err := set.Reduce()
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Override(text)
	if err != nil {
		t.Fatal(err)
	}
	if zones := c.ZonesOf("m5.large", "us-west-2"); len(zones) != 1 || zones[0] != "usw2-az4" {
		t.Errorf("m5.large is in %q, want the region's own zone alone", zones)
	}
	if price, ok := c.Price("g6f.large", "us-east-1"); !ok || price.PerHour != 0.2024 || price.Date != "2026-07-20" {
		t.Errorf("g6f.large is at %+v", price)
	}
}

// sound is a description without fault.
const sound = `{"ProcessorInfo": {"SupportedArchitectures": ["i386", "x86_64"]}, "VCpuInfo": {"DefaultVCpus": 4},
	"MemoryInfo": {"SizeInMiB": 1024}, "SupportedUsageClasses": ["spot"],
	"GpuInfo": {"Gpus": [{"Manufacturer": "NVIDIA", "Name": "T4", "Count": 1, "GpuPartitionSize": 1, "MemoryInfo": {"SizeInMiB": 9}}]},
	"InstanceStorageInfo": {"Disks": [{"Count": 1, "SizeInGB": 9}], "NvmeSupport": "required"},
	"NetworkInfo": {"EfaSupported": true, "EfaInfo": {"MaximumEfaInterfaces": 1}, "Ipv4AddressesPerInterface": 4,
		"NetworkCards": [{"NetworkCardIndex": 0, "MaximumNetworkInterfaces": 2, "PeakBandwidthInGbps": 10}]}}`

// TestWhatARecordCannotHoldIsLeftOut changes one fact of a sound description at a time.
func TestWhatARecordCannotHoldIsLeftOut(t *testing.T) {
	t.Parallel()
	reduce := func(text string) []LeftOut {
		set := Set{Types: Types{Types: map[string]json.RawMessage{"x.large": json.RawMessage(text)}}}
		set.Offerings.Regions = map[string]map[string][]string{"us-west-2": {"x.large": {"usw2-az1"}}}
		_, left, err := set.Reduce()
		if err != nil {
			t.Error(err) // that a region offers what is left out is no error
		}
		return left
	}
	if left := reduce(sound); len(left) > 0 {
		t.Fatal(left)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"32 bits":           {`, "x86_64"`, ``, "no 64-bit architecture"},
		"unknown maker":     {`NVIDIA`, `Cerebras`, `unknown GPU manufacturer "Cerebras"`},
		"two kinds of GPUs": {`"Gpus": [`, `"Gpus": [{"Manufacturer": "AMD", "Name": "V520", "Count": 1}, `, "2 kinds of accelerators"},
		"two kinds of disk": {`"Disks": [`, `"Disks": [{"Count": 2, "SizeInGB": 5}, `, "2 kinds of disks"},
		"EFA without count": {`"EfaInfo": {"MaximumEfaInterfaces": 1}, `, ``, "EfaSupported is true with 0 EFA interfaces"},
		"other first card":  {`"EfaSupported"`, `"DefaultNetworkCardIndex": 1, "EfaSupported"`, "the default network card is 1"},
		"a gap in cards":    {`"NetworkCardIndex": 0`, `"NetworkCardIndex": 1`, "network card 0 has index 1"},
		"no bandwidth":      {`, "PeakBandwidthInGbps": 10`, ``, "lack interfaces or bandwidth"},
		"unknown usage":     {`"spot"`, `"lease"`, `usage names "lease"`},
		"no description":    {`{"ProcessorInfo"`, `["ProcessorInfo"`, "reading its description"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(sound, c.from, c.to, 1)
			if changed == sound {
				t.Fatalf("%q is not in the description", c.from)
			}
			left := reduce(changed)
			if len(left) != 1 || left[0].Name != "x.large" || !strings.Contains(left[0].Why.Error(), c.want) {
				t.Errorf("left out: %v, want x.large for %q", left, c.want)
			}
		})
	}
}

// TestCardsSayWhetherTheyCarryAnEFA: where EC2 says what a card carries, nobody need know it from elsewhere.
func TestCardsSayWhetherTheyCarryAnEFA(t *testing.T) {
	t.Parallel()
	r, err := record([]byte(strings.Replace(sound, `"NetworkCards": [`, `"NetworkCards": [
		{"NetworkCardIndex": 0, "MaximumNetworkInterfaces": 2, "PeakBandwidthInGbps": 10, "InterfaceTypes": ["interface"]},
		{"NetworkCardIndex": 1, "MaximumNetworkInterfaces": 2, "PeakBandwidthInGbps": 10, "InterfaceTypes": ["efa-only", "interface"]}], "Was": [`, 1)))
	if err != nil || len(r.CardsWithoutEFA) != 1 || r.CardsWithoutEFA[0] != 0 {
		t.Errorf("cards without: %v, %v; want the first", r, err)
	}
}

func TestAnswersThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	for want, set := range map[string]Set{
		"offerings: r offers x.large, which is no known type": {Offerings: Offerings{Regions: map[string]map[string][]string{"r": {"x.large": {"z"}}}}},
		"prices: r has no time of generation": {Prices: Prices{
			Regions: map[string]map[string]float64{"r": {"x.large": 1}}, Generated: map[string]time.Time{"q": {}},
		}},
	} {
		if _, _, err := set.Reduce(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

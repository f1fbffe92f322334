package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func TestRunWritesTheDataFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "data.json")
	if err := run("testdata/types.json", "testdata/offerings.json", "testdata/prices.json", out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
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

func TestRunNamesTheInputThatIsMissing(t *testing.T) {
	t.Parallel()
	err := run("testdata/types.json", "testdata/none.json", "testdata/prices.json", filepath.Join(t.TempDir(), "data.json"))
	if err == nil || !strings.Contains(err.Error(), "testdata/none.json") {
		t.Errorf("got %v", err)
	}
}

// TestWhatARecordCannotHoldIsRefused changes one fact of a sound description at a time.
func TestWhatARecordCannotHoldIsRefused(t *testing.T) {
	t.Parallel()
	const sound = `{"ProcessorInfo": {"SupportedArchitectures": ["i386", "x86_64"]},
		"GpuInfo": {"Gpus": [{"Manufacturer": "NVIDIA", "Name": "T4", "Count": 1, "GpuPartitionSize": 1}]},
		"InstanceStorageInfo": {"Disks": [{"Count": 1, "SizeInGB": 9}], "NvmeSupport": "required"},
		"NetworkInfo": {"EfaSupported": true, "EfaInfo": {"MaximumEfaInterfaces": 1}, "NetworkCards": [{"NetworkCardIndex": 0}]}}`
	reduceOne := func(text string) error {
		types := `{"types": {"x.large": ` + text + `}}`
		_, err := reduce([]byte(types), []byte(`{}`), []byte(`{}`))
		return err
	}
	if err := reduceOne(sound); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"32 bits":           {`, "x86_64"`, ``, "no 64-bit architecture"},
		"unknown maker":     {`NVIDIA`, `Cerebras`, `unknown GPU manufacturer "Cerebras"`},
		"two kinds of GPUs": {`"Gpus": [`, `"Gpus": [{"Manufacturer": "AMD", "Name": "V520", "Count": 1}, `, "2 kinds of accelerators"},
		"two kinds of disk": {`"Disks": [`, `"Disks": [{"Count": 2, "SizeInGB": 5}, `, "2 kinds of disks"},
		"EFA without count": {`"EfaInfo": {"MaximumEfaInterfaces": 1}, `, ``, "EfaSupported is true with 0 EFA interfaces"},
		"other first card":  {`"EfaSupported"`, `"DefaultNetworkCardIndex": 1, "EfaSupported"`, "the default network card is 1"},
		"a gap in cards":    {`"NetworkCardIndex": 0`, `"NetworkCardIndex": 1`, "network card 0 has index 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(sound, c.from, c.to, 1)
			if changed == sound {
				t.Fatalf("%q is not in the description", c.from)
			}
			err := reduceOne(changed)
			if err == nil || !strings.Contains(err.Error(), "x.large: "+c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestInputsThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ types, offerings, prices, want string }{
		"types":             {`[]`, `{}`, `{}`, "instance types: "},
		"offerings":         {`{}`, `[]`, `{}`, "offerings: "},
		"prices":            {`{}`, `{}`, `[]`, "prices: "},
		"unknown offered":   {`{}`, `{"regions": {"r": {"x.large": ["z"]}}}`, `{}`, "r offers x.large, which is no known type"},
		"price with no day": {`{}`, `{}`, `{"regions": {"r": {"x.large": 1}}}`, "r has no time of generation"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := reduce([]byte(c.types), []byte(c.offerings), []byte(c.prices))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

package dataset

import (
	"strings"
	"testing"
)

const generated = `{"types": {"a.large": {"arch": "arm64", "vcpus": 2, "accelerator": {"maker": "m", "name": "n", "count": 4}}}}`

// decode reads a generated file with additions.
func decode(generated, additions string) (*File, error) {
	f, err := Decode([]byte(generated))
	if err != nil {
		return nil, err
	}
	return f, f.Add([]byte(additions))
}

func TestDecodeLaysAdditionsOver(t *testing.T) {
	t.Parallel()
	f, err := decode(generated, `{"types": {
		"a.large": {"source": "s", "vcpus": 3, "accelerator": {"count": 8}},
		"b.large": {"source": "s", "arch": "x86_64"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	a := f.Types["a.large"]
	if a.Arch != "arm64" || a.VCPUs != 3 || *a.Accelerator != (Accelerator{Maker: "m", Name: "n", Count: 8}) {
		t.Errorf("a.large is %+v with %+v", *a, *a.Accelerator)
	}
	if b := f.Types["b.large"]; b == nil || b.Arch != "x86_64" {
		t.Errorf("b.large is %+v", b)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ generated, additions, want string }{
		"broken data":      {`[]`, `{"types": {}}`, "reading the generated data"},
		"broken additions": {generated, `[]`, "reading the additions"},
		"unknown part":     {generated, `{"type": {}}`, `unknown field "type"`},
		"unknown key":      {generated, `{"types": {"a.large": {"source": "s", "gpu": 1}}}`, `a.large: json: unknown field "gpu"`},
		"unknown deep key": {generated, `{"types": {"a.large": {"source": "s", "disks": {"size": 1}}}}`, `a.large: json: unknown field "size"`},
		"no source":        {generated, `{"types": {"a.large": {"vcpus": 1}}}`, "a.large names no source"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := decode(c.generated, c.additions); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestCurrency(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{"cn-north-1": "CNY", "us-gov-west-1": "USD", "ca-central-1": "USD"} {
		if got := Currency(region); got != want {
			t.Errorf("%s: %s, want %s", region, got, want)
		}
	}
}

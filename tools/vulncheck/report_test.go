package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	t.Parallel()
	module := vulnerability{"GO-1", "A flaw", "example.com/m", "v1.0.0", "v1.2.3", "cmd/run.go:9 → cmd.run → p.Bad"}
	unfixed := vulnerability{"GO-2", "Another", "example.com/m", "v1.0.0", "", "cmd/run.go:9 → cmd.run → p.Worse"}
	std := vulnerability{"GO-3", "A flaw of Go", stdlib, "v1.26.8", "v1.26.9", "cmd/run.go:9 → cmd.run → os.Open"}
	later := vulnerability{"GO-4", "Another of Go", stdlib, "v1.26.8", "v1.26.10", "cmd/run.go:9 → cmd.run → os.Open"}
	for name, c := range map[string]struct {
		result result
		fails  bool
		want   string
	}{
		"clean": {
			result{Go: "go1.26.8", Unreached: 2}, false,
			"vulncheck: known vulnerabilities that our code reaches in the modules it is built with: 0\n" +
				"vulncheck: 2 more in what is built in but never called\n",
		},
		"modules": {
			result{Go: "go1.26.8", Reached: []vulnerability{module, unfixed}}, true,
			"vulncheck: known vulnerabilities that our code reaches in the modules it is built with: 2\n" +
				"  GO-1  A flaw\n      cmd/run.go:9 → cmd.run → p.Bad\n" +
				"      example.com/m@v1.0.0, fixed in v1.2.3: go get example.com/m@v1.2.3\n" +
				"  GO-2  Another\n      cmd/run.go:9 → cmd.run → p.Worse\n" +
				"      example.com/m@v1.0.0, not fixed in any version: do without what is called\n",
		},
		"the standard library": {
			result{Go: "go1.26.8", Reached: []vulnerability{later, std}}, false,
			"vulncheck: known vulnerabilities that our code reaches in the modules it is built with: 0\n" +
				"vulncheck: warning: 2 in the standard library of go1.26.8, fixed in go1.26.10: build with that\n" +
				"  GO-4  Another of Go\n  GO-3  A flaw of Go\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			fails, err := c.result.write(&out)
			if err != nil {
				t.Fatal(err)
			}
			if fails != c.fails {
				t.Errorf("fails is %v, want %v", fails, c.fails)
			}
			if out.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", out.String(), c.want)
			}
		})
	}
}

package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/util/json" // whole numbers stay whole, as the API server reads them
)

// The modules that hold charts and definitions.
const (
	rook  = "github.com/rook/rook"
	fluid = "github.com/fluid-cloudnative/fluid"
)

// ofModule returns the path of a file or folder in a module of go.mod.
func ofModule(t testing.TB, module string, path ...string) string {
	t.Helper()
	dir, err := moduleDir(module)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(append([]string{dir}, path...)...)
}

// moduleDir asks Go once where each module is.
var moduleDir = func() func(string) (string, error) {
	dirs := sync.OnceValues(func() (map[string]string, error) {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}", rook, fluid).Output()
		found := map[string]string{}
		for line := range strings.Lines(string(out)) {
			path, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
			found[path] = dir
		}
		return found, err
	})
	return func(module string) (string, error) {
		all, err := dirs()
		return all[module], err
	}
}()

// entry is one thing that a component registers: a release, or an object.
type entry struct {
	Chart     string         `json:"chart"`
	Version   string         `json:"version"`
	Name      string         `json:"name"`
	Namespace string         `json:"namespace"`
	Values    map[string]any `json:"values"`
	Object    map[string]any `json:"object"`
}

// cases returns what the components' tests wrote, by the name of the case.
func cases(t testing.TB) map[string][]entry {
	t.Helper()
	paths, err := filepath.Glob("../../components/*/testdata/charts/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	all := map[string][]entry{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var list []entry
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = list
	}
	return all
}

// releases returns the releases of a chart, by the name of their case.
func releases(t testing.TB, chart string) map[string]entry {
	t.Helper()
	found := map[string]entry{}
	for name, list := range cases(t) {
		for _, e := range list {
			if e.Chart == chart {
				found[name] = e
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("no case has a release of %s", chart)
	}
	return found
}

package charts

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// upstream is a chart in a module.
type upstream struct {
	name, module string
	path         []string
	// version is what go.mod pins, as a release has to name it.
	version string
	// libraries are charts beside it that its templates use.
	libraries []string
	// elsewhere are subcharts that come in no module: what is below their names is theirs.
	elsewhere []string
}

func upstreams() []upstream {
	charts := []string{"deploy", "charts"}
	return []upstream{
		{name: "rook-ceph", module: rook, path: append(charts, "rook-ceph"), version: "v1.20.6", libraries: []string{"library"}, elsewhere: []string{"ceph-csi-operator"}},
		{name: "rook-ceph-cluster", module: rook, path: append(charts, "rook-ceph-cluster"), version: "v1.20.6", libraries: []string{"library"}},
		{name: "fluid", module: fluid, path: []string{"charts", "fluid", "fluid"}, version: "1.0.8"},
	}
}

// load reads a chart with its libraries.
func (u upstream) load(t testing.TB) *chart.Chart {
	t.Helper()
	c := read(t, ofModule(t, u.module, u.path...))
	for _, library := range u.libraries {
		c.AddDependency(read(t, ofModule(t, u.module, append(slices.Clone(u.path[:len(u.path)-1]), library)...)))
	}
	c.Metadata.Dependencies = slices.DeleteFunc(c.Metadata.Dependencies, func(d *chart.Dependency) bool { return slices.Contains(u.elsewhere, d.Name) })
	return c
}

func read(t testing.TB, dir string) *chart.Chart {
	t.Helper()
	c, err := loader.LoadDir(dir)
	if err != nil {
		t.Fatalf("reading the chart in %s: %v", dir, err)
	}
	return c
}

// render returns everything that a chart renders with values, as one text, or Helm's error. Helm checks the values against
// the chart's schema where it has one.
func render(c *chart.Chart, e entry, values map[string]any) (string, error) {
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = chartutil.KubeVersion{Version: "v1.35.0", Major: "1", Minor: "35"}
	capabilities.APIVersions = append(capabilities.APIVersions, "monitoring.coreos.com/v1")
	if err := chartutil.ProcessDependenciesWithMerge(c, values); err != nil {
		return "", err
	}
	merged, err := chartutil.ToRenderValues(c, values, chartutil.ReleaseOptions{Name: e.Name, Namespace: e.Namespace, IsInstall: true}, capabilities)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(c, merged)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, "NOTES.txt") {
			text.WriteString("\n---\n" + files[name])
		}
	}
	return text.String(), nil
}

func TestChartsRenderWithOurValues(t *testing.T) {
	t.Parallel()
	for _, u := range upstreams() {
		for name, e := range releases(t, u.name) {
			t.Run(u.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				if e.Version != u.version {
					t.Errorf("the release is of %s, and go.mod has the chart of %s", e.Version, u.version)
				}
				text, err := render(u.load(t), e, e.Values)
				if err != nil || !strings.Contains(text, "kind:") {
					t.Errorf("it renders %d characters: %v", len(text), err)
				}
			})
		}
	}
}

func TestChartsReadEveryValueOfOurs(t *testing.T) {
	t.Parallel()
	for _, u := range upstreams() {
		for name, e := range releases(t, u.name) {
			t.Run(u.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				for _, path := range unread(t, u, e) {
					t.Errorf("the chart reads no value %s", path)
				}
			})
		}
	}
}

// What the test above is for: a chart takes a misspelt value without a word.
func TestMisspeltValuesAreFound(t *testing.T) {
	t.Parallel()
	for chart, misspelt := range map[string]map[string]any{
		"rook-ceph":         {"priorityClass": "x"},
		"rook-ceph-cluster": {"monitoring": map[string]any{"createPrometheusRule": true}},
		"fluid":             {"csi": map[string]any{"featureGate": "FuseRecovery=true"}},
	} {
		u := upstreams()[slices.IndexFunc(upstreams(), func(u upstream) bool { return u.name == chart })]
		e := entry{Chart: chart, Name: chart, Namespace: "x", Values: misspelt}
		if _, err := render(u.load(t), e, e.Values); err != nil {
			t.Errorf("%s: Helm itself refuses %v: %v", chart, misspelt, err)
		}
		if got := unread(t, u, e); len(got) != 1 {
			t.Errorf("%s: found %v", chart, got)
		}
	}
}

// unread returns the paths of the values that a chart does not read: with another value there, it renders to the same.
func unread(t *testing.T, u upstream, e entry) []string {
	t.Helper()
	with := func(values map[string]any) string {
		text, err := render(u.load(t), e, values)
		if err != nil {
			return "refused: " + err.Error()
		}
		return text
	}
	as := with(e.Values)
	var paths []string
	for _, l := range leaves(nil, e.Values) {
		if with(other(e.Values, l)) == as {
			paths = append(paths, strings.Join(l, "."))
		}
	}
	return paths
}

// leaves returns the paths of all values that are no maps, and of maps that are empty. A list is one value.
func leaves(at []string, values map[string]any) [][]string {
	var all [][]string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		path := append(slices.Clone(at), key)
		if below, ok := values[key].(map[string]any); ok && len(below) > 0 {
			all = append(all, leaves(path, below)...)
		} else {
			all = append(all, path)
		}
	}
	return all
}

// other returns values with another one at a path.
func other(values map[string]any, path []string) map[string]any {
	out := maps.Clone(values)
	if len(path) > 1 {
		out[path[0]] = other(values[path[0]].(map[string]any), path[1:])
		return out
	}
	switch v := values[path[0]].(type) {
	case string:
		out[path[0]] = v + "-probe"
	case bool:
		out[path[0]] = !v
	case int64:
		out[path[0]] = v + 1
	case []any:
		out[path[0]] = append(slices.Clone(v), map[string]any{"name": "probe", "spec": map[string]any{}, "storageClass": map[string]any{}})
	default:
		out[path[0]] = map[string]any{"probe": "probe"}
	}
	return out
}

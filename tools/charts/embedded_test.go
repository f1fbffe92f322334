package charts

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write what the embedded cloud embeds anew")

const embedded = "../../sim/kubernetes"

// embeddedKinds are the kinds that the embedded cloud judges, and the chart that brings the definition of each.
var embeddedKinds = map[string]string{
	"ceph.rook.io/v1 CephCluster": "rook-ceph", "ceph.rook.io/v1 CephBlockPool": "rook-ceph", "ceph.rook.io/v1 CephFilesystem": "rook-ceph",
	"ceph.rook.io/v1 CephFilesystemSubVolumeGroup": "rook-ceph", "ceph.rook.io/v1 CephObjectStore": "rook-ceph",
	"data.fluid.io/v1alpha1 Dataset": "fluid", "data.fluid.io/v1alpha1 AlluxioRuntime": "fluid", "data.fluid.io/v1alpha1 DataLoad": "fluid",
}

func TestEmbeddedDefinitionsAreUpstreams(t *testing.T) {
	t.Parallel()
	all := definitions(t)
	for name, chart := range embeddedKinds {
		d, ok := all[name]
		if !ok {
			t.Fatalf("no definition of %s", name)
		}
		text, err := json.Marshal(d.schema.Properties["spec"])
		if err != nil {
			t.Fatal(err)
		}
		var spec map[string]any
		if err := json.Unmarshal(text, &spec); err != nil {
			t.Fatal(err)
		}
		text, err = json.Marshal(map[string]any{
			"APIVersion": d.apiVersion(), "Kind": d.kind, "Chart": chart, "Namespaced": true, "Spec": withoutProse(spec),
		})
		if err != nil {
			t.Fatal(err)
		}
		same(t, filepath.Join(embedded, "crds", strings.ToLower(d.kind)+".json"), string(text)+"\n")
	}
}

// withoutProse leaves out of a schema what the embedded cloud does not judge by.
func withoutProse(s map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range s {
		switch key {
		case "description", "title", "example", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type", "x-kubernetes-validations", "anyOf", "oneOf", "default", "format":
		case "properties":
			below := map[string]any{}
			for name, property := range value.(map[string]any) {
				below[name] = withoutProse(property.(map[string]any))
			}
			out[key] = below
		case "items", "additionalProperties":
			if schema, ok := value.(map[string]any); ok {
				value = withoutProse(schema)
			}
			out[key] = value
		default:
			out[key] = value
		}
	}
	return out
}

func TestEmbeddedKeysAreUpstreams(t *testing.T) {
	t.Parallel()
	for _, u := range upstreams() {
		text, err := os.ReadFile(ofModule(t, u.module, append(slices.Clone(u.path), "values.yaml")...))
		if err != nil {
			t.Fatal(err)
		}
		var values map[string]any
		if err := yaml.Unmarshal(text, &values); err != nil {
			t.Fatal(err)
		}
		list := fmt.Sprintf("# The value keys of the chart %s %s. A key without any below it takes anything.\n# Source: %s, %s/values.yaml.\n",
			u.name, u.version, u.module, strings.Join(u.path, "/"))
		for _, path := range keysOf("", values) {
			list += path + "\n"
		}
		same(t, filepath.Join(embedded, "charts", u.name+"-"+u.version+".txt"), list)
	}
}

// keysOf returns the paths of values. The specification of a Ceph cluster is judged by its definition.
func keysOf(at string, values map[string]any) []string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if strings.Contains(key, ".") {
			continue
		}
		path := strings.TrimPrefix(at+"."+key, ".")
		if below, ok := values[key].(map[string]any); ok && len(below) > 0 && path != "cephClusterSpec" {
			all = append(all, keysOf(path, below)...)
		} else {
			all = append(all, path)
		}
	}
	return all
}

// same holds that a file has a text, or writes it.
func same(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the module has (%v): run the test with -update and read the difference", path, err)
	}
}

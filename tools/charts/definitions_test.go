package charts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// definition is the definition of a kind of custom resource, at its one served version.
type definition struct {
	group, version, kind string
	schema               *apiextensionsv1.JSONSchemaProps
}

func (d definition) apiVersion() string { return d.group + "/" + d.version }

// definitions reads the definitions of Rook, of the operator of its CSI drivers, and of Fluid, by API version and kind.
func definitions(t testing.TB) map[string]definition {
	t.Helper()
	files := []string{ofModule(t, rook, "deploy", "examples", "crds.yaml"), ofModule(t, rook, "deploy", "examples", "csi-operator.yaml")}
	of, err := filepath.Glob(ofModule(t, fluid, "charts", "fluid", "fluid", "crds", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]definition{}
	for _, file := range append(files, of...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range documents(t, string(text)) {
			var crd apiextensionsv1.CustomResourceDefinition
			if err := yaml.Unmarshal(doc, &crd); err != nil || crd.Kind != "CustomResourceDefinition" {
				continue // something else
			}
			for _, v := range crd.Spec.Versions {
				if v.Storage {
					d := definition{crd.Spec.Group, v.Name, crd.Spec.Names.Kind, v.Schema.OpenAPIV3Schema}
					all[d.apiVersion()+" "+d.kind] = d
				}
			}
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d definitions were found", len(all))
	}
	return all
}

// documents splits a text of several YAML documents.
func documents(t testing.TB, text string) [][]byte {
	t.Helper()
	reader := utilyaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader([]byte(text))))
	defer reader.Close()
	var all [][]byte
	for {
		buffer := make([]byte, 4<<20)
		n, err := reader.Read(buffer)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, buffer[:n])
	}
}

// judge returns what the API server has against an object: values that the schema or its rules refuse, and fields that it
// does not know, which it would drop.
func (d definition) judge(t testing.TB, object map[string]any) []string {
	t.Helper()
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(d.schema, &props, nil); err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(&props)
	if err != nil {
		t.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(&props)
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, e := range validation.ValidateCustomResource(nil, object, validator) {
		problems = append(problems, e.Error())
	}
	if rules := cel.NewValidator(structural, true, celconfig.PerCallLimit); rules != nil && len(problems) == 0 {
		errs, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
		for _, e := range errs {
			problems = append(problems, e.Error())
		}
	}
	for _, path := range pruning.PruneWithOptions(object, structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		problems = append(problems, "unknown field "+path)
	}
	return problems
}

// find returns the definition of an object's kind. Kinds of Kubernetes itself, and those whose definitions come in no
// module, have none here: the embedded cloud has types of its own for them.
func find(all map[string]definition, object map[string]any) (definition, bool) {
	d, ok := all[fmt.Sprintf("%s %s", object["apiVersion"], object["kind"])]
	return d, ok
}

func TestCustomResourcesAreLegal(t *testing.T) {
	t.Parallel()
	all := definitions(t)
	kinds := map[string]bool{}
	for name, list := range cases(t) {
		for _, e := range list {
			d, ok := find(all, e.Object)
			if !ok {
				continue
			}
			kinds[d.kind] = true
			for _, p := range d.judge(t, e.Object) {
				t.Errorf("%s: %s: %s", name, d.kind, p)
			}
		}
	}
	for _, kind := range []string{"CephBlockPool", "CephFilesystem", "CephFilesystemSubVolumeGroup", "CephObjectStore", "Dataset", "AlluxioRuntime", "DataLoad"} {
		if !kinds[kind] {
			t.Errorf("no case has a %s", kind)
		}
	}
}

func TestChartsRenderLegalCustomResources(t *testing.T) {
	t.Parallel()
	all := definitions(t)
	for _, u := range upstreams() {
		for name, e := range releases(t, u.name) {
			t.Run(u.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				text, err := render(u.load(t), e, e.Values)
				if err != nil {
					t.Fatal(err)
				}
				judged := 0
				for _, doc := range documents(t, text) {
					var object map[string]any
					asJSON, err := yaml.YAMLToJSON(doc)
					if err != nil {
						t.Fatal(err)
					}
					if err := json.Unmarshal(asJSON, &object); err != nil {
						t.Fatal(err)
					}
					d, ok := find(all, object)
					if !ok {
						continue
					}
					judged++
					for _, p := range d.judge(t, object) {
						t.Errorf("%s %v: %s", d.kind, object["metadata"], p)
					}
				}
				if u.name == "rook-ceph-cluster" && judged != 1 {
					t.Errorf("it renders %d custom resources, wanted the cluster alone", judged)
				}
			})
		}
	}
}

// The chart ceph-csi-drivers comes in no module. It writes the values of a driver, and the defaults of all, into custom
// resources field by field; but for a name, a switch, and the switch of log rotation, they are the fields' names.
// Source: ceph-csi-operator 1.0.4, chart ceph-csi-drivers, templates/driver.yaml and templates/operatorConfig.yaml.
func TestDriversAreLegal(t *testing.T) {
	t.Parallel()
	all := definitions(t)
	spec := func(values map[string]any, without ...string) map[string]any {
		for _, key := range without {
			delete(values, key)
		}
		if log, ok := values["log"].(map[string]any); ok {
			delete(log["rotation"].(map[string]any), "enabled")
			delete(log, "rotation") // off: the chart leaves it out
		}
		return values
	}
	for of, e := range releases(t, "ceph-csi-drivers") {
		config := e.Values["operatorConfig"].(map[string]any)
		objects := []map[string]any{{"apiVersion": "csi.ceph.io/v1", "kind": "OperatorConfig", "metadata": map[string]any{"name": "x"},
			"spec": map[string]any{"driverSpecDefaults": spec(config["driverSpecDefaults"].(map[string]any))}}}
		for _, driver := range e.Values["drivers"].(map[string]any) {
			values := driver.(map[string]any)
			name := values["name"].(string)
			if !strings.HasPrefix(name, config["namespace"].(string)+".") {
				t.Errorf("the driver %s does not begin with the operator's namespace, and Rook's storage classes name it so", name)
			}
			if values["enabled"] == true && values["snapshotPolicy"] != "volumeSnapshot" {
				t.Errorf("the driver %s takes no snapshots", name)
			}
			objects = append(objects, map[string]any{"apiVersion": "csi.ceph.io/v1", "kind": "Driver", "metadata": map[string]any{"name": name}, "spec": spec(values, "enabled", "name")})
		}
		for _, object := range objects {
			d, ok := find(all, object)
			if !ok {
				t.Fatalf("no definition of %v", object["kind"])
			}
			for _, p := range d.judge(t, object) {
				t.Errorf("%s: %s: %s", of, d.kind, p)
			}
		}
	}
}

func TestBadCustomResourcesAreFound(t *testing.T) {
	t.Parallel()
	all := definitions(t)
	for _, c := range []struct {
		kind string
		spec map[string]any
		want string
	}{
		{"ceph.rook.io/v1 CephBlockPool", map[string]any{"failureDomains": "zone"}, "unknown field spec.failureDomains"},
		{"ceph.rook.io/v1 CephBlockPool", map[string]any{"replicated": map[string]any{"size": "three"}}, "must be of type integer"},
		{"ceph.rook.io/v1 CephFilesystem", map[string]any{}, "Required value"},
		{"data.fluid.io/v1alpha1 Dataset", map[string]any{"placement": "Alone"}, "Unsupported value"},
		{"csi.ceph.io/v1 Driver", map[string]any{"snapshotPolicy": "all"}, "Unsupported value"},
	} {
		d := all[c.kind]
		group, kind, _ := strings.Cut(c.kind, " ")
		got := strings.Join(d.judge(t, map[string]any{"apiVersion": group, "kind": kind, "metadata": map[string]any{"name": "x"}, "spec": c.spec}), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s %v: got %q, want %q", c.kind, c.spec, got, c.want)
		}
	}
}

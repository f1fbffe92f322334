package blueprint

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// A textDump writes a model as one line a value: its path, the value, and the line it was written on or "default".
type textDump struct{ strings.Builder }

func (d *textDump) blueprint(b *Blueprint) {
	d.value("environment", reflect.ValueOf(b.Environment))
	d.value("network", reflect.ValueOf(b.Network))
	for _, p := range b.NodePools {
		d.value("node_pool."+p.Name.Value, reflect.ValueOf(*p))
	}
	for _, p := range b.NodeProfiles {
		d.value("node_profile."+p.Name.Value, reflect.ValueOf(*p))
		d.value("node_profile."+p.Name.Value+".resolved", reflect.ValueOf(p.Resolved()))
	}
	for _, s := range b.Storage {
		d.value("storage."+s.Name.Value, reflect.ValueOf(*s))
	}
	for _, c := range b.Caches {
		d.value("cache."+c.Name.Value, reflect.ValueOf(*c))
	}
	for _, s := range b.Serverless {
		d.value("serverless."+s.Name.Value, reflect.ValueOf(*s))
	}
	d.value("platform", reflect.ValueOf(b.Platform))
	for _, v := range b.Variables {
		fmt.Fprintf(d, "variable.%s from %s\n", v.Name.Value, v.Source)
	}
}

func (d *textDump) diagnostics(t *testing.T, diags *Diagnostics) {
	t.Helper()
	d.WriteString("---\n")
	if err := diags.Write(d, 100, false); err != nil {
		t.Fatal(err)
	}
}

func (d *textDump) value(path string, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return
	case isValue(v.Type()):
		d.leaf(path, v)
	case v.Type() == reflect.TypeFor[*NodeProfile]():
		fmt.Fprintf(d, "%s = node_profile.%s\n", path, v.Interface().(*NodeProfile).Name.Value)
	case v.Kind() == reflect.Pointer:
		d.value(path, v.Elem())
	case v.Kind() == reflect.Map:
		keys := map[string]reflect.Value{}
		for _, k := range v.MapKeys() {
			keys[k.String()] = v.MapIndex(k)
		}
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			fmt.Fprintf(d, "%s[%q] = %v\n", path, k, keys[k])
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if typ, ok := v.Index(i).Interface().(*catalog.InstanceType); ok {
				fmt.Fprintf(d, "%s[%d] = %s\n", path, i, typ.Name)
				continue
			}
			d.value(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && f.Type != reflect.TypeFor[hcl.Range]() && f.Type != reflect.TypeFor[map[string]hcl.Range]() {
				d.value(path+"."+f.Name, v.Field(i))
			}
		}
	case !v.IsZero():
		fmt.Fprintf(d, "%s = %v\n", path, v)
	}
}

func (d *textDump) leaf(path string, v reflect.Value) {
	at := v.FieldByName("Range").Interface().(hcl.Range)
	inner := v.Field(0)
	if at == (hcl.Range{}) && inner.IsZero() {
		return
	}
	where := "default"
	if at != (hcl.Range{}) {
		where = fmt.Sprintf("line %d", at.Start.Line)
	}
	fmt.Fprintf(d, "%s = %s (%s)\n", path, leafText(inner), where)
}

func leafText(v reflect.Value) string {
	switch target := v.Interface().(type) {
	case *Storage:
		return "storage." + target.Name.Value
	case *NodePool:
		return "node_pool." + target.Name.Value
	case time.Duration:
		return formatDuration(target)
	case string:
		return fmt.Sprintf("%q", target)
	}
	return fmt.Sprint(v)
}

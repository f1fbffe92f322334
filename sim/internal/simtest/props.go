package simtest

import (
	"maps"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

var reference = regexp.MustCompile(`\$\{([^}]+)\}`)

// Props returns m as properties, with its ${references} resolved.
func (w *World) Props(m M) resource.PropertyMap {
	w.t.Helper()
	return resource.NewPropertyMapFromMapRepl(m, nil, func(v any) (resource.PropertyValue, bool) {
		switch v := v.(type) {
		case resource.PropertyValue:
			return v, true
		case string:
			return resource.NewProperty(w.Expand(v)), true
		default:
			return resource.PropertyValue{}, false
		}
	})
}

// Expand resolves the ${references} in text.
func (w *World) Expand(text string) string {
	w.t.Helper()
	return reference.ReplaceAllStringFunc(text, func(match string) string {
		name, output, isOutput := strings.Cut(strings.Trim(match, "${}"), ".")
		m, ok := w.Made[name]
		if !ok {
			w.t.Fatalf("%s names nothing that was made", match)
		}
		if !isOutput {
			return m.ID
		}
		value := engine.Props(m.Outputs).Str(output)
		if value == "" {
			w.t.Fatalf("%s is no output with a value", match)
		}
		return value
	})
}

// With returns m with some properties set anew; a nil takes one away.
func With(m M, changes M) M {
	out := maps.Clone(m)
	for k, v := range changes {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = v
		}
	}
	return out
}

// SetPath returns props with value at path, making what lies on the way. It serves tests that know of an
// argument only the path.
func SetPath(props resource.PropertyMap, path, value string) resource.PropertyMap {
	out := props.Copy()
	step, rest, more := strings.Cut(path, ".")
	name, isList := strings.CutSuffix(step, "[*]")
	v := resource.NewProperty(value)
	if more {
		v = resource.NewProperty(SetPath(resource.PropertyMap{}, rest, value))
	}
	if isList {
		v = resource.NewProperty([]resource.PropertyValue{v})
	}
	out[resource.PropertyKey(name)] = v
	return out
}

package schema

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
)

// Problem is one way in which a value does not fit its type.
type Problem struct {
	Path   string // as users write it: networkInterfaces[0].deviceIndex
	Reason string // what was got, what was wanted, what to do
}

// Check returns every way in which props do not fit t, an Object. required names the lists and maps that must be
// given although the SDK's type cannot say so. Unknown values fit every type; secrets are looked through.
func (t *Type) Check(props resource.PropertyMap, required ...string) []Problem {
	var c checker
	c.object("", t, props)
	for _, name := range required {
		if v, ok := props[resource.PropertyKey(name)]; !ok || isEmpty(v) {
			c.add(name, "missing: give at least one element")
		}
	}
	return c.problems
}

type checker struct{ problems []Problem }

func (c *checker) add(path, format string, args ...any) {
	c.problems = append(c.problems, Problem{path, fmt.Sprintf(format, args...)})
}

func (c *checker) object(path string, t *Type, props resource.PropertyMap) {
	for _, key := range props.StableKeys() {
		name := string(key)
		if strings.HasPrefix(name, "__") {
			continue // the engine's own bookkeeping, such as __defaults
		}
		if f := t.Field(name); f != nil {
			c.value(join(path, name), f.Type, props[key])
			continue
		}
		c.add(join(path, name), "unknown property%s", suggest(name, t.Names()))
	}
	for _, f := range t.Fields {
		if v, ok := props[resource.PropertyKey(f.Name)]; !f.Optional && (!ok || v.IsNull()) {
			c.add(join(path, f.Name), "missing: %s %s is required", article(f.Type.Kind), f.Type.Kind)
		}
	}
}

func (c *checker) value(path string, t *Type, v resource.PropertyValue) {
	v = Plain(v)
	if v.IsNull() || IsUnknown(v) || t.Kind == Any {
		return
	}
	if !fits(t.Kind, v) {
		c.add(path, "got %s, wanted %s %s", describe(v), article(t.Kind), t.Kind)
		return
	}
	switch t.Kind {
	case List:
		for i, e := range v.ArrayValue() {
			c.value(fmt.Sprintf("%s[%d]", path, i), t.Elem, e)
		}
	case Map:
		for _, key := range v.ObjectValue().StableKeys() {
			c.value(fmt.Sprintf("%s[%q]", path, key), t.Elem, v.ObjectValue()[key])
		}
	case Object:
		c.object(path, t, v.ObjectValue())
	}
}

func fits(k Kind, v resource.PropertyValue) bool {
	switch k {
	case Bool:
		return v.IsBool()
	case Int:
		return v.IsNumber() && v.NumberValue() == math.Trunc(v.NumberValue())
	case Number:
		return v.IsNumber()
	case String:
		return v.IsString()
	case List:
		return v.IsArray()
	case Map, Object:
		return v.IsObject()
	default:
		return v.IsAsset() || v.IsArchive()
	}
}

// Plain unwraps secrets and outputs, so that only the value itself is left.
func Plain(v resource.PropertyValue) resource.PropertyValue {
	for {
		switch {
		case v.IsSecret():
			v = v.SecretValue().Element
		case v.IsOutput() && v.OutputValue().Known:
			v = v.OutputValue().Element
		default:
			return v
		}
	}
}

// IsUnknown says whether v itself is not known yet, as happens in previews.
func IsUnknown(v resource.PropertyValue) bool {
	return v.IsComputed() || v.IsOutput()
}

func isEmpty(v resource.PropertyValue) bool {
	v = Plain(v)
	return v.IsNull() || v.IsArray() && len(v.ArrayValue()) == 0 || v.IsObject() && len(v.ObjectValue()) == 0
}

func describe(v resource.PropertyValue) string {
	switch {
	case v.IsString():
		return fmt.Sprintf("the string %q", v.StringValue())
	case v.IsNumber():
		return fmt.Sprintf("the number %v", v.NumberValue())
	case v.IsBool():
		return fmt.Sprintf("the boolean %v", v.BoolValue())
	case v.IsArray():
		return fmt.Sprintf("a list of %d", len(v.ArrayValue()))
	case v.IsObject():
		return fmt.Sprintf("an object with the keys %v", v.ObjectValue().StableKeys())
	default:
		return "a " + v.TypeString()
	}
}

func article(k Kind) string {
	if strings.ContainsRune("aeiou", rune(k[0])) {
		return "an"
	}
	return "a"
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// suggest returns a clause that names what the author may have meant, or lists what there is when that is short.
func suggest(name string, known []string) string {
	if near := catalog.Near(name, known); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(known) <= 12 {
		sorted := slices.Sorted(slices.Values(known))
		return "; it takes " + strings.Join(sorted, ", ")
	}
	return ""
}

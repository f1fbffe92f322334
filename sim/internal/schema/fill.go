package schema

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// Fill returns props with every field of t that they lack set to its empty value, as the AWS provider reports
// fields nobody set: "" for a string, false, 0, an empty list or map. Nested blocks that nobody set stay out.
func (t *Type) Fill(props resource.PropertyMap) resource.PropertyMap {
	out := props.Copy()
	for _, f := range t.Fields {
		key := resource.PropertyKey(f.Name)
		if v, ok := out[key]; ok && !v.IsNull() {
			continue
		}
		if zero, ok := f.Type.zero(); ok {
			out[key] = zero
		} else if !f.Optional {
			out[key] = resource.NewProperty(f.Type.Fill(resource.PropertyMap{}))
		}
	}
	return out
}

func (t *Type) zero() (resource.PropertyValue, bool) {
	switch t.Kind {
	case Bool:
		return resource.NewProperty(false), true
	case Int, Number:
		return resource.NewProperty(0.0), true
	case String:
		return resource.NewProperty(""), true
	case List:
		return resource.NewProperty([]resource.PropertyValue{}), true
	case Map:
		return resource.NewProperty(resource.PropertyMap{}), true
	default:
		return resource.PropertyValue{}, false
	}
}

// Unknown returns what a preview may say of a resource of type t that takes args and is about to be made with
// props: what was given, and a value not known yet for each field that the cloud will fill in.
func (t *Type) Unknown(props resource.PropertyMap, args *Type) resource.PropertyMap {
	out := resource.PropertyMap{}
	for _, f := range t.Fields {
		key := resource.PropertyKey(f.Name)
		v, given := props[key]
		settable := args.Field(f.Name) != nil
		switch {
		case given && !v.IsNull():
			out[key] = v
		case f.Optional && settable: // left out on purpose: it stays empty
		default:
			out[key] = NewUnknown()
		}
	}
	return out
}

// NewUnknown returns a value that is not known yet.
func NewUnknown() resource.PropertyValue {
	return resource.MakeComputed(resource.NewProperty(""))
}

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Kind is the kind of a property value.
type Kind string

// The kinds a property can have. The zero value is not a kind.
const (
	Bool   Kind = "boolean"
	Int    Kind = "integer"
	Number Kind = "number"
	String Kind = "string"
	List   Kind = "list"
	Map    Kind = "map"
	Object Kind = "object"
	Asset  Kind = "asset or archive"
	Any    Kind = "any value"
)

// Type is the type of a property. It is immutable once made.
type Type struct {
	Kind   Kind
	Elem   *Type    // the elements of a List or Map
	Fields []*Field // the fields of an Object, in the SDK's order
}

// Field is one named property of an Object.
type Field struct {
	Name     string
	Type     *Type
	Optional bool // a pointer in the SDK; lists, maps and "any" are always optional as far as the type says
}

// Field returns the field called name, or nil.
func (t *Type) Field(name string) *Field {
	i := slices.IndexFunc(t.Fields, func(f *Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return t.Fields[i]
}

// Names returns the names of t's fields.
func (t *Type) Names() []string {
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		names[i] = f.Name
	}
	return names
}

// elementTyper is what every input and output type of the Pulumi SDK implements.
type elementTyper interface{ ElementType() reflect.Type }

// Of returns the type of v, which is an SDK argument struct such as ec2.VpcArgs{}, an SDK resource struct such as
// ec2.Vpc{}, or a plain struct with pulumi tags. It panics on anything else: tables are written by programmers.
func Of(v any) *Type {
	t := reflect.TypeOf(v)
	if strings.HasSuffix(t.Name(), "Args") {
		if e, ok := v.(elementTyper); ok { // ec2.VpcArgs{} is made of inputs; its element type is the plain form
			t = e.ElementType()
		}
	}
	return object(deref(t), nil)
}

// object builds the Object type of a struct. seen breaks recursion, which the SDK uses for nested IAM conditions.
func object(t reflect.Type, seen []reflect.Type) *Type {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("schema: %s is not a struct", t))
	}
	if slices.Contains(seen, t) {
		return &Type{Kind: Any}
	}
	seen = append(seen, t)
	o := &Type{Kind: Object}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("pulumi"), ",")
		if name == "" {
			continue
		}
		ft := plain(f.Type)
		o.Fields = append(o.Fields, &Field{Name: name, Type: typeOf(ft, seen), Optional: optional(ft)})
	}
	return o
}

// plain returns the plain type behind an output such as pulumi.StringPtrOutput, and any other type as it is.
func plain(t reflect.Type) reflect.Type {
	if !strings.HasSuffix(t.Name(), "Output") {
		return t
	}
	if e, ok := reflect.Zero(t).Interface().(elementTyper); ok {
		return e.ElementType()
	}
	return t
}

func optional(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	default:
		return false
	}
}

func deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func typeOf(t reflect.Type, seen []reflect.Type) *Type {
	t = deref(t)
	switch t.Kind() {
	case reflect.Bool:
		return &Type{Kind: Bool}
	case reflect.Int, reflect.Int64:
		return &Type{Kind: Int}
	case reflect.Float64:
		return &Type{Kind: Number}
	case reflect.String:
		return &Type{Kind: String}
	case reflect.Slice:
		return &Type{Kind: List, Elem: typeOf(t.Elem(), seen)}
	case reflect.Map:
		return &Type{Kind: Map, Elem: typeOf(t.Elem(), seen)}
	case reflect.Struct:
		return object(t, seen)
	case reflect.Interface:
		if strings.Contains(t.Name(), "Asset") || strings.Contains(t.Name(), "Archive") {
			return &Type{Kind: Asset}
		}
		return &Type{Kind: Any}
	default:
		panic(fmt.Sprintf("schema: %s has no property kind", t))
	}
}

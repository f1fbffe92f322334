package blueprint

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// An object is the schema of a block's body or of an object value. It is read from the tags of a model struct, which
// are the single source of decoding, defaults, the reference and the JSON schema:
//
//	bp:"name"            the attribute's name; ",required" and ",block" may follow
//	doc:"one line"       what it means
//	default:"text"       its value when left out, as a person would write it
//	legal:"a b c"        the only values of a string, or of each string of a list
//	min:"0" max:"9"      bounds of a number; of a size or duration in the field's unit
//	unit:"GiB"           the number is written as a size such as "1TiB" and kept in this unit
//	form:"cidr"          what a string holds, for the reference only: the rules judge it
//	secret:"kept"        a sensitive value may stand here: it goes where only its reader sees it
//
// A field named Range, of type hcl.Range, receives where the whole was written. A field named after a map field with
// "At" added, of type map[string]hcl.Range, receives where each key was written.
type object struct {
	fields  []*field
	rangeAt int // index of Range in the struct, or -1
}

// A field is one attribute or nested block.
type field struct {
	name     string
	index    int
	keysAt   int // index of the map of key ranges, or -1
	typ      reflect.Type
	required bool
	block    bool
	fallback string // the default, as written
	hasDef   bool
	legal    []string
	min, max *float64
	unit     string
	form     string
	secret   bool // a sensitive value may stand here
	doc      string
	ref      *refKind // what it refers to; nil for everything else
}

// schemas builds each object once for a load.
type schemas map[reflect.Type]*object

// of returns the schema of a struct type. A bad tag is a bug of this package, so it panics.
func (s schemas) of(t reflect.Type) *object {
	if o, ok := s[t]; ok {
		return o
	}
	o := &object{rangeAt: -1}
	for i := range t.NumField() {
		sf := t.Field(i)
		tag, tagged := sf.Tag.Lookup("bp")
		switch {
		case tagged:
			o.fields = append(o.fields, newField(t, sf, i, tag))
		case sf.Name == "Range" && sf.Type == reflect.TypeFor[hcl.Range]():
			o.rangeAt = i
		}
	}
	s[t] = o
	return o
}

func newField(t reflect.Type, sf reflect.StructField, index int, tag string) *field {
	parts := strings.Split(tag, ",")
	f := &field{name: parts[0], index: index, keysAt: -1, typ: sf.Type, doc: sf.Tag.Get("doc"), unit: sf.Tag.Get("unit"), form: sf.Tag.Get("form")}
	for _, opt := range parts[1:] {
		switch opt {
		case "required":
			f.required = true
		case "block":
			f.block = true
		default:
			panic(fmt.Sprintf("%s.%s: unknown option %q in its bp tag", t.Name(), sf.Name, opt))
		}
	}
	f.ref = refOf(sf.Type)
	f.fallback, f.hasDef = sf.Tag.Lookup("default")
	f.secret = sf.Tag.Get("secret") == "kept"
	f.legal = strings.Fields(sf.Tag.Get("legal"))
	f.min, f.max = bound(t, sf, "min"), bound(t, sf, "max")
	if at, ok := t.FieldByName(sf.Name + "At"); ok {
		f.keysAt = at.Index[0]
	}
	return f
}

func bound(t reflect.Type, sf reflect.StructField, key string) *float64 {
	text, ok := sf.Tag.Lookup(key)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("%s.%s: tag %s: %v", t.Name(), sf.Name, key, err))
	}
	return &n
}

// names lists the attributes and blocks in the order of the struct.
func (o *object) names() []string {
	out := make([]string, len(o.fields))
	for i, f := range o.fields {
		out[i] = f.name
	}
	return out
}

func (o *object) field(name string) *field {
	for _, f := range o.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// elem is the struct type of an object, block or list of objects; nil for every other field.
func (f *field) elem() reflect.Type {
	t := f.typ
	if f.ref != nil || isValue(t) {
		return nil
	}
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || isValue(t) {
		return nil
	}
	return t
}

// refOf finds the kind of block that a field of a type refers to, or nil.
func refOf(t reflect.Type) *refKind {
	if isValue(t) {
		t = t.Field(0).Type
	}
	for _, k := range refKinds() {
		if t == k.pointer {
			return &k
		}
	}
	return nil
}

// isValue tells a Value[T] from the other structs of a model.
func isValue(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Value[")
}

// typeName says what a person writes there.
func (f *field) typeName() string {
	if f.ref != nil {
		return "reference to a " + f.ref.name
	}
	switch f.typ {
	case reflect.TypeFor[hcl.Expression]():
		return "expression"
	case reflect.TypeFor[Value[string]]():
		return "string"
	case reflect.TypeFor[Value[bool]]():
		return "bool"
	case reflect.TypeFor[Value[int]]():
		if f.unit != "" {
			return "size"
		}
		return "whole number"
	case reflect.TypeFor[Value[float64]]():
		return "number"
	case reflect.TypeFor[Value[time.Duration]]():
		return "duration"
	case reflect.TypeFor[[]Value[string]]():
		return "list of strings"
	case reflect.TypeFor[map[string]string](), reflect.TypeFor[map[string]int]():
		return "map of " + map[reflect.Kind]string{reflect.String: "strings", reflect.Int: "whole numbers"}[f.typ.Elem().Kind()]
	}
	if f.block {
		return "block"
	}
	if f.typ.Kind() == reflect.Slice {
		return "list of objects"
	}
	return "object"
}

package blueprint

import (
	"reflect"
	"strings"
)

// BlockSchema describes a top-level block of the language, for a reference or a JSON schema.
type BlockSchema struct {
	Name, Doc string
	// Labels are what the block's labels are called, in their order.
	Labels []string
	// Once says that a blueprint has at most one.
	Once bool
	// Kinds are the legal first labels where that is "kind", each with arguments of its own; Arguments is empty then.
	Kinds []KindSchema
	// Arguments are the block's arguments and nested blocks. A locals block takes any.
	Arguments []ArgumentSchema
}

// KindSchema describes one kind of a block.
type KindSchema struct {
	Name, Doc string
	Arguments []ArgumentSchema
}

// ArgumentSchema describes an argument, a nested block, or a key of an object.
type ArgumentSchema struct {
	Name, Doc string
	// Type is what a person writes there: string, bool, number, whole number, size, duration, list of strings, map of
	// strings, object, list of objects, block, reference to a node_pool…
	Type string
	// Required says that it cannot be left out.
	Required bool
	// Default is what it is when left out, as it would be written. HasDefault tells an empty default from none.
	Default    string
	HasDefault bool
	// Legal are the only values; empty for any.
	Legal []string
	// Min and Max bound a number; nil for none. Of a size they are in Unit, of a duration in seconds.
	Min, Max *float64
	Unit     string
	// Form says what a string holds, such as "cidr".
	Form string
	// Arguments are those of an object, block, or list of objects.
	Arguments []ArgumentSchema
}

// Schema describes the whole language, in the order of the reference. It is read from what the decoder itself uses.
func Schema() []BlockSchema {
	all := schemas{}
	var out []BlockSchema
	for _, t := range blockTypes() {
		b := BlockSchema{Name: t.Name, Doc: t.Doc, Labels: t.Labels, Once: t.Once}
		if t.model != nil {
			b.Arguments = all.describe(t.model)
		}
		for _, k := range t.Kinds {
			b.Kinds = append(b.Kinds, KindSchema{Name: k.Name, Doc: k.Doc, Arguments: all.describe(k.model)})
		}
		out = append(out, b)
	}
	return out
}

func (s schemas) describe(t reflect.Type) []ArgumentSchema {
	var out []ArgumentSchema
	for _, f := range s.of(t).fields {
		a := ArgumentSchema{
			Name: f.name, Doc: f.doc, Type: f.typeName(), Required: f.required, Default: f.fallback, HasDefault: f.hasDef,
			Legal: f.legal, Min: f.min, Max: f.max, Unit: f.unit, Form: f.form,
		}
		if inner := f.elem(); inner != nil && !strings.HasPrefix(a.Type, "reference") {
			a.Arguments = s.describe(inner)
		}
		out = append(out, a)
	}
	return out
}

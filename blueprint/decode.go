package blueprint

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

const (
	ruleSyntax RuleName = "syntax"
	ruleSchema RuleName = "schema"
)

// A decoder turns bodies and values into model structs, by their schemas. It reports everything that does not fit
// and goes on: what is in error stays at its zero value.
type decoder struct {
	scope   *scope
	schemas schemas
	diags   hcl.Diagnostics
}

func (d *decoder) report(diag *hcl.Diagnostic) {
	d.diags = append(d.diags, named(ruleSchema, hcl.Diagnostics{diag})...)
}

// body decodes the body of a block, whose header stands at a range, into a struct.
func (d *decoder) body(body hcl.Body, at hcl.Range, what string, into reflect.Value) {
	o := d.schemas.of(into.Type())
	o.setRange(into, at)
	found, diags := items(body, o.headers())
	d.diags = append(d.diags, diags...)
	seen := map[string]hcl.Range{}
	for _, it := range found {
		f := o.field(it.name)
		switch {
		case f == nil:
			d.unknown(it.at, it.block != nil, it.name, what, o)
		case f.block && it.block == nil:
			d.report(errorf(it.at, "Block expected", `%q is a block: write %s { … } without "=".`, it.name, it.name))
			settle(into.Field(f.index))
			seen[it.name] = it.at
		case !f.block && it.block != nil:
			d.report(errorf(it.at, "Argument expected", `%q is an argument: write %s = followed by %s.`, it.name, it.name, an(f.typeName())))
			d.fail(into.Field(f.index), it.at)
			seen[it.name] = it.at
		case f.block:
			if first, twice := seen[it.name]; twice {
				d.report(errorf(it.at, "Duplicate block", "This %s already has a %q block, at %s.", what, it.name, position(first)))
				continue
			}
			seen[it.name] = it.at
			if n := len(it.block.Labels); n > 0 {
				d.report(errorf(it.block.LabelRanges[0], "Unexpected label", "A %q block takes no label.", it.name))
			}
			d.body(it.block.Body, it.at, it.name, settle(into.Field(f.index)))
		default:
			if d.attribute(f, it.expr, what, into) {
				seen[it.name] = it.at
			}
		}
	}
	d.missing(o, seen, at, what, into)
}

// missing gives defaults to what was left out, and reports what may not be.
func (d *decoder) missing(o *object, seen map[string]hcl.Range, at hcl.Range, what string, into reflect.Value) {
	for _, f := range o.fields {
		if _, given := seen[f.name]; given {
			continue
		}
		if f.required {
			d.report(errorf(at, "Missing argument", "%s needs %q, %s: %s", capital(an(what)), f.name, an(f.typeName()), f.doc))
			continue
		}
		d.fallback(f, into)
	}
}

// fallback sets a field to its default, and inside a struct every field to its own.
func (d *decoder) fallback(f *field, into reflect.Value) {
	if f.hasDef {
		f.setDefault(into.Field(f.index))
		return
	}
	if t := f.elem(); t != nil && f.typ.Kind() == reflect.Struct {
		for _, inner := range d.schemas.of(t).fields {
			d.fallback(inner, into.Field(f.index))
		}
	}
}

// unknown reports a name that an object does not have.
func (d *decoder) unknown(at hcl.Range, block bool, name, what string, o *object) {
	noun := "argument"
	if block {
		noun = "block"
	}
	names := o.names()
	d.report(errorf(at, "Unknown "+noun, "There is no %s %q in %s.%s Legal here: %s.",
		noun, name, what, d.scope.didYouMean("", name, names), list(names)))
}

// attribute decodes one attribute. It reports whether the attribute counts as given: a null does not.
func (d *decoder) attribute(f *field, expr hcl.Expression, what string, into reflect.Value) bool {
	if target, ok := into.Field(f.index).Addr().Interface().(*hcl.Expression); ok {
		*target = expr
		return true
	}
	v, ok := d.scope.eval(expr)
	if !ok {
		d.fail(into.Field(f.index), expr.Range())
		return true // reported already; a missing value would be a second complaint about the same line
	}
	if v.IsNull() {
		return false
	}
	n := node{v: v, expr: expr, at: expr.Range(), what: f.name}
	if f.typ.Kind() != reflect.Map && f.elem() == nil {
		n.what = fmt.Sprintf("%s of %s", f.name, what)
	}
	d.value(f, n, into)
	return true
}

// fail marks what a value in error should have filled, so that it does not count as left out: a Value is marked, a list
// is made, and a struct gets its range.
func (d *decoder) fail(slot reflect.Value, at hcl.Range) {
	if v, ok := slot.Addr().Interface().(interface{ fail() }); ok {
		v.fail()
		return
	}
	switch slot.Kind() {
	case reflect.Slice:
		slot.Set(reflect.MakeSlice(slot.Type(), 0, 0))
	case reflect.Struct:
		d.schemas.of(slot.Type()).setRange(slot, at)
	}
}

// A node is a value to decode, and where it stands in the source.
type node struct {
	v         cty.Value
	expr      hcl.Expression // nil where the value was computed
	at        hcl.Range
	what      string // for messages
	sensitive bool
}

// open takes the mark off a value.
func (n node) open() node {
	marked := n.v.IsMarked()
	n.v, _ = n.v.Unmark()
	n.sensitive = n.sensitive || marked
	return n
}

// shown is the text of a primitive value for a message.
func (n node) shown() string {
	if n.sensitive || n.v.ContainsMarked() {
		return redacted
	}
	if text, ok := textOf(n.v); ok && n.v.Type() == cty.String {
		return fmt.Sprintf("%q", text)
	} else if ok {
		return text
	}
	return n.v.Type().FriendlyName()
}

// elements splits a list or tuple. Where the list is written out, each element has its own range.
func (n node) elements() []node {
	var exprs []hcl.Expression
	if n.expr != nil {
		if written, diags := hcl.ExprList(n.expr); !diags.HasErrors() && len(written) == n.v.LengthInt() {
			exprs = written
		}
	}
	out := make([]node, 0, n.v.LengthInt())
	for it := n.v.ElementIterator(); it.Next(); {
		_, v := it.Element()
		e := node{v: v, at: n.at, what: "an element of " + n.what, sensitive: n.sensitive}
		if exprs != nil {
			e.expr, e.at = exprs[len(out)], exprs[len(out)].Range()
		}
		out = append(out, e.open())
	}
	return out
}

// An entry is one key of an object with its value.
type entry struct {
	key string
	at  hcl.Range // of the key
	node
}

// entries splits an object or map, in the order of the keys. Where the object is written out, each entry has its own
// range; a key written twice is reported.
func (d *decoder) entries(n node) []entry {
	written := map[string]hcl.KeyValuePair{}
	if n.expr != nil {
		pairs, _ := hcl.ExprMap(n.expr)
		for _, pair := range pairs {
			key := d.keyOf(pair.Key)
			if first, twice := written[key]; twice && key != "" {
				d.report(errorf(pair.Key.Range(), "Duplicate key", "%q is already set in this object, at %s.", key, position(first.Key.Range())))
			}
			written[key] = pair
		}
	}
	out := make([]entry, 0, n.v.LengthInt())
	for it := n.v.ElementIterator(); it.Next(); {
		k, v := it.Element()
		e := entry{key: k.AsString(), at: n.at, node: node{v: v, at: n.at, sensitive: n.sensitive}}
		if pair, ok := written[e.key]; ok {
			e.at, e.expr, e.node.at = pair.Key.Range(), pair.Value, pair.Value.Range()
		}
		e.what = e.key
		e.node = e.open()
		out = append(out, e)
	}
	return out
}

// keyOf is the text of a constant key, or empty.
func (d *decoder) keyOf(expr hcl.Expression) string {
	if word := hcl.ExprAsKeyword(expr); word != "" {
		return word
	}
	if len(expr.Variables()) > 0 {
		return ""
	}
	v, diags := expr.Value(nil)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// position words where something stands.
func position(r hcl.Range) string { return fmt.Sprintf("%s line %d", r.Filename, r.Start.Line) }

// setRange fills the struct's Range, if it has one.
func (o *object) setRange(into reflect.Value, at hcl.Range) {
	if o.rangeAt >= 0 {
		into.Field(o.rangeAt).Set(reflect.ValueOf(at))
	}
}

// headers lists the nested blocks.
func (o *object) headers() []hcl.BlockHeaderSchema {
	var out []hcl.BlockHeaderSchema
	for _, f := range o.fields {
		if f.block {
			out = append(out, hcl.BlockHeaderSchema{Type: f.name})
		}
	}
	return out
}

// settle returns the struct that a field of struct or pointer type holds, made if need be.
func settle(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	v.Set(reflect.New(v.Type().Elem()))
	return v.Elem()
}

// an puts the article before a noun.
func an(noun string) string {
	if strings.ContainsRune("aeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// capital writes the first letter as a capital.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

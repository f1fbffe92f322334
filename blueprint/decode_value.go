package blueprint

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// value decodes a value into a field, by the field's Go type.
func (d *decoder) value(f *field, n node, into reflect.Value) {
	n = n.open()
	d.exposed(f, n)
	slot := into.Field(f.index)
	d.fail(slot, n.at) // until it is filled
	if f.ref != nil {
		d.reference(f.ref, n, slot)
		return
	}
	switch target := slot.Addr().Interface().(type) {
	case *Value[string]:
		if text, ok := d.text(f, n); ok {
			*target = Value[string]{Value: text, Range: n.at, Sensitive: n.sensitive}
		}
	case *Value[bool]:
		if n.v.Type() != cty.Bool {
			d.mismatch(f, n)
			return
		}
		*target = Value[bool]{Value: n.v.True(), Range: n.at, Sensitive: n.sensitive}
	case *Value[int]:
		if i, ok := d.integer(f, n); ok {
			*target = Value[int]{Value: i, Range: n.at, Sensitive: n.sensitive}
		}
	case *Value[float64]:
		if x, ok := d.number(f, n); ok {
			*target = Value[float64]{Value: x, Range: n.at, Sensitive: n.sensitive}
		}
	case *Value[time.Duration]:
		if t, ok := d.duration(f, n); ok {
			*target = Value[time.Duration]{Value: t, Range: n.at, Sensitive: n.sensitive}
		}
	case *[]Value[string]:
		d.texts(f, n, target)
	case *map[string]string:
		*target = d.textMap(f, n, into)
	case *map[string]int:
		*target = d.intMap(f, n, into)
	default:
		d.structured(f, n, slot)
	}
}

// exposed remembers a sensitive value, and refuses it where it would be read by everybody who reads the environment:
// what a blueprint says is in the state, in the cloud and on the nodes as it stands.
func (d *decoder) exposed(f *field, n node) {
	if !n.sensitive {
		return
	}
	d.scope.secrets.add(n.v)
	if f.secret {
		return
	}
	d.report(errorf(n.at, "Sensitive value in the open", "%s is stored readable, in the stack's state and in the cloud, so a sensitive value cannot stand here. "+
		"If it may be read, take `sensitive` off its variable, or give it without `--secret` in the configuration.", n.what))
}

// mismatch reports a value of the wrong type.
func (d *decoder) mismatch(f *field, n node) {
	want := f.typeName()
	hint := ""
	text, isText := textOf(n.v)
	switch {
	case !isText:
	case n.v.Type() == cty.String && want == "bool":
		hint = " Write true or false, without quotes."
	case n.v.Type() == cty.String && (want == "number" || want == "whole number"):
		hint = " Write a number without quotes, or convert one with tonumber."
	case n.v.Type() == cty.Number && want == "string":
		hint = " Write it in quotes."
	case n.v.Type() == cty.Number && want == "size":
		hint = fmt.Sprintf(" Write the unit, in quotes, such as %q.", text+f.unit)
	case n.v.Type() == cty.Number && want == "duration":
		hint = fmt.Sprintf(` Write the unit, in quotes, such as "%ss".`, text)
	}
	d.report(errorf(n.at, "Wrong type", "%s takes %s, and this is %s.%s", n.what, an(want), an(friendlyType(n.v)), hint))
}

// friendlyType names the type of a value as a blueprint's author would.
func friendlyType(v cty.Value) string {
	t := v.Type()
	switch {
	case t.IsCapsuleType():
		return "reference"
	case t.IsTupleType():
		return "list"
	}
	return t.FriendlyName()
}

// text reads a string and judges it by the legal values.
func (d *decoder) text(f *field, n node) (string, bool) {
	if n.v.Type() != cty.String {
		d.mismatch(f, n)
		return "", false
	}
	text := n.v.AsString()
	if len(f.legal) == 0 || slices.Contains(f.legal, text) {
		return text, true
	}
	near := ""
	if !n.sensitive {
		near = d.scope.didYouMean("", text, f.legal)
	}
	d.report(errorf(n.at, "Illegal value", "%s cannot be %s.%s Legal: %s.", n.what, n.shown(), near, list(f.legal)))
	return "", false
}

func (d *decoder) texts(f *field, n node, target *[]Value[string]) {
	if t := n.v.Type(); !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
		d.mismatch(f, n)
		return
	}
	*target = []Value[string]{}
	single := *f
	single.typ = reflect.TypeFor[Value[string]]()
	for _, e := range n.elements() {
		if e.v.IsNull() {
			d.report(errorf(e.at, "Null element", "%s cannot be null.", e.what))
			continue
		}
		if !n.sensitive {
			d.exposed(f, e)
		}
		if text, ok := d.text(&single, e); ok {
			*target = append(*target, Value[string]{Value: text, Range: e.at, Sensitive: e.sensitive})
		}
	}
}

// integer reads a whole number, or a size in the field's unit.
func (d *decoder) integer(f *field, n node) (int, bool) {
	var i int
	switch {
	case f.unit != "":
		if n.v.Type() != cty.String {
			d.mismatch(f, n)
			return 0, false
		}
		size, err := parseSize(n.v.AsString(), f.unit)
		if err != nil {
			d.report(errorf(n.at, "Illegal value", "%s cannot be %s: %s.", n.what, n.shown(), err))
			return 0, false
		}
		i = size
	case n.v.Type() != cty.Number:
		d.mismatch(f, n)
		return 0, false
	default:
		whole, accuracy := n.v.AsBigFloat().Int64()
		if accuracy != big.Exact || whole > math.MaxInt32 || whole < math.MinInt32 {
			d.report(errorf(n.at, "Illegal value", "%s takes a whole number, and this is %s.", n.what, n.shown()))
			return 0, false
		}
		i = int(whole)
	}
	if len(f.legal) > 0 && !slices.Contains(f.legal, strconv.Itoa(i)) {
		d.report(errorf(n.at, "Illegal value", "%s cannot be %s. Legal: %s.", n.what, n.shown(), list(f.legal)))
		return 0, false
	}
	return i, d.within(f, n, float64(i), func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) + f.unit })
}

func (d *decoder) number(f *field, n node) (float64, bool) {
	if n.v.Type() != cty.Number {
		d.mismatch(f, n)
		return 0, false
	}
	x, _ := n.v.AsBigFloat().Float64()
	return x, d.within(f, n, x, func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) })
}

func (d *decoder) duration(f *field, n node) (time.Duration, bool) {
	if n.v.Type() != cty.String {
		d.mismatch(f, n)
		return 0, false
	}
	t, err := parseDuration(n.v.AsString())
	if err != nil {
		d.report(errorf(n.at, "Illegal value", "%s cannot be %s: %s.", n.what, n.shown(), err))
		return 0, false
	}
	return t, d.within(f, n, t.Seconds(), func(x float64) string { return formatDuration(time.Duration(x) * time.Second) })
}

// within judges a number by the field's bounds.
func (d *decoder) within(f *field, n node, x float64, show func(float64) string) bool {
	legal := ""
	switch {
	case f.min != nil && x < *f.min:
		legal = "at least " + show(*f.min)
	case f.max != nil && x > *f.max:
		legal = "at most " + show(*f.max)
	default:
		return true
	}
	d.report(errorf(n.at, "Illegal value", "%s is %s, and must be %s.", n.what, n.shown(), legal))
	return false
}

// textMap reads an object whose values are strings, numbers or bools, all kept as text.
func (d *decoder) textMap(f *field, n node, into reflect.Value) map[string]string {
	out := map[string]string{}
	d.eachKey(f, n, into, func(e entry) {
		text, ok := textOf(e.v)
		if !ok {
			d.report(errorf(e.node.at, "Wrong type", "%s of %s takes a string, number or bool, and this is %s.", e.key, n.what, an(friendlyType(e.v))))
			return
		}
		out[e.key] = text
	})
	return out
}

// intMap reads an object of whole numbers.
func (d *decoder) intMap(f *field, n node, into reflect.Value) map[string]int {
	out := map[string]int{}
	single := *f
	single.typ = reflect.TypeFor[Value[int]]()
	d.eachKey(f, n, into, func(e entry) {
		e.what = fmt.Sprintf("%s of %s", e.key, n.what)
		if i, ok := d.integer(&single, e.node); ok {
			out[e.key] = i
		}
	})
	return out
}

// eachKey walks the entries of a map and keeps where each key was written.
func (d *decoder) eachKey(f *field, n node, into reflect.Value, visit func(entry)) {
	if t := n.v.Type(); !t.IsObjectType() && !t.IsMapType() {
		d.mismatch(f, n)
		return
	}
	at := map[string]hcl.Range{}
	for _, e := range d.entries(n) {
		if e.v.IsNull() {
			d.report(errorf(e.node.at, "Null value", "%s of %s cannot be null: leave the key out.", e.key, n.what))
			continue
		}
		at[e.key] = e.at
		if n.sensitive {
			d.scope.secrets.addText(e.key)
		} else {
			shown := e.node
			shown.what = fmt.Sprintf("%s of %s", e.key, n.what)
			d.exposed(f, shown)
		}
		visit(e)
	}
	if f.keysAt >= 0 {
		into.Field(f.keysAt).Set(reflect.ValueOf(at))
	}
}

// structured reads an object or a list of objects into structs.
func (d *decoder) structured(f *field, n node, slot reflect.Value) {
	t := n.v.Type()
	if slot.Kind() == reflect.Slice {
		if !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
			d.mismatch(f, n)
			return
		}
		slot.Set(reflect.MakeSlice(slot.Type(), 0, n.v.LengthInt()))
		for _, e := range n.elements() {
			if e.v.IsNull() || !e.v.Type().IsObjectType() && !e.v.Type().IsMapType() {
				d.report(errorf(e.at, "Wrong type", "%s takes an object, and this is %s.", e.what, an(friendlyType(e.v))))
				continue
			}
			made := reflect.New(slot.Type().Elem()).Elem()
			e.what = strings.TrimSuffix(f.name, "s")
			d.object(e, made)
			slot.Set(reflect.Append(slot, made))
		}
		return
	}
	if !t.IsObjectType() && !t.IsMapType() {
		d.mismatch(f, n)
		return
	}
	d.object(n, settle(slot))
}

// object reads an object value into a struct.
func (d *decoder) object(n node, into reflect.Value) {
	o := d.schemas.of(into.Type())
	o.setRange(into, n.at)
	seen := map[string]hcl.Range{}
	for _, e := range d.entries(n) {
		f := o.field(e.key)
		if f == nil {
			if n.sensitive {
				e.key = redacted
			}
			d.unknown(e.at, false, e.key, n.what, o)
			continue
		}
		if e.v.IsNull() {
			continue
		}
		seen[e.key] = e.at
		e.what = fmt.Sprintf("%s of %s", e.key, n.what)
		d.value(f, e.node, into)
	}
	d.missing(o, seen, n.at, n.what, into)
}

// reference reads a reference to a block of a kind.
func (d *decoder) reference(want *refKind, n node, slot reflect.Value) {
	if n.v.Type() != want.capsule {
		d.report(errorf(n.at, "Wrong kind of reference", "%s takes a reference to a %s, and this is %s.%s",
			n.what, want.name, an(describe(n.v)), d.scope.legalNames(want.name)))
		return
	}
	target := reflect.ValueOf(n.v.EncapsulatedValue())
	if slot.Kind() == reflect.Pointer {
		slot.Set(target)
		return
	}
	filled := reflect.New(slot.Type()).Elem()
	filled.Field(0).Set(target)
	filled.FieldByName("Range").Set(reflect.ValueOf(n.at))
	slot.Set(filled)
}

// describe names what a value is, and a reference by its kind.
func describe(v cty.Value) string {
	for _, k := range refKinds() {
		if v.Type() == k.capsule {
			return "reference to a " + k.name
		}
	}
	return friendlyType(v)
}

// textOf is a primitive value as text.
func textOf(v cty.Value) (string, bool) {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return "", false
	}
	switch v.Type() {
	case cty.String:
		return v.AsString(), true
	case cty.Number:
		if i, accuracy := v.AsBigFloat().Int64(); accuracy == big.Exact {
			return strconv.FormatInt(i, 10), true // by far the most, and much faster
		}
		return v.AsBigFloat().Text('f', -1), true
	case cty.Bool:
		return strconv.FormatBool(v.True()), true
	}
	return "", false
}

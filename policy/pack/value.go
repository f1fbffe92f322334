package pack

import (
	"math"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// state is what can be said about a property.
type state int

const (
	absent  state = iota // not there, or null
	unknown              // there, and not known before the update
	wrong                // below something that is no object, or there and of no readable kind
	known
)

// Value is a property as a policy reads it. No method panics, whatever the property holds. The zero Value is absent.
type Value struct {
	v      property.Value
	state  state
	secret bool
}

// read makes a Value of a property. A value below a secret is secret.
func read(v property.Value, secret bool) Value {
	secret = secret || v.Secret()
	switch {
	case v.IsNull():
		return Value{state: absent, secret: secret}
	case v.IsComputed():
		return Value{state: unknown, secret: secret}
	default:
		return Value{v: v, state: known, secret: secret}
	}
}

// Get returns the property of an object at a path of names.
func (v Value) Get(path ...string) Value {
	for _, name := range path {
		if v.state != known {
			return v
		}
		if !v.v.IsMap() {
			return Value{state: wrong, secret: v.secret}
		}
		child, ok := v.v.AsMap().GetOk(name)
		if !ok {
			return Value{state: absent, secret: v.secret}
		}
		v = read(child, v.secret)
	}
	return v
}

// Absent says that a property is left out or null.
func (v Value) Absent() bool { return v.state == absent }

// Secret says that a property, or one above it, is marked as secret. Its value must not appear in a message.
func (v Value) Secret() bool { return v.secret }

// Text returns a string.
func (v Value) Text() (string, bool) {
	if v.state != known || !v.v.IsString() {
		return "", false
	}
	return v.v.AsString(), true
}

// Number returns a finite number. A string that holds one counts: several providers take numbers as strings.
func (v Value) Number() (float64, bool) {
	if v.state != known {
		return 0, false
	}
	if v.v.IsNumber() {
		n := v.v.AsNumber()
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	if text, ok := v.Text(); ok {
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return 0, false
}

// Flag returns a bool. The strings "true" and "false" count: launch templates have them.
func (v Value) Flag() (bool, bool) {
	if v.state != known {
		return false, false
	}
	if v.v.IsBool() {
		return v.v.AsBool(), true
	}
	text, _ := v.Text()
	return text == "true", text == "true" || text == "false"
}

// TextOr returns a string, or what counts where the property is absent. It is not ok for what cannot be judged.
func (v Value) TextOr(otherwise string) (string, bool) {
	if v.state == absent {
		return otherwise, true
	}
	return v.Text()
}

// NumberOr is TextOr for numbers.
func (v Value) NumberOr(otherwise float64) (float64, bool) {
	if v.state == absent {
		return otherwise, true
	}
	return v.Number()
}

// FlagOr is TextOr for bools. An empty string is how some providers say that a flag is absent.
func (v Value) FlagOr(otherwise bool) (bool, bool) {
	if text, ok := v.Text(); v.state == absent || ok && text == "" {
		return otherwise, true
	}
	return v.Flag()
}

// List returns the elements of a list. An absent list is an empty one.
func (v Value) List() ([]Value, bool) {
	switch {
	case v.state == absent:
		return nil, true
	case v.state != known || !v.v.IsArray():
		return nil, false
	}
	array := v.v.AsArray()
	list := make([]Value, 0, array.Len())
	for _, e := range array.All {
		list = append(list, read(e, v.secret))
	}
	return list, true
}

// Texts returns the elements of a list of strings. It is ok only if all of them are known.
func (v Value) Texts() ([]string, bool) {
	list, ok := v.List()
	texts := make([]string, 0, len(list))
	for _, e := range list {
		text, known := e.Text()
		ok = ok && known
		texts = append(texts, text)
	}
	return texts, ok
}

// Entries returns the properties of an object, by name. An absent object is an empty one.
func (v Value) Entries() (map[string]Value, bool) {
	switch {
	case v.state == absent:
		return nil, true
	case v.state != known || !v.v.IsMap():
		return nil, false
	}
	entries := make(map[string]Value, v.v.AsMap().Len())
	for name, e := range v.v.AsMap().All {
		entries[name] = read(e, v.secret)
	}
	return entries, true
}

// Quote shows a value in a message: a string in quotes, a number or bool as it is, and a secret not at all.
func (v Value) Quote() string {
	switch {
	case v.secret:
		return "[secret]"
	case v.state == absent:
		return "left out"
	case v.state == known && v.v.IsString():
		return strconv.Quote(v.v.AsString())
	case v.state == known && v.v.IsNumber():
		return strconv.FormatFloat(v.v.AsNumber(), 'f', -1, 64)
	case v.state == known && v.v.IsBool():
		return strconv.FormatBool(v.v.AsBool())
	default:
		return "not readable"
	}
}

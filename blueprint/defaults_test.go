package blueprint

import "reflect"

// modelsOf lists the structs that a block is decoded into.
func modelsOf(b blockType) []reflect.Type {
	var out []reflect.Type
	if b.model != nil {
		out = append(out, b.model)
	}
	for _, k := range b.Kinds {
		out = append(out, k.model)
	}
	return out
}

// setDefaults sets every default of a struct and of the structs inside it, those behind pointers and in lists included.
func setDefaults(d *decoder, t reflect.Type) {
	made := reflect.New(t).Elem()
	for _, f := range d.schemas.of(t).fields {
		d.fallback(f, made)
		if inner := f.elem(); inner != nil {
			setDefaults(d, inner)
		}
	}
}

package blueprint

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// setDefault sets a slot to the default in the field's tag. A default that does not parse is a bug of the schema.
func (f *field) setDefault(slot reflect.Value) {
	if err := f.parseDefault(slot); err != nil {
		panic(fmt.Sprintf("default of %s: %v", f.name, err))
	}
}

func (f *field) parseDefault(slot reflect.Value) (err error) {
	switch target := slot.Addr().Interface().(type) {
	case *Value[string]:
		target.Value = f.fallback
	case *Value[bool]:
		target.Value, err = strconv.ParseBool(f.fallback)
	case *Value[int]:
		if f.unit != "" {
			target.Value, err = parseSize(f.fallback, f.unit)
		} else {
			target.Value, err = strconv.Atoi(f.fallback)
		}
	case *Value[float64]:
		target.Value, err = strconv.ParseFloat(f.fallback, 64)
	case *Value[time.Duration]:
		target.Value, err = parseDuration(f.fallback)
	case *[]Value[string]:
		for _, text := range strings.Fields(f.fallback) {
			*target = append(*target, Value[string]{Value: text})
		}
	default:
		err = fmt.Errorf("a %s takes no default", f.typ)
	}
	return err
}

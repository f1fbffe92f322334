package engine

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// defaultsKey is where inputs remember, as the AWS provider does, which arguments the provider chose.
const defaultsKey = "__defaults"

// apply gives news a name if the program gives none: the one it has, or a new one.
func (a *AutoName) apply(urn resource.URN, olds, news resource.PropertyMap, seed []byte) error {
	if a == nil {
		return nil
	}
	key := resource.PropertyKey(a.Property)
	if given(news, key) || a.Prefix != "" && given(news, resource.PropertyKey(a.Prefix)) {
		return nil
	}
	if a.chosen(olds) {
		news[key] = olds[key]
	} else {
		name, err := resource.NewUniqueName(seed, urn.Name()+"-", 7, a.Max, nil)
		if err != nil {
			return err
		}
		news[key] = resource.NewProperty(name)
	}
	news[defaultsKey] = resource.NewProperty([]resource.PropertyValue{resource.NewProperty(a.Property)})
	return nil
}

// chosen says whether the provider, and not the program, chose the name in props.
func (a *AutoName) chosen(props resource.PropertyMap) bool {
	v := props[defaultsKey]
	return v.IsArray() && slices.ContainsFunc(v.ArrayValue(), func(e resource.PropertyValue) bool {
		return e.IsString() && e.StringValue() == a.Property
	})
}

func given(props resource.PropertyMap, key resource.PropertyKey) bool {
	v, ok := props[key]
	return ok && !v.IsNull()
}

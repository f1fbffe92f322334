package check

import (
	"encoding/json"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// How previews and exports write what JSON has no word for.
// Source: Pulumi, sdk/go/common/resource/sig, and pkg/resource/stack, SerializePropertyValue.
const (
	// notKnown stands for a value that is known after the update only.
	notKnown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
	// masked stands for a secret in a preview.
	masked = "[secret]"
	// signature is the key of an object that is no object but a secret, an asset, an archive or a reference.
	signature = "4dabf18193072939515e22adb298388d"
	// secret is the signature of a secret.
	secret = "1b47061264138c4ac30d75fd1eb44270"
)

// properties makes properties of a JSON object.
func properties(object map[string]any) property.Map {
	entries := make(map[string]property.Value, len(object))
	for name, v := range object {
		entries[name] = value(v)
	}
	return property.NewMap(entries)
}

// value makes a property of a JSON value. A secret whose value is not in the document, and an asset or reference, become
// values that are not known: a policy has nothing to judge there.
func value(v any) property.Value {
	switch v := v.(type) {
	case string:
		switch v {
		case notKnown:
			return property.New(property.Computed)
		case masked:
			return property.New(property.Computed).WithSecret(true)
		}
		return property.New(v)
	case bool:
		return property.New(v)
	case float64:
		return property.New(v)
	case []any:
		list := make([]property.Value, len(v))
		for i, e := range v {
			list[i] = value(e)
		}
		return property.New(list)
	case map[string]any:
		if kind, special := v[signature]; special {
			return specialValue(kind, v)
		}
		return property.New(properties(v))
	default:
		return property.Value{}
	}
}

func specialValue(kind any, v map[string]any) property.Value {
	hidden := property.New(property.Computed)
	if kind != secret {
		return hidden
	}
	hidden = hidden.WithSecret(true)
	text, ok := v["plaintext"].(string)
	if !ok {
		return hidden
	}
	var plain any
	if json.Unmarshal([]byte(text), &plain) != nil {
		return hidden
	}
	return value(plain).WithSecret(true)
}

package engine

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/sim/internal/schema"
)

// Props are properties as rules read them: secrets are looked through, and a value that is unknown, null or an empty
// string reads as absent. Paths are dotted, and [*] stands for every element of a list: "networkInterfaces[*].subnetId".
type Props resource.PropertyMap

// Leaf is one value and where it stands.
type Leaf struct {
	Path  string
	Value resource.PropertyValue
}

// Leaves returns the values at path, unknown ones included.
func (p Props) Leaves(path string) []Leaf {
	leaves := []Leaf{{"", resource.NewProperty(resource.PropertyMap(p))}}
	for step := range strings.SplitSeq(path, ".") {
		name, isList := strings.CutSuffix(step, "[*]")
		var next []Leaf
		for _, l := range leaves {
			if !l.Value.IsObject() {
				continue
			}
			v := schema.Plain(l.Value.ObjectValue()[resource.PropertyKey(name)])
			at := strings.TrimPrefix(l.Path+"."+name, ".")
			switch {
			case v.IsNull() || v.IsString() && v.StringValue() == "":
			case isList && v.IsArray():
				for i, e := range v.ArrayValue() {
					next = append(next, Leaf{fmt.Sprintf("%s[%d]", at, i), schema.Plain(e)})
				}
			default:
				next = append(next, Leaf{at, v})
			}
		}
		leaves = next
	}
	return leaves
}

// Has says whether something stands at path, known or not.
func (p Props) Has(path string) bool { return len(p.Leaves(path)) > 0 }

// Unknown says whether what stands at path is not known yet.
func (p Props) Unknown(path string) bool {
	for _, l := range p.Leaves(path) {
		if l.Value.ContainsUnknowns() {
			return true
		}
	}
	return false
}

// Str returns the string at path, or "".
func (p Props) Str(path string) string {
	for _, l := range p.Leaves(path) {
		if l.Value.IsString() {
			return l.Value.StringValue()
		}
	}
	return ""
}

// Strs returns the known strings at path, which names the list's elements by [*].
func (p Props) Strs(path string) []string {
	var all []string
	for _, l := range p.Leaves(path) {
		if l.Value.IsString() {
			all = append(all, l.Value.StringValue())
		}
	}
	return all
}

// Int returns the number at path.
func (p Props) Int(path string) (int, bool) {
	for _, l := range p.Leaves(path) {
		if l.Value.IsNumber() {
			return int(l.Value.NumberValue()), true
		}
	}
	return 0, false
}

// Bool returns the boolean at path, false when there is none.
func (p Props) Bool(path string) bool {
	for _, l := range p.Leaves(path) {
		if l.Value.IsBool() {
			return l.Value.BoolValue()
		}
	}
	return false
}

// Blocks returns the objects at path: one for "vpcConfig", many for "taints[*]".
func (p Props) Blocks(path string) []Props {
	var all []Props
	for _, l := range p.Leaves(path) {
		if l.Value.IsObject() {
			all = append(all, Props(l.Value.ObjectValue()))
		}
	}
	return all
}

// Map returns the known strings of the map at path.
func (p Props) Map(path string) map[string]string {
	all := map[string]string{}
	for _, block := range p.Blocks(path) {
		for k, v := range block {
			if v = schema.Plain(v); v.IsString() {
				all[string(k)] = v.StringValue()
			}
		}
	}
	return all
}

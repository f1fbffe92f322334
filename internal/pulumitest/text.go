package pulumitest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

const indent = "  "

// String draws the graph, one paragraph a resource, then one an invoke.
func (g *Graph) String() string {
	var paragraphs []string
	for _, r := range g.Resources {
		paragraphs = append(paragraphs, resourceText(r))
	}
	for _, c := range g.Calls {
		paragraphs = append(paragraphs, callText(c))
	}
	return strings.Join(paragraphs, "\n")
}

func resourceText(r Resource) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Type, r.Name)
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s%s: %s\n", indent, key, value)
		}
	}
	line("parent", r.Parent)
	line("provider", r.Provider)
	line("read", r.ReadID)
	list := func(key string, values []string) {
		if len(values) > 0 {
			fmt.Fprintf(&b, "%s%s:\n", indent, key)
		}
		for _, value := range values {
			fmt.Fprintf(&b, "%s%s\n", indent+indent, value)
		}
	}
	list("options", r.Options)
	if len(r.Inputs) > 0 {
		fmt.Fprintf(&b, "%sinputs:\n", indent)
		writeMap(&b, r.Inputs, indent+indent)
	}
	list("waits for", r.Dependencies)
	return b.String()
}

func callText(c Call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "invoke %s\n", c.Token)
	if c.Provider != "" {
		fmt.Fprintf(&b, "%sprovider: %s\n", indent, c.Provider)
	}
	writeMap(&b, c.Args, indent)
	return b.String()
}

func writeMap(b *strings.Builder, m resource.PropertyMap, in string) {
	for _, key := range m.StableKeys() {
		fmt.Fprintf(b, "%s%s:", in, key)
		writeValue(b, m[key], in+indent)
	}
}

// writeValue writes what follows a key or a dash, its line end included. Lines of its own start with in.
func writeValue(b *strings.Builder, v resource.PropertyValue, in string) {
	switch {
	case v.IsSecret():
		b.WriteString(" secret")
		writeValue(b, v.SecretValue().Element, in)
	case v.IsObject() && len(v.ObjectValue()) > 0:
		b.WriteString("\n")
		writeMap(b, v.ObjectValue(), in)
	case v.IsArray() && len(v.ArrayValue()) > 0:
		b.WriteString("\n")
		for _, item := range v.ArrayValue() {
			b.WriteString(in + "-")
			writeValue(b, item, in+indent)
		}
	case v.IsString() && strings.Contains(v.StringValue(), "\n"):
		b.WriteString(" |\n")
		for line := range strings.Lines(v.StringValue()) {
			b.WriteString(strings.TrimRight(in+strings.TrimSuffix(line, "\n"), " ") + "\n")
		}
	default:
		b.WriteString(" " + scalar(v) + "\n")
	}
}

func scalar(v resource.PropertyValue) string {
	switch {
	case v.IsString() && strings.Contains(v.StringValue(), `"`) && strconv.CanBackquote(v.StringValue()):
		return "`" + v.StringValue() + "`"
	case v.IsString():
		return strconv.Quote(v.StringValue())
	case v.IsNumber():
		return strconv.FormatFloat(v.NumberValue(), 'f', -1, 64)
	case v.IsBool():
		return strconv.FormatBool(v.BoolValue())
	case v.IsComputed() || v.IsOutput():
		return "unknown"
	case v.IsResourceReference():
		return "resource " + reference(string(v.ResourceReferenceValue().URN))
	case v.IsObject():
		return "{}"
	case v.IsArray():
		return "[]"
	default:
		return fmt.Sprint(v.Mappable())
	}
}

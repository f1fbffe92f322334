package reference

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/blueprint"
)

//go:embed examples/*.hcl
var examples embed.FS

const head = `# The blueprint language

<!-- Written by internal/reference from the schema in the package blueprint: go test ./internal/reference -update -->

A blueprint is one file in HCL, or in HCL's JSON syntax with the schema [blueprint.schema.json](blueprint.schema.json), that
says what an environment is. Blocks come in any order. A block is referred to by its kind and name, such as
` + "`storage.datasets`" + `, a variable as ` + "`var.name`" + ` and a local value as ` + "`local.name`" + `.

Sizes are written with a unit, such as ` + "`\"1TiB\"`" + `, and so are durations, such as ` + "`\"90s\"`, `\"6h\"` or `\"30d\"`" + `.
An argument that is left out has its default; one without a default is then not set.

`

// Markdown returns the page of the whole language.
func Markdown(language []blueprint.BlockSchema) (string, error) {
	var out strings.Builder
	out.WriteString(head)
	for _, b := range language {
		fmt.Fprintf(&out, "- [`%s`](#%s) %s\n", heading(b), b.Name, b.Doc)
	}
	for _, b := range language {
		if err := writeBlock(&out, b); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// heading is the first line of a block as a person writes it.
func heading(b blueprint.BlockSchema) string {
	text := b.Name
	for _, label := range b.Labels {
		text += fmt.Sprintf(" %q", strings.ToUpper(label))
	}
	return text
}

func writeBlock(out *strings.Builder, b blueprint.BlockSchema) error {
	fmt.Fprintf(out, "\n## %s\n\n%s", b.Name, b.Doc)
	if b.Once {
		out.WriteString(" A blueprint has at most one.")
	}
	out.WriteString("\n")
	writeArguments(out, b.Arguments)
	if len(b.Kinds) == 0 {
		return writeExample(out, b.Name)
	}
	for _, k := range b.Kinds {
		fmt.Fprintf(out, "\n### %s %q\n\n%s\n", b.Name, k.Name, k.Doc)
		writeArguments(out, k.Arguments)
		if err := writeExample(out, b.Name+"-"+k.Name); err != nil {
			return err
		}
	}
	return nil
}

// The lines of an example between which the page shows it. What is around them makes it a whole blueprint.
const showFrom, showTo = "# show\n", "# end\n"

// writeExample shows the part of an example that is between its marks.
func writeExample(out *strings.Builder, name string) error {
	text, err := examples.ReadFile("examples/" + name + ".hcl")
	if err != nil {
		return fmt.Errorf("the page shows an example of every block: %w", err)
	}
	_, shown, ok := strings.Cut(string(text), showFrom)
	shown, _, closed := strings.Cut(shown, showTo)
	if !ok || !closed {
		return fmt.Errorf("examples/%s.hcl: what is shown stands between the lines %q and %q", name, strings.TrimSpace(showFrom), strings.TrimSpace(showTo))
	}
	fmt.Fprintf(out, "\n```hcl\n%s\n```\n", strings.TrimSpace(shown))
	return nil
}

func writeArguments(out *strings.Builder, arguments []blueprint.ArgumentSchema) {
	if len(arguments) == 0 {
		return
	}
	out.WriteString("\n| argument | type | default | |\n| --- | --- | --- | --- |\n")
	writeRows(out, "", arguments)
}

// writeRows writes a row an argument; what is inside an object or a block follows it, by its path.
func writeRows(out *strings.Builder, path string, arguments []blueprint.ArgumentSchema) {
	for _, a := range arguments {
		fmt.Fprintf(out, "| `%s%s` | %s | %s | %s |\n", path, a.Name, a.Type, preset(a), meaning(a))
		writeRows(out, path+a.Name+".", a.Arguments)
	}
}

// preset is what an argument is when it is left out.
func preset(a blueprint.ArgumentSchema) string {
	switch {
	case a.Required:
		return "**required**"
	case !a.HasDefault:
		return ""
	case quoted(a.Type):
		return fmt.Sprintf("`%q`", a.Default)
	default:
		return "`" + a.Default + "`"
	}
}

// quoted says whether values of a type are written in quotes.
func quoted(typ string) bool { return typ == "string" || typ == "size" || typ == "duration" }

// meaning is what an argument is for, with its legal values and bounds.
func meaning(a blueprint.ArgumentSchema) string {
	text := strings.ReplaceAll(a.Doc, "|", `\|`)
	if len(a.Legal) > 0 {
		text += " One of `" + strings.Join(a.Legal, "`, `") + "`."
	}
	switch low, high := bound(a, a.Min), bound(a, a.Max); {
	case low != "" && high != "":
		text += fmt.Sprintf(" From %s to %s.", low, high)
	case low != "":
		text += fmt.Sprintf(" At least %s.", low)
	case high != "":
		text += fmt.Sprintf(" At most %s.", high)
	}
	return text
}

func bound(a blueprint.ArgumentSchema, at *float64) string {
	if at == nil {
		return ""
	}
	text := strconv.FormatFloat(*at, 'f', -1, 64)
	if a.Type == "duration" {
		return text + " s"
	}
	return strings.TrimSpace(text + " " + a.Unit)
}

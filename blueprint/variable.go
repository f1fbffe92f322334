package blueprint

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

const ruleVariable RuleName = "variable"

// Variable is a value that is given from outside: by the stack's configuration, else by GPUYARD_VAR_name in the
// environment, else by its default.
type Variable struct {
	// Name is the block's label.
	Name Value[string]
	// Type is a type expression: string, number, bool, list(string), map(string), object({…}).
	Type hcl.Expression `bp:"type" doc:"Type of the value: string, number, bool, list(T), map(T), object({…}); left out, string."`
	// Default may call functions and names nothing else.
	Default     hcl.Expression `bp:"default" doc:"Value when none is given."`
	Description Value[string]  `bp:"description" doc:"What it is for; shown where it is missing."`
	// Sensitive keeps the value out of every diagnostic.
	Sensitive Value[bool] `bp:"sensitive" default:"false" doc:"Never show the value."`
	// Range is the block's header.
	Range hcl.Range
	// Source says where the value came from: "configuration", "environment", "default", or empty where it is missing.
	Source string

	value cty.Value
}

func variableBlock() blockType {
	return blockType{
		Name: "variable", Labels: []string{"name"},
		Doc:   "A value that is given from outside.",
		model: typeOf[Variable](),
		add: func(b *Blueprint, h header) any {
			v := &Variable{Name: h.name, Range: h.at, value: cty.DynamicVal}
			b.Variables = append(b.Variables, v)
			return v
		},
	}
}

// environName is the name of a variable in the environment.
func environName(name string) string { return "GPUYARD_VAR_" + name }

// resolve finds the value of a variable and converts it to its type.
func (l *loader) resolve(v *Variable) {
	want, fine := l.typeOf(v)
	if !fine {
		return
	}
	if text, ok := l.opts.Variables(v.Name.Value); ok {
		v.Source = "configuration"
		v.Sensitive.Value = v.Sensitive.Value || l.opts.Secret(v.Name.Value)
		v.value = l.given(v, text, want, "the stack's configuration")
	} else if text, ok := l.opts.Environ(environName(v.Name.Value)); ok {
		v.Source = "environment"
		v.value = l.given(v, text, want, environName(v.Name.Value))
	} else if v.Default != nil {
		v.Source = "default"
		v.value = l.defaultOf(v, want)
	} else {
		l.report(ruleVariable, errorf(v.Range, "Variable not set",
			"%s has no value.%s Give it with `pulumi config set %s VALUE`, or with %s=VALUE in the environment, or with a default in this block.",
			v.Name.Value, sentence(v.Description), v.Name.Value, environName(v.Name.Value)))
	}
	if v.Sensitive.Value {
		l.scope.secrets.add(v.value)
		v.value = v.value.Mark(sensitiveMark{})
	}
}

// sentence is a description as a sentence with a space before it, or nothing.
func sentence(v Value[string]) string {
	text := strings.TrimSuffix(strings.TrimSpace(v.String()), ".")
	if text == "" {
		return ""
	}
	return " " + text + "."
}

func (l *loader) typeOf(v *Variable) (cty.Type, bool) {
	if v.Type == nil {
		return cty.String, true
	}
	want, diags := typeexpr.TypeConstraint(v.Type)
	l.diags = append(l.diags, named(ruleVariable, diags)...)
	return want, !diags.HasErrors()
}

// given converts the text that somebody gave. A text for a list or an object is an expression, so JSON will do.
func (l *loader) given(v *Variable, text string, want cty.Type, source string) cty.Value {
	value := cty.StringVal(text)
	if !want.IsPrimitiveType() {
		var ok bool
		if value, ok = literal(text); !ok {
			l.report(ruleVariable, errorf(v.Range, "Illegal variable value",
				"The value of %s from %s is no %s. Write it as JSON.", v.Name.Value, source, want.FriendlyName()))
			return cty.DynamicVal
		}
	}
	return l.converted(v, value, want, "from "+source, v.Range)
}

// literal reads a constant expression.
func literal(text string) (cty.Value, bool) {
	if len(text) > maxFileRead {
		return cty.DynamicVal, false
	}
	tokens, _ := hclsyntax.LexExpression([]byte(text), "", hcl.InitialPos)
	if checkTokens(tokens, &tokenCounts{}).HasErrors() {
		return cty.DynamicVal, false
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() || len(expr.Variables()) > 0 {
		return cty.DynamicVal, false
	}
	value, diags := expr.Value(nil)
	return value, !diags.HasErrors() && value.IsWhollyKnown()
}

func (l *loader) defaultOf(v *Variable, want cty.Type) cty.Value {
	at := v.Default.Range()
	if v.Sensitive.Value {
		l.scope.secrets.ranges = append(l.scope.secrets.ranges, at)
	}
	constant := *l.scope
	constant.names = map[string]map[string]cty.Value{}
	constant.diags = nil
	value, ok := constant.eval(v.Default)
	l.scope.spent = constant.spent
	if v.Sensitive.Value {
		for _, d := range constant.diags {
			d.Detail = "The default of a sensitive variable is in error, so the reason is not shown."
		}
	}
	l.diags = append(l.diags, constant.diags...)
	if !ok {
		return cty.DynamicVal
	}
	return l.converted(v, value, want, "by default", at)
}

func (l *loader) converted(v *Variable, value cty.Value, want cty.Type, how string, at hcl.Range) cty.Value {
	out, err := convert.Convert(value, want)
	if err == nil {
		_, err = weight(out)
	}
	if err == nil {
		return out
	}
	shown := node{v: value, sensitive: v.Sensitive.Value}.shown()
	reason := fmt.Sprintf(": %v", err)
	if v.Sensitive.Value {
		reason = ""
	}
	l.report(ruleVariable, errorf(at, "Illegal variable value", "%s is %s %s, and its type is %s%s.",
		v.Name.Value, shown, how, want.FriendlyName(), reason))
	return cty.DynamicVal
}

package blueprint

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

const (
	ruleReference  RuleName = "reference"
	ruleExpression RuleName = "expression"
)

// A refKind is a kind of block that expressions can refer to. Its value is a capsule around the model struct, so a
// reference is resolved the moment it is evaluated, and its kind is its type.
type refKind struct {
	name    string
	pointer reflect.Type
	capsule cty.Type
}

var (
	profileRef    = cty.Capsule("node_profile", reflect.TypeFor[NodeProfile]())
	poolRef       = cty.Capsule("node_pool", reflect.TypeFor[NodePool]())
	storageRef    = cty.Capsule("storage", reflect.TypeFor[Storage]())
	cacheRef      = cty.Capsule("cache", reflect.TypeFor[Cache]())
	serverlessRef = cty.Capsule("serverless", reflect.TypeFor[Serverless]())
)

// refKinds lists the kinds of blocks that can be referred to.
func refKinds() []refKind {
	return []refKind{
		{"node_profile", reflect.TypeFor[*NodeProfile](), profileRef},
		{"node_pool", reflect.TypeFor[*NodePool](), poolRef},
		{"storage", reflect.TypeFor[*Storage](), storageRef},
		{"cache", reflect.TypeFor[*Cache](), cacheRef},
		{"serverless", reflect.TypeFor[*Serverless](), serverlessRef},
	}
}

// A scope evaluates expressions: what names mean, and how much work is left.
type scope struct {
	functions map[string]function.Function
	// names holds, for each root ("var", "local", "storage"…), the values by name.
	names   map[string]map[string]cty.Value
	secrets *secrets
	meter   *meter
	near    map[string][]string
	sorted  map[string][]string // the names after each root, for messages
	diags   hcl.Diagnostics
	ctx     *hcl.EvalContext // of all names, once they are complete
	spent   bool
}

// complete builds the context that all later evaluations share.
func (s *scope) complete() {
	s.ctx = &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: s.functions}
	for root, values := range s.names {
		s.ctx.Variables[root] = cty.ObjectVal(values)
	}
}

// eval evaluates an expression. The second result is false when it, or something it names, is in error.
func (s *scope) eval(expr hcl.Expression) (cty.Value, bool) {
	if constant(expr) {
		v, diags := expr.Value(nil)
		s.diags = append(s.diags, named(ruleExpression, diags)...)
		return v, !diags.HasErrors()
	}
	traversals := expr.Variables()
	if s.spent || !s.checkNames(traversals) {
		return cty.DynamicVal, false
	}
	ctx := s.ctx
	if ctx == nil {
		ctx = s.contextOf(traversals)
	}
	return s.evalIn(expr, traversals, ctx)
}

// constant reports whether an expression is a number, a bool or a string without a template, as most are.
func constant(expr hcl.Expression) bool {
	switch e := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.TemplateExpr:
		return e.IsStringLiteral()
	}
	return false
}

// contextOf is a context of only the names used: locals are evaluated one by one, and an object of all of them for
// each would be quadratic.
func (s *scope) contextOf(traversals []hcl.Traversal) *hcl.EvalContext {
	used := map[string]map[string]cty.Value{}
	for _, t := range traversals {
		root, name := address(t)
		if used[root] == nil {
			used[root] = map[string]cty.Value{}
		}
		used[root][name] = s.names[root][name]
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: s.functions}
	for root, values := range used {
		ctx.Variables[root] = cty.ObjectVal(values)
	}
	return ctx
}

func (s *scope) evalIn(expr hcl.Expression, traversals []hcl.Traversal, ctx *hcl.EvalContext) (v cty.Value, ok bool) {
	defer func() {
		switch reason := recover(); reason.(type) {
		case nil:
		case overBudget:
			s.spent = true
			v, ok = cty.DynamicVal, false
			s.diags = append(s.diags, named(ruleLimit, hcl.Diagnostics{errorf(expr.Range(), "Expression costs too much",
				"The values of this blueprint grow too large to evaluate. Look for locals that multiply each other, or loops inside loops.")})...)
		default:
			panic(reason)
		}
	}()
	s.meter.charge(1)
	s.meter.traversals(traversals, ctx)
	v, diags := expr.Value(ctx)
	s.meter.charge(0) // a function may have spent the rest
	if len(diags) > 0 && s.sensitive(traversals, ctx) {
		for _, d := range diags {
			d.Detail = "The expression uses a sensitive value, so the reason is not shown."
		}
	}
	s.diags = append(s.diags, named(ruleExpression, diags)...)
	if diags.HasErrors() || !v.IsWhollyKnown() {
		return cty.DynamicVal, false
	}
	return v, true
}

// sensitive reports whether any of the names stands for a sensitive value.
func (s *scope) sensitive(traversals []hcl.Traversal, ctx *hcl.EvalContext) bool {
	return slices.ContainsFunc(traversals, func(t hcl.Traversal) bool {
		v, diags := t.TraverseAbs(ctx)
		return !diags.HasErrors() && v.ContainsMarked()
	})
}

// checkNames reports every name that means nothing, with the legal ones.
func (s *scope) checkNames(traversals []hcl.Traversal) bool {
	fine := true
	for _, t := range traversals {
		if d := s.checkName(t); d != nil {
			fine = false
			s.diags = append(s.diags, named(ruleReference, hcl.Diagnostics{d})...)
		}
	}
	return fine
}

func (s *scope) checkName(t hcl.Traversal) *hcl.Diagnostic {
	root, name := address(t)
	values, known := s.names[root]
	if _, fine := values[name]; fine {
		return nil
	}
	if len(s.diags) > maxDiagnostics {
		return errorf(t.SourceRange(), "Unknown reference", "%s.%s is unknown.", root, name) // too many to explain each
	}
	if !known {
		roots := slices.Sorted(maps.Keys(s.names))
		if len(roots) == 0 {
			return errorf(t.SourceRange(), "Value not constant", "%q cannot be used here: this value may call functions, and may name nothing else.", root)
		}
		return errorf(t.SourceRange(), "Unknown name",
			"%q means nothing here.%s For a string, write it in quotes. An expression may use %s.",
			root, s.didYouMean("", root, roots), list(roots))
	}
	if name == "" {
		return errorf(t.SourceRange(), "Incomplete reference", "A reference is written %s.name, with a plain name.%s", root, s.legalNames(root))
	}
	return errorf(t.SourceRange(), "Unknown reference", "There is no %s.%s.%s%s",
		root, name, s.didYouMean(root+".", name, s.namesOf(root)), s.legalNames(root))
}

// namesOf lists what can follow a root.
func (s *scope) namesOf(root string) []string {
	if _, done := s.sorted[root]; !done {
		s.sorted[root] = slices.Sorted(maps.Keys(s.names[root]))
	}
	return s.sorted[root]
}

// legalNames is a sentence that lists what can follow a root.
func (s *scope) legalNames(root string) string {
	names := s.namesOf(root)
	if len(names) == 0 {
		return fmt.Sprintf(" This blueprint has no %s.", root)
	}
	shown := names[:min(len(names), mostListed)]
	text := root + "." + strings.Join(shown, ", "+root+".")
	if left := len(names) - len(shown); left > 0 {
		text = fmt.Sprintf("%s and %d more", text, left)
	}
	return fmt.Sprintf(" Legal here: %s.", text)
}

// address splits a traversal into its root and the name after it, which is empty when it is not plain.
func address(t hcl.Traversal) (root, name string) {
	root = t.RootName()
	if len(t) < 2 {
		return root, ""
	}
	switch step := t[1].(type) {
	case hcl.TraverseAttr:
		return root, step.Name
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
			return root, step.Key.AsString()
		}
	}
	return root, ""
}

// didYouMean is a sentence with near names, or nothing. Equal questions are answered once, and after a hundred
// different ones the answers stop: finding near names for each of a thousand mistakes would be quadratic.
func (s *scope) didYouMean(prefix, name string, legal []string) string {
	if len(name) > 128 {
		return ""
	}
	key := fmt.Sprintf("%s%s/%d", prefix, name, len(legal))
	near, asked := s.near[key]
	if !asked {
		if len(s.near) >= 100 {
			return ""
		}
		near = catalog.Near(name, legal)
		s.near[key] = near
	}
	return didYouMean(prefix, near)
}

// didYouMean words a list of near names.
func didYouMean(prefix string, near []string) string {
	if len(near) == 0 {
		return ""
	}
	quoted := make([]string, len(near))
	for i, n := range near {
		quoted[i] = fmt.Sprintf("%q", prefix+n)
	}
	return fmt.Sprintf(" Did you mean %s?", strings.Join(quoted, " or "))
}

// mostListed is how many names a message lists.
const mostListed = 12

// list joins names for a message.
func list(names []string) string {
	if left := len(names) - mostListed; left > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), left)
	}
	return strings.Join(names, ", ")
}

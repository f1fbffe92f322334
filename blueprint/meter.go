package blueprint

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// budget is how much work the expressions of one blueprint may take: values visited, strings by the 64 bytes, and
// steps of "for" expressions. A blueprint of a thousand pools takes some thousands.
const budget = 400_000

// deepest is how deep a value may be nested before reading it costs the rest of the budget.
const deepest = 500

// A meter bounds evaluation. Without it, ten lines of locals, each naming the one before twice, or a few nested "for"
// expressions would never end. Every expression is charged before it is evaluated with the size of all values it
// names, the body of a "for" expression by its length and names at every step, and every function by its result, so that
// work is bounded by the budget.
type meter struct{ left int }

// overBudget is the panic that leaves the evaluator; scope.eval recovers it.
type overBudget struct{}

// charge takes n off the budget, and unwinds when nothing is left.
func (m *meter) charge(n int) {
	if m.left -= n; m.left < 0 {
		panic(overBudget{})
	}
}

// traversals charges the size of every value that the traversals name.
func (m *meter) traversals(names []hcl.Traversal, ctx *hcl.EvalContext) {
	for _, t := range names {
		if v, diags := t.TraverseAbs(ctx); !diags.HasErrors() {
			m.value(v, 0)
		}
	}
}

// value charges the size of a value, without following it deeper than the evaluator would survive.
func (m *meter) value(v cty.Value, depth int) {
	m.charge(1)
	if depth > deepest {
		panic(overBudget{})
	}
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return
	}
	t := v.Type()
	switch {
	case t == cty.String:
		m.charge(len(v.AsString()) / 64)
	case t.IsObjectType(), t.IsCollectionType(), t.IsTupleType():
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			m.value(element, depth+1)
		}
	}
}

// loops puts the meter into every "for" expression of a body.
func (m *meter) loops(body *hclsyntax.Body) {
	_ = hclsyntax.VisitAll(body, func(n hclsyntax.Node) hcl.Diagnostics {
		if loop, ok := n.(*hclsyntax.ForExpr); ok {
			loop.ValExpr = m.wrap(loop.ValExpr)
			if loop.KeyExpr != nil {
				loop.KeyExpr = m.wrap(loop.KeyExpr)
			}
			if loop.CondExpr != nil {
				loop.CondExpr = m.wrap(loop.CondExpr)
			}
		}
		return nil
	})
}

// metered is an expression that is charged each time it is evaluated.
type metered struct {
	hclsyntax.Expression
	meter *meter
	names []hcl.Traversal
	cost  int
}

// wrap hides the expression in parentheses, which the walkers of hclsyntax look through.
func (m *meter) wrap(e hclsyntax.Expression) hclsyntax.Expression {
	inner := &hclsyntax.ParenthesesExpr{Expression: e, SrcRange: e.Range()}
	return &metered{Expression: inner, meter: m, names: e.Variables(), cost: 1 + (e.Range().End.Byte-e.Range().Start.Byte)/8}
}

// Value implements hcl.Expression.
func (e *metered) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	e.meter.charge(e.cost)
	e.meter.traversals(e.names, ctx)
	return e.Expression.Value(ctx)
}

package blueprint

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// mostBits bounds the exponent of a number, to about 1e1200. The library writes numbers out digit by digit, and "1e9999999"
// would keep it busy for minutes.
const mostBits = 4096

// errTooMuch is what a function returns when the budget of the blueprint is spent. The library recovers panics in a
// function, so that one cannot unwind by itself; scope.eval looks at what is left.
var errTooMuch = errors.New("the values of this blueprint grow too large to evaluate")

// weight is the size of a value in units of the budget; a number too large to be written out is an error.
func weight(v cty.Value) (int, error) {
	if v.ContainsMarked() {
		v, _ = v.UnmarkDeep()
	}
	n := 0
	err := cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		n++
		if v.IsNull() || !v.IsKnown() {
			return false, nil
		}
		switch v.Type() {
		case cty.String:
			n += len(v.AsString()) / 64
		case cty.Number:
			if x := v.AsBigFloat(); !x.IsInf() && (x.MantExp(nil) > mostBits || x.MantExp(nil) < -mostBits) {
				return false, errors.New("the number is too large or too small")
			}
		}
		return true, nil
	})
	return n, err
}

// bounded wraps a function of the library: arguments are judged before the call, and the result is charged to the
// budget. Judge may be nil.
func (m *meter) bounded(fn function.Function, judge func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Description: fn.Description(),
		Params:      fn.Params(),
		VarParam:    fn.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			return fn.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if m.left < 0 {
				return cty.NilVal, errTooMuch
			}
			for i, arg := range args {
				if _, err := weight(arg); err != nil {
					return cty.NilVal, function.NewArgError(i, err)
				}
			}
			if judge != nil {
				if err := judge(args); err != nil {
					return cty.NilVal, err
				}
			}
			result, err := fn.Call(args)
			if err != nil {
				return cty.NilVal, err
			}
			n, err := weight(result)
			if m.left -= n; m.left < 0 {
				return cty.NilVal, errTooMuch
			}
			return result, err
		},
	})
}

// operators replaces the arithmetic of a body by one that refuses numbers too large to be written out, which a text
// such as "1e9999999" turns into without passing a function.
func (m *meter) operators(body *hclsyntax.Body) {
	replaced := map[*hclsyntax.Operation]*hclsyntax.Operation{}
	for _, op := range []*hclsyntax.Operation{hclsyntax.OpAdd, hclsyntax.OpSubtract, hclsyntax.OpMultiply, hclsyntax.OpDivide, hclsyntax.OpModulo, hclsyntax.OpNegate} {
		replaced[op] = &hclsyntax.Operation{Impl: m.bounded(op.Impl, nil), Type: op.Type}
	}
	_ = hclsyntax.VisitAll(body, func(n hclsyntax.Node) hcl.Diagnostics {
		switch e := n.(type) {
		case *hclsyntax.BinaryOpExpr:
			if op, ok := replaced[e.Op]; ok {
				e.Op = op
			}
		case *hclsyntax.UnaryOpExpr:
			if op, ok := replaced[e.Op]; ok {
				e.Op = op
			}
		}
		return nil
	})
}

// judgeEncoded refuses references in what becomes text: a reference is no value, and the block it names is not read yet.
func judgeEncoded(args []cty.Value) error {
	for i, arg := range args {
		err := cty.Walk(arg, func(_ cty.Path, v cty.Value) (bool, error) {
			if v.Type().IsCapsuleType() {
				return false, function.NewArgErrorf(i, "a reference to a %s cannot be written as text", v.Type().FriendlyName())
			}
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// judgeFormat bounds what format makes: every verb may repeat every argument.
func judgeFormat(args []cty.Value) error {
	if err := judgeEncoded(args); err != nil {
		return err
	}
	format := args[0].AsString()
	if wideFormat.MatchString(format) {
		return function.NewArgError(0, errors.New("widths and precisions have at most two digits"))
	}
	verbs := 0
	for _, c := range format {
		if c == '%' {
			verbs++
		}
	}
	return judgeProduct(verbs, args[1:])
}

// judgeJoin bounds what join makes: the separator stands between all elements.
func judgeJoin(args []cty.Value) error {
	elements := 0
	for _, list := range args[1:] {
		n, err := weight(list)
		if err != nil {
			return err
		}
		elements += n
	}
	return judgeProduct(elements, args[:1])
}

// judgeProduct refuses to repeat values too often.
func judgeProduct(times int, repeated []cty.Value) error {
	total := 0
	for _, v := range repeated {
		n, err := weight(v)
		if err != nil {
			return err
		}
		total += n
	}
	if times*total > budget {
		return errTooMuch
	}
	return nil
}

// judgeDistinct bounds a list of which every element is compared with every other.
func judgeDistinct(args []cty.Value) error {
	const most = 1000
	if n := args[0].LengthInt(); n > most {
		return function.NewArgError(0, fmt.Errorf("the list has %d elements, and %d can be compared", n, most))
	}
	return nil
}

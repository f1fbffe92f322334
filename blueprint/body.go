package blueprint

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// An item is one attribute or block of a body, native or JSON.
type item struct {
	name  string
	at    hcl.Range // of the name
	expr  hcl.Expression
	block *hcl.Block // nil for an attribute
}

// items lists what a body holds, in the order of the source, unknown names included. A JSON body cannot tell a block
// from an attribute, so headers says which names are blocks.
func items(body hcl.Body, headers []hcl.BlockHeaderSchema) ([]item, hcl.Diagnostics) {
	var out []item
	var diags hcl.Diagnostics
	if native, ok := body.(*hclsyntax.Body); ok {
		for _, a := range native.Attributes {
			out = append(out, item{name: a.Name, at: a.NameRange, expr: a.Expr})
		}
		for _, b := range native.Blocks {
			out = append(out, item{name: b.Type, at: b.TypeRange, block: b.AsHCLBlock()})
		}
	} else {
		content, rest, found := body.PartialContent(&hcl.BodySchema{Blocks: headers})
		attributes, more := rest.JustAttributes()
		diags = named(ruleSyntax, append(found, more...))
		for name, a := range attributes {
			out = append(out, item{name: name, at: a.NameRange, expr: a.Expr})
		}
		for _, b := range content.Blocks {
			out = append(out, item{name: b.Type, at: b.TypeRange, block: b})
		}
	}
	slices.SortStableFunc(out, func(a, b item) int { return cmp.Compare(a.at.Start.Byte, b.at.Start.Byte) })
	return out, diags
}

package blueprint

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const (
	// maxFileSize bounds the source of a blueprint. A thousand pools take about a third of a megabyte.
	maxFileSize = 4 << 20
	// maxNesting bounds brackets, quotes and blocks inside each other: the parser and evaluator recurse on them.
	maxNesting = 100
	// maxOperators bounds operators in a file: "1+1+1…" is a tree as deep as it is long.
	maxOperators = 10_000
	// maxFileRead bounds what the function file reads.
	maxFileRead = 256 << 10
)

// ruleLimit names the diagnostics about size.
const ruleLimit RuleName = "limit"

// checkLimits refuses a source that the parser or evaluator might not survive. It looks at tokens, without recursion.
func checkLimits(src []byte, filename string, plain plainScan) hcl.Diagnostics {
	if len(src) > maxFileSize {
		at := hcl.Range{Filename: filename, Start: hcl.InitialPos, End: hcl.InitialPos}
		return named(ruleLimit, hcl.Diagnostics{errorf(at, "File too large",
			"A blueprint has at most %d MiB, and this file has more.", maxFileSize>>20)})
	}
	if at, found := unreadable(src); found {
		where := at
		where.Filename = filename
		return named(ruleSyntax, hcl.Diagnostics{errorf(where, "Not plain text",
			"Byte %d of the file is 0x%02x: a blueprint is UTF-8 text, with line feeds between its lines and no control characters. Save it as UTF-8 with Unix line ends.",
			at.Start.Byte+1, src[at.Start.Byte])})
	}
	if isJSON(filename) {
		return named(ruleLimit, checkJSONLimits(src, filename))
	}
	if plain.small {
		return nil
	}
	tokens, _ := hclsyntax.LexConfig(src, filename, hcl.InitialPos)
	return named(ruleLimit, checkTokens(tokens, &tokenCounts{}))
}

// hugeNumber is a number whose digits, written out, would fill the memory.
var hugeNumber = regexp.MustCompile(`[0-9.][eE][+-]?[0-9]{3,}`)

// tokenCounts are what is counted over a whole file.
type tokenCounts struct{ operators int }

// checkTokens bounds the nesting and the number of operators.
func checkTokens(tokens hclsyntax.Tokens, counts *tokenCounts) hcl.Diagnostics {
	depth := 0
	var previous hclsyntax.TokenType
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOParen, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc,
			hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenOBrack:
			depth++
			if previous == hclsyntax.TokenIdent || previous == hclsyntax.TokenCBrack || previous == hclsyntax.TokenCParen || previous == hclsyntax.TokenCBrace {
				counts.operators++ // an index
			}
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote,
			hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			depth--
		case hclsyntax.TokenPlus, hclsyntax.TokenMinus, hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent,
			hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenBang, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual,
			hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq,
			hclsyntax.TokenQuestion:
			counts.operators++
		case hclsyntax.TokenNumberLit:
			if hugeNumber.Match(t.Bytes) {
				return hcl.Diagnostics{errorf(t.Range, "Number too large", "An exponent has at most two digits.")}
			}
		}
		previous = t.Type
		if depth > maxNesting {
			return hcl.Diagnostics{errorf(t.Range, "Nested too deeply",
				"Blocks, brackets and templates may be nested %d deep.", maxNesting)}
		}
		if counts.operators > maxOperators {
			return hcl.Diagnostics{errorf(t.Range, "Too many operators",
				"A blueprint may hold %d operators. Compute such a value elsewhere and pass it as a variable.", maxOperators)}
		}
	}
	return nil
}

// checkJSONLimits bounds the nesting of a JSON file and of the templates in its strings, in which loops and
// arithmetic are refused: the parser reads them anew at each evaluation, out of reach of the meter.
func checkJSONLimits(src []byte, filename string) hcl.Diagnostics {
	pos := hcl.Pos{Line: 1, Column: 1}
	here := func() hcl.Range { return hcl.Range{Filename: filename, Start: pos, End: pos} }
	depth, quote := 0, -1
	var counts tokenCounts
	for i := 0; i < len(src); i++ {
		pos.Byte, pos.Column = i, pos.Column+1
		switch c := src[i]; {
		case c == '\n':
			pos.Line, pos.Column = pos.Line+1, 0
		case quote >= 0 && c == '\\':
			i++
		case quote >= 0 && c == '"':
			tokens := templateTokens(src[quote : i+1])
			if diags := checkTemplate(tokens, here(), &counts); diags.HasErrors() {
				return diags
			}
			quote = -1
		case quote >= 0:
		case c == '"':
			quote = i
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth > maxNesting {
			return hcl.Diagnostics{errorf(here(), "Nested too deeply", "Objects and arrays may be nested %d deep.", maxNesting)}
		}
	}
	return nil
}

// templateTokens lexes a JSON string that holds a template; nil for any other.
func templateTokens(quoted []byte) hclsyntax.Tokens {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return nil
	}
	tokens, _ := hclsyntax.LexTemplate([]byte(text), "", hcl.InitialPos)
	if len(tokens) <= 2 {
		return nil // one literal and the end
	}
	return tokens
}

// checkTemplate judges one template of a JSON file.
func checkTemplate(tokens hclsyntax.Tokens, at hcl.Range, counts *tokenCounts) hcl.Diagnostics {
	var previous hclsyntax.TokenType
	for _, t := range tokens {
		opened := previous == hclsyntax.TokenOBrack || previous == hclsyntax.TokenOBrace || previous == hclsyntax.TokenTemplateControl
		if opened && t.Type == hclsyntax.TokenIdent && string(t.Bytes) == "for" {
			return hcl.Diagnostics{errorf(at, "Loop in JSON", `"for" works in the native syntax only. Write the values out, or write the blueprint as HCL.`)}
		}
		switch t.Type {
		case hclsyntax.TokenPlus, hclsyntax.TokenMinus, hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent:
			return hcl.Diagnostics{errorf(at, "Arithmetic in JSON", "Arithmetic works in the native syntax only. Write the result out, or write the blueprint as HCL.")}
		}
		if t.Type != hclsyntax.TokenNewline {
			previous = t.Type
		}
	}
	diags := checkTokens(tokens, counts)
	for _, d := range diags {
		d.Subject = &at
		d.Detail = fmt.Sprintf("In the template that ends here: %s", d.Detail)
	}
	return diags
}

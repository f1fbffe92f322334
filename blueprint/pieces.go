package blueprint

import (
	"bytes"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// pieceSize is the least length of a piece, in bytes, of a source that is parsed in pieces. HCL's lexer holds the tokens
// of all that it is given in one slice, thirty times the text, and most of its time goes into making the slice longer.
const pieceSize = 16 << 10

// parseNative parses a native source: in pieces, side by side, where scanPlain found ends of blocks to cut it at. If
// anything is wrong in a piece, the source is parsed as a whole, so that no diagnostic speaks of pieces.
func parseNative(src []byte, filename string, cuts []int) (*hcl.File, hcl.Diagnostics) {
	if len(cuts) > 0 {
		if file := join(src, parsePieces(src, filename, cuts)); file != nil {
			return file, nil
		}
	}
	return hclsyntax.ParseConfig(src, filename, hcl.InitialPos)
}

// parsePieces parses what is between the cuts. A piece that does not stand alone is nil.
func parsePieces(src []byte, filename string, cuts []int) []*hcl.File {
	pieces := make([]*hcl.File, len(cuts)+1)
	var all sync.WaitGroup
	at := hcl.InitialPos
	for i := range pieces {
		end := len(src)
		if i < len(cuts) {
			end = cuts[i]
		}
		text, start := src[at.Byte:end], at
		all.Go(func() {
			if file, diags := hclsyntax.ParseConfig(text, filename, start); len(diags) == 0 {
				pieces[i] = file
			}
		})
		at = hcl.Pos{Line: at.Line + bytes.Count(text, []byte{'\n'}), Column: 1, Byte: end}
	}
	all.Wait()
	return pieces
}

// join makes one file of pieces that hold nothing but blocks: attributes of one name in two pieces would go unnoticed.
// It returns nil if a piece is nil or has attributes.
func join(src []byte, pieces []*hcl.File) *hcl.File {
	whole := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
	for i, piece := range pieces {
		if piece == nil {
			return nil
		}
		body := piece.Body.(*hclsyntax.Body)
		if len(body.Attributes) > 0 {
			return nil
		}
		whole.Blocks = append(whole.Blocks, body.Blocks...)
		if i == 0 {
			whole.SrcRange = body.SrcRange
		}
		whole.SrcRange.End, whole.EndRange = body.SrcRange.End, body.EndRange
	}
	return &hcl.File{Body: whole, Bytes: src, Nav: navigation(pieces)}
}

// navigation tells what block of a joined file a byte is in, as the parser's own tells it of a file.
type navigation []*hcl.File

// ContextString returns the header of the block at an offset, or nothing. Diagnostics are printed with it.
func (n navigation) ContextString(offset int) string {
	for _, piece := range n {
		nav := piece.Nav.(interface{ ContextString(int) string })
		if header := nav.ContextString(offset); header != "" {
			return header
		}
	}
	return ""
}

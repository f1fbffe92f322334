package blueprint

import "bytes"

// A plainScan is what a quick look at a native source tells.
type plainScan struct {
	// small says that the source is surely within the limits.
	small bool
	// arithmetic says that it may hold arithmetic operators; it means something only for a small one.
	arithmetic bool
	// cuts are where a block has ended and a line begins, at least pieceSize apart; there are some only in a small one.
	cuts []int
}

// scanPlain looks at a native source at a tenth of the lexer's cost. It knows only quoted strings without templates and
// comments to the end of the line; at anything else, and at the first doubt, it leaves the judgement to the lexer.
func scanPlain(src []byte) plainScan {
	depth, operators, arithmetic := 0, 0, 0
	previous := byte('\n') // the last byte that is no space
	name := false          // inside an identifier, which may hold dashes
	var cuts []int
	last := 0
	for i := 0; i < len(src); i++ {
		c := src[i]
		next := byte(0)
		if i+1 < len(src) {
			next = src[i+1]
		}
		switch c {
		case '"':
			end := endOfPlainString(src, i+1)
			if end < 0 {
				return plainScan{}
			}
			i = end
		case '#':
			i = endOfLine(src, i)
		case '/':
			if next == '*' {
				return plainScan{}
			}
			if next == '/' {
				i = endOfLine(src, i)
				break
			}
			arithmetic++
		case '<':
			if next == '<' {
				return plainScan{}
			}
			operators++
		case '{', '(', '[':
			depth++
			if c == '[' && (isWord(previous) || previous == ']' || previous == ')' || previous == '}' || previous == '"') {
				operators++
			}
		case '}', ')', ']':
			depth--
			if depth == 0 && c == '}' && next == '\n' && i+2-last >= pieceSize && i+2 < len(src) {
				last = i + 2
				cuts = append(cuts, last)
			}
		case '-':
			if !name {
				arithmetic++
			}
		case '+', '*', '%':
			arithmetic++
		case '&', '|', '!', '>', '?':
			operators++
		case '=':
			if next == '=' {
				operators++
			}
		case 'e', 'E':
			if isDigit(previous) || previous == '.' {
				return plainScan{} // perhaps an exponent
			}
		}
		if depth > maxNesting || operators+arithmetic > maxOperators {
			return plainScan{}
		}
		name = name && (isWord(c) || c == '-') || isWord(c) && !isDigit(c) && !isWord(before(src, i))
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			previous = c
		}
	}
	return plainScan{small: true, arithmetic: arithmetic > 0, cuts: cuts}
}

func before(src []byte, i int) byte {
	if i == 0 {
		return 0
	}
	return src[i-1]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// endOfPlainString finds the quote that closes a string, or -1 if the string holds a template or a line's end.
func endOfPlainString(src []byte, from int) int {
	for i := from; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			return i
		case c == '\\':
			i++
		case c == '\n', (c == '$' || c == '%') && i+1 < len(src) && src[i+1] == '{':
			return -1
		}
	}
	return -1
}

// endOfLine finds the next line feed, or the end.
func endOfLine(src []byte, from int) int {
	if n := bytes.IndexByte(src[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(src)
}

// isWord reports whether a byte can belong to an identifier or number, or to a letter beyond ASCII.
func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

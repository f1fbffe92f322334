package blueprint

import "bytes"

// plainlySmall reports whether a native source is surely within the limits, at a tenth of the lexer's cost. It knows
// only quoted strings without templates and comments to the end of the line; at anything else, and at the first doubt,
// it leaves the judgement to the lexer.
func plainlySmall(src []byte) bool {
	depth, operators := 0, 0
	previous := byte('\n') // the last byte that is no space
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
				return false
			}
			i = end
		case '#':
			i = endOfLine(src, i)
		case '/':
			if next == '*' {
				return false
			}
			if next == '/' {
				i = endOfLine(src, i)
			}
			operators++
		case '<':
			if next == '<' {
				return false
			}
			operators++
		case '{', '(', '[':
			depth++
			if c == '[' && (isWord(previous) || previous == ']' || previous == ')' || previous == '}' || previous == '"') {
				operators++
			}
		case '}', ')', ']':
			depth--
		case '+', '-', '*', '%', '&', '|', '!', '>', '?':
			operators++
		case '=':
			if next == '=' {
				operators++
			}
		case 'e', 'E':
			if '0' <= previous && previous <= '9' || previous == '.' {
				return false // perhaps an exponent
			}
		}
		if depth > maxNesting || operators > maxOperators {
			return false
		}
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			previous = c
		}
	}
	return true
}

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
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

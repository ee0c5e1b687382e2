package diff

import "bytes"

// unquote reads a C-quoted path, as git writes one with unusual bytes in it,
// from the start of b, and returns it and what follows the closing quote.
func unquote(b []byte) (path, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, b, false
	}
	out := []byte{}
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return out, b[i+1:], true
		case c != '\\':
			out = append(out, c)
		case i+1 >= len(b):
			return nil, b, false
		default:
			i++
			if n, ok := octal(b[i:]); ok {
				out = append(out, n)
				i += 2
				continue
			}
			plain := bytes.IndexByte([]byte(`abfnrtv\"`), b[i])
			if plain < 0 {
				return nil, b, false
			}
			out = append(out, "\a\b\f\n\r\t\v\\\""[plain])
		}
	}
	return nil, b, false
}

// octal reads a byte from three octal digits.
func octal(b []byte) (byte, bool) {
	if len(b) < 3 || b[0] < '0' || b[0] > '3' {
		return 0, false
	}
	n := byte(0)
	for _, c := range b[:3] {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | (c - '0')
	}
	return n, true
}

package diff

import "bytes"

// binaryPatch passes over the data of a "GIT binary patch": one or two blocks,
// each ended by an empty line. The cursor is on the line that says so.
func (p *parser) binaryPatch() error {
	begin := p.line
	p.advance()
	for blocks := 0; ; blocks++ {
		if !p.has("literal ") && !p.has("delta ") {
			if blocks == 0 {
				return p.errorf(begin, "no binary data follows: the patch is cut short")
			}
			return nil
		}
		_, size, _ := bytes.Cut(p.cur, []byte{' '})
		if _, rest, ok := cutNumber(size); !ok || len(rest) > 0 || blocks == 2 {
			return p.errorf(p.line, "this line of a binary patch cannot be read")
		}
		p.advance()
		for !p.eof && len(p.cur) > 0 {
			if !isBase85Line(p.cur) {
				return p.errorf(p.line, "not a line of binary data")
			}
			p.advance()
		}
		if p.eof {
			return p.errorf(p.line, "the patch ends inside binary data: it is cut short")
		}
		p.advance()
	}
}

// isBase85Line reports whether the length that the first letter tells (A to Z is
// 1 to 26, a to z is 27 to 52 bytes) is that of the line: five letters for four bytes.
func isBase85Line(line []byte) bool {
	n := 0
	switch c := line[0]; {
	case c >= 'A' && c <= 'Z':
		n = int(c-'A') + 1
	case c >= 'a' && c <= 'z':
		n = int(c-'a') + 27
	default:
		return false
	}
	return len(line) == 1+(n+3)/4*5
}

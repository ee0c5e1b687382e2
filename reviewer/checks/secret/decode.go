package secret

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"unicode/utf8"
)

// maxDepth is how often an encoded text is decoded again, as gitleaks does.
const maxDepth = 5

// minRun is the shortest piece that is taken for base64.
const minRun = 16

// decodedLine is a line of a text with what is encoded in it written out.
type decodedLine struct {
	line int // counted from 0
	text []byte
}

// decoded returns the lines of text that hold base64, hexadecimal, percent or
// unicode escapes of printable ASCII, decoded in place.
func decoded(text []byte) []decodedLine {
	var found []decodedLine
	for n := 0; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		for range maxDepth {
			plain, changed := decodeLine(line)
			if !changed {
				break
			}
			line = plain
			found = append(found, decodedLine{n, plain})
		}
	}
	return found
}

// scanDecoded finds credentials in a decoded line.
func (s *ruleset) scanDecoded(ctx context.Context, path string, d decodedLine) ([]Hit, error) {
	hits, err := s.scan(ctx, path, d.text)
	for i := range hits {
		hits[i].Line, hits[i].EndLine = d.line, d.line
		hits[i].What += ", encoded"
	}
	return hits, err
}

func decodeLine(line []byte) ([]byte, bool) {
	if plain, ok := decodePercent(line); ok {
		return plain, true
	}
	if plain, ok := decodeUnicode(line); ok {
		return plain, true
	}
	return decodeRuns(line)
}

var runByte = func() [256]bool {
	table := base64Byte
	table['-'], table['_'], table['='] = true, true, false
	return table
}()

// decodeRuns replaces the runs of base64 and hexadecimal that decode to text.
func decodeRuns(line []byte) ([]byte, bool) {
	var out []byte
	done := 0
	for i := 0; i < len(line); {
		if !runByte[line[i]] {
			i++
			continue
		}
		start := i
		for i < len(line) && runByte[line[i]] {
			i++
		}
		if i-start < minRun {
			continue
		}
		end := i
		for end < len(line) && end < i+2 && line[end] == '=' {
			end++
		}
		if plain, ok := decodeRun(line[start:end]); ok {
			out = append(append(out, line[done:start]...), plain...)
			done, i = end, end
		}
	}
	if done == 0 {
		return nil, false
	}
	return append(out, line[done:]...), true
}

func decodeRun(run []byte) ([]byte, bool) {
	if len(run) >= 32 && len(run)%2 == 0 {
		plain := make([]byte, len(run)/2)
		if _, err := hex.Decode(plain, run); err == nil {
			return plain, printable(plain)
		}
	}
	if !bytes.ContainsAny(run, "0123456789+/-_") {
		return nil, false // words: gitleaks leaves them alone too
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
		var head [12]byte
		if n, err := encoding.Decode(head[:], run[:minRun]); err == nil && !printable(head[:n]) {
			continue
		}
		plain := make([]byte, encoding.DecodedLen(len(run)))
		if n, err := encoding.Decode(plain, run); err == nil && printable(plain[:n]) {
			return plain[:n], true
		}
	}
	return nil, false
}

// printable reports whether text is ASCII that a person could have written.
func printable(text []byte) bool {
	for _, c := range text {
		if c < 0x09 || c >= 0x7f {
			return false
		}
	}
	return len(text) > 0
}

// decodePercent replaces %41 by A, when every escape of the line is printable.
func decodePercent(line []byte) ([]byte, bool) {
	if bytes.IndexByte(line, '%') < 0 {
		return nil, false
	}
	out := make([]byte, 0, len(line))
	changed := false
	for i := 0; i < len(line); i++ {
		if line[i] == '%' && i+2 < len(line) {
			if n, err := strconv.ParseUint(string(line[i+1:i+3]), 16, 8); err == nil {
				if !printable([]byte{byte(n)}) {
					return nil, false
				}
				out = append(out, byte(n))
				i += 2
				changed = true
				continue
			}
		}
		out = append(out, line[i])
	}
	return out, changed
}

// decodeUnicode replaces \u0041 and U+0041 by A.
func decodeUnicode(line []byte) ([]byte, bool) {
	if !bytes.Contains(line, []byte(`\u`)) && !bytes.Contains(line, []byte("U+")) {
		return nil, false
	}
	out := make([]byte, 0, len(line))
	changed := false
	for i := 0; i < len(line); i++ {
		if i+6 <= len(line) && (line[i] == '\\' && line[i+1] == 'u' || line[i] == 'U' && line[i+1] == '+') {
			if n, err := strconv.ParseUint(string(line[i+2:i+6]), 16, 16); err == nil {
				out = utf8.AppendRune(bytes.TrimSuffix(out, []byte(`\`)), rune(n))
				if i += 5; line[i-5] == '+' && i+1 < len(line) && line[i+1] == ' ' {
					i++ // the spaces between code points
				}
				changed = true
				continue
			}
		}
		out = append(out, line[i])
	}
	return out, changed
}

package secret

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"unicode"
)

// sample writes a text that re matches, of a random shape.
func sample(r *rand.Rand, re *syntax.Regexp) string {
	var b strings.Builder
	write(&b, r, re)
	return b.String()
}

func write(b *strings.Builder, r *rand.Rand, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 && r.IntN(2) == 0 {
				c = unicode.ToUpper(c)
			}
			b.WriteRune(c)
		}
	case syntax.OpCharClass:
		b.WriteRune(pick(r, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(byte('a' + r.IntN(26)))
	case syntax.OpCapture:
		write(b, r, re.Sub[0])
	case syntax.OpStar:
		repeat(b, r, re.Sub[0], r.IntN(4))
	case syntax.OpPlus:
		repeat(b, r, re.Sub[0], 1+r.IntN(20))
	case syntax.OpQuest:
		repeat(b, r, re.Sub[0], r.IntN(2))
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 {
			most = re.Min + 30
		}
		repeat(b, r, re.Sub[0], re.Min+r.IntN(most-re.Min+1))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			write(b, r, sub)
		}
	case syntax.OpAlternate:
		write(b, r, re.Sub[r.IntN(len(re.Sub))])
	}
}

func repeat(b *strings.Builder, r *rand.Rand, re *syntax.Regexp, n int) {
	for range n {
		write(b, r, re)
	}
}

// pick prefers the ASCII part of a class.
func pick(r *rand.Rand, ranges []rune) rune {
	var ascii []rune
	for i := 0; i < len(ranges); i += 2 {
		for c := ranges[i]; c <= ranges[i+1] && c < 0x7f; c++ {
			ascii = append(ascii, c)
		}
	}
	if len(ascii) == 0 {
		return ranges[0]
	}
	return ascii[r.IntN(len(ascii))]
}

package glob

import (
	"strings"
	"unicode/utf8"
)

// part is what a pattern says about one part of a path.
type part struct {
	text    string // with runs of stars made one
	folders bool   // **/: any number of folders
	open    bool   // a trailing **: matches whatever follows too
	literal bool   // no * and no ?
	suffix  bool   // a star and then plain text
}

func newPart(text string, folders, last bool) part {
	if folders {
		return part{text: "**", folders: true}
	}
	p := part{open: last && strings.HasSuffix(text, "**")}
	for strings.Contains(text, "**") {
		text = strings.ReplaceAll(text, "**", "*")
	}
	p.text = text
	p.literal = !strings.ContainsAny(text, "*?")
	p.suffix = strings.HasPrefix(text, "*") && !strings.ContainsAny(text[1:], "*?")
	return p
}

// match reports whether the part matches a whole name. A star first takes
// nothing; when what follows does not fit, the last one takes a character more.
func (p part) match(name string) bool {
	switch {
	case p.literal:
		return p.text == name
	case p.suffix:
		return strings.HasSuffix(name, p.text[1:])
	}
	text := p.text
	i, j := 0, 0
	star, starAt := -1, 0
	for j < len(name) {
		switch {
		case i < len(text) && text[i] == '*':
			star, starAt = i, j
			i++
		case i < len(text) && text[i] == '?':
			_, size := utf8.DecodeRuneInString(name[j:])
			i, j = i+1, j+size
		case i < len(text) && text[i] == name[j]:
			i, j = i+1, j+1
		case star >= 0:
			_, size := utf8.DecodeRuneInString(name[starAt:])
			starAt += size
			i, j = star+1, starAt
		default:
			return false
		}
	}
	for i < len(text) && text[i] == '*' {
		i++
	}
	return i == len(text)
}

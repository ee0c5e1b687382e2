package checks

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/finding"
)

var hiddenCheck = check{
	Info: Info{
		ID:       prefix + "hidden-text",
		What:     "Characters on an added line that a reader does not see, sees in another order, or takes for others.",
		Why:      "What is read in the review is not what the compiler or a model reads.",
		Severity: finding.Blocker,
		Category: finding.Security,
	},
	needs: patchOnly,
	run:   findHidden,
}

// translated matches files of texts in many languages, where direction marks
// and joiners are ordinary spelling.
var translated = expr(`(?i)(?:^|/)(?:locales?|i18n|l10n|lang|langs|languages|translations?|messages)/|\.(?:po|pot|xlf|xliff|arb|strings|resx|ftl)$|(?:^|/)messages[._-]`)

// settingNames matches files that programs read word by word. In pages and other
// markup an invisible space is a means of layout.
var settingNames = expr(`(?i)\.(?:json|jsonc|ya?ml|toml|ini|cfg|conf|properties|env|tf|hcl|gradle|csproj)$|(?:^|/)(?:Dockerfile|Makefile|Jenkinsfile)[^/]*$`)

func findHidden(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.kind.vendored || f.kind.lock || translated.inString(f.path) {
			continue
		}
		if f.kind.language == "" && s.looksBinary(f) { // a compiler reads a source file whatever is in it
			out.note("%s looks like data and not like text, so it was not read for hidden characters", f.path)
			continue
		}
		for l := range s.added(f) {
			if !s.moved(l.text) {
				lookClosely(f, l, out)
			}
		}
	}
}

// lookClosely reports the first suspicious character of a line.
func lookClosely(f *file, l line, out *sink) {
	if plain(l.text) {
		return
	}
	code := f.kind.language != "" || settingNames.inString(f.path)
	runes := []rune(string(l.text))
	for i, r := range runes {
		if r < utf8.RuneSelf && r != '\b' && r != '\r' {
			continue
		}
		why, severity := suspicion(runes, i, l.number, code)
		if why == "" {
			continue
		}
		if f.kind.fixture || f.kind.test { // tests of text handling need such input
			if severity != finding.Blocker {
				continue
			}
			severity = finding.Minor
		}
		out.reportAs(severity, f.path, l.number, 0.9, fmt.Sprintf("The line holds U+%04X, %s. Delete it, or write it as an escape so that everybody sees it.", r, why))
		return
	}
	if word := disguised(string(l.text)); word != "" && code && !f.kind.test && !f.kind.fixture {
		out.reportAs(finding.Major, f.path, l.number, 0.85, fmt.Sprintf("The word %s mixes Latin letters with Cyrillic or Greek ones that look the same (%s). It is another name than the one it shows: type it again in one alphabet.", quoted(word), spell(word)))
	}
}

// plain reports whether a line holds nothing that could be hidden.
func plain(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf || c == '\b' || c == '\r' {
			return false
		}
	}
	return true
}

// suspicion says what is wrong with the character at i, "" when nothing is.
func suspicion(runes []rune, i, number int, code bool) (string, finding.Severity) {
	r := runes[i]
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		if !code && r != 0x202d && r != 0x202e {
			return "", ""
		}
		return "a control that makes the rest of the line read in another direction than it is compiled", finding.Blocker
	case r == '\b', r == '\r' && i+1 < len(runes) && returns(runes) <= maxReturns:
		return "a control that lets a terminal overwrite what was printed before it", finding.Major
	case r >= 0xe0000 && r <= 0xe007f:
		if within(runes, i, 0x1f3f4) {
			return "", "" // the flags of England, Scotland and Wales
		}
		return "an invisible tag character, which can carry a hidden message", finding.Blocker
	case r >= 0xe0100 && r <= 0xe01ef && (i == 0 || !unicode.Is(unicode.Han, runes[i-1])):
		return "an invisible variation selector, which can carry a hidden message", finding.Blocker
	case !code:
		return "", "" // what is copied from a page brings such characters, and documents show them
	case r == 0xfeff && !(i == 0 && number == 1), r == 0x2060, r == 0x180e, r == 0x3164, r == 0xffa0, r == 0x115f, r == 0x1160:
		return "an invisible character inside the text", finding.Major
	case r == 0x200b, r == 0x00ad:
		return "an invisible space", finding.Major
	case (r == 0x200c || r == 0x200d) && amongASCII(runes, i):
		return "an invisible joiner between Latin letters", finding.Major
	}
	return "", ""
}

// maxReturns is how many carriage returns a line may hold and still be one line:
// a file with the line ends of old Macs is one long line to git.
const maxReturns = 10

func returns(runes []rune) int {
	n := 0
	for _, r := range runes {
		if r == '\r' {
			n++
		}
	}
	return n
}

// within reports whether one of the seven characters before i is wanted.
func within(runes []rune, i int, wanted rune) bool {
	for j := max(0, i-7); j < i; j++ {
		if runes[j] == wanted {
			return true
		}
	}
	return false
}

// amongASCII reports whether the character at i has ASCII on both sides, where no
// script and no emoji needs a joiner.
func amongASCII(runes []rune, i int) bool {
	return (i == 0 || runes[i-1] < utf8.RuneSelf) && (i+1 == len(runes) || runes[i+1] < utf8.RuneSelf)
}

// lookalikes are the Cyrillic and Greek letters that common fonts draw like
// Latin ones, after Unicode's confusables.txt.
const lookalikes = "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443\u04bb\u0501\u051b\u051d" +
	"\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423" +
	"\u03bf\u039f\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u03a1\u03a4\u03a5\u03a7"

// disguised returns the first word of a line that is Latin but for letters that
// only look so; "" when there is none. A word with other foreign letters in it
// is foreign and hides nothing.
func disguised(text string) string {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		latin, alike, foreign := 0, 0, 0
		for _, r := range word {
			switch {
			case r < utf8.RuneSelf && unicode.IsLetter(r):
				latin++
			case strings.ContainsRune(lookalikes, r):
				alike++
			case r >= utf8.RuneSelf:
				foreign++
			}
		}
		if alike > 0 && foreign == 0 && latin > 1 {
			return word
		}
	}
	return ""
}

// spell names the characters of a word that are not ASCII.
func spell(word string) string {
	var all string
	for _, r := range word {
		if r >= utf8.RuneSelf {
			if all != "" {
				all += ", "
			}
			all += fmt.Sprintf("U+%04X", r)
		}
	}
	return all
}

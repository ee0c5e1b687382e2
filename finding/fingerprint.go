package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Fingerprint is the identity of f, given the text of the line it stands on
// ("" when there is none). It is made of category, path, title (or message
// where there is no title) and that text, never of the line number, so it
// survives a rebase and code that moves up or down in its file.
//
// It has two halves joined by a dash: 16 hex digits of all four, and 16 of all
// but the path. Two equal lines in two files are therefore two issues, so that
// dismissing one never hides the other, and SameMoved still knows an issue whose
// file was renamed. Case, blanks and digits of the words do not count, nor do
// blanks of the line: a reviewer's "line 12" and a new indentation change
// nothing.
func Fingerprint(f Finding, line string) string {
	words := f.Title
	if words == "" {
		words = f.Message
	}
	content := digest(string(f.Category), plainWords(words), strings.Join(strings.Fields(line), " "))
	return digest(content, f.File) + "-" + content
}

// SameMoved reports whether two fingerprints are of one issue in a file that
// has another path now. It is for an issue whose own fingerprint is gone: copies
// of one mistake in two files are the same by it too.
func SameMoved(a, b string) bool {
	contentA, contentB := contentHalf(a), contentHalf(b)
	return contentA != "" && contentA == contentB
}

// contentHalf returns what a fingerprint says besides the path, "" when it is
// none of ours.
func contentHalf(fingerprint string) string {
	_, content, _ := strings.Cut(fingerprint, "-")
	content, _, _ = strings.Cut(content, ".")
	return content
}

// Stamp returns findings with Fingerprint set, each unique within the list:
// of several with one identity, the second by line gets ".2" at its end, and
// so on. text returns a line of the new version of a file, "" when it has none.
func Stamp(findings []Finding, text func(file string, line int) string) []Finding {
	stamped := slices.Clone(findings)
	order := make([]int, len(stamped))
	for i := range stamped {
		stamped[i].Fingerprint = Fingerprint(stamped[i], text(stamped[i].File, stamped[i].Line))
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return stamped[a].Line - stamped[b].Line })
	seen := make(map[string]int, len(stamped))
	for _, i := range order {
		identity := stamped[i].Fingerprint
		seen[identity]++
		if n := seen[identity]; n > 1 {
			stamped[i].Fingerprint = fmt.Sprintf("%s.%d", identity, n)
		}
	}
	return stamped
}

// digest hashes parts so that no two lists of parts are one text.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// plainWords lowers the letters of s, makes # of each run of digits and one
// blank of everything else.
func plainWords(s string) string {
	var b strings.Builder
	last := ' '
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			r = '#'
		case unicode.IsLetter(r):
			r = unicode.ToLower(r)
		default:
			r = ' '
		}
		if r != last || r != ' ' && r != '#' {
			b.WriteRune(r)
		}
		last = r
	}
	return strings.TrimSpace(b.String())
}

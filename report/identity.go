package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"github.com/reviewgate/reviewgate/finding"
)

// identities hands out one key per finding of a document: the fingerprint that
// the gate has set, made unique with an ordinal when a document holds it twice.
// Forges track a finding over time by it, so the line number is no part of it.
type identities map[string]int

func (seen identities) of(f finding.Finding) string {
	key := f.Fingerprint
	if key == "" {
		key = fallbackFingerprint(f)
	}
	seen[key]++
	if n := seen[key]; n > 1 {
		return fmt.Sprintf("%s-%d", key, n)
	}
	return key
}

// fallbackFingerprint serves findings that carry none: of a report stored by
// hand, or written before the gate set one.
func fallbackFingerprint(f finding.Finding) string {
	words := strings.Join(strings.Fields(strings.ToLower(wholeMessage(f))), " ")
	sum := sha256.Sum256([]byte(string(f.Category) + "\x00" + f.File + "\x00" + words))
	return hex.EncodeToString(sum[:16])
}

// ruleName returns a stable id of what a finding violates: its category, and the
// rule it names below that. One rule of a repository may lead to findings of
// several categories.
func ruleName(f finding.Finding) string {
	return strings.TrimSuffix(oneLine(string(f.Category))+"/"+oneLine(f.Rule), "/")
}

// maxPath is how long a path can be: git reads no longer one.
const maxPath = 4096

// relativeURI returns a path of the repository as a relative URI, and false when
// the path leaves the repository or cannot be one. Everything outside the unreserved characters
// of RFC 3986 is percent-encoded, the colon too: "a:b" must not be a scheme.
func relativeURI(name string) (string, bool) {
	if name == "" || len(name) > maxPath || strings.HasPrefix(name, "/") {
		return "", false
	}
	segments := strings.Split(name, "/")
	for i, s := range segments {
		if s == ".." {
			return "", false
		}
		segments[i] = strings.ReplaceAll(url.PathEscape(s), ":", "%3A")
	}
	return strings.TrimPrefix(strings.Join(segments, "/"), "./"), true
}

// replacement returns the text that a finding suggests for its lines, when a
// tool may apply it: whole, and with nothing in it that cannot be seen.
func replacement(f finding.Finding) (string, bool) {
	s := f.Suggestion
	if s == "" || f.Line < 1 || len(s) > maxMessage || visible(s) != s {
		return "", false
	}
	return strings.TrimRight(s, "\n"), true
}

package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/finding"
)

// A finding of category secret-in-code points at a line with a live credential.
// Reports travel further than the repository: into build logs, artifacts, mails.
// So an excerpt shows where the secret is and how it begins, never the secret,
// and that also in the excerpts of other findings near by.

var (
	quotedValue = regexp.MustCompile("\"[^\"]{6,}\"|'[^']{6,}'|`[^`]{6,}`")
	plainValue  = regexp.MustCompile(`[=:]\s*[^\s"'` + "`" + `,;]{6,}`)
	longValue   = regexp.MustCompile(`[A-Za-z0-9+/=_.~-]{16,}`)
	secretLooks = regexp.MustCompile(`[A-Za-z0-9+/=_-]{20,}`)
	valuePrefix = regexp.MustCompile(`^[=:]\s*`)
)

// maxShownHead is how many characters of a secret are shown: enough to tell
// which one it is. It is a quarter of the secret at most.
const maxShownHead = 4

// secretLines is where the secrets of a change are: by file, the lines that a
// finding points at.
type secretLines map[string]map[int]bool

func secretsOf(findings []finding.Finding) secretLines {
	lines := secretLines{}
	for _, f := range findings {
		if f.Category != finding.SecretInCode {
			continue
		}
		if lines[f.File] == nil {
			lines[f.File] = map[int]bool{}
		}
		for l := f.Line; l <= min(lastLine(f), f.Line+excerptLines); l++ {
			lines[f.File][l] = true
		}
	}
	return lines
}

// mask hides the secrets in one line of a file.
func (s secretLines) mask(file string, line Line) Line {
	flagged, ok := s[file]
	switch {
	case !ok:
	case flagged[line.New]:
		line.Text = quotedValue.ReplaceAllStringFunc(line.Text, maskQuoted)
		line.Text = plainValue.ReplaceAllStringFunc(line.Text, maskPlain)
		line.Text = longValue.ReplaceAllStringFunc(line.Text, maskValue)
	default: // a key of several lines, or the line that it replaces
		line.Text = secretLooks.ReplaceAllStringFunc(line.Text, func(v string) string {
			if strings.IndexFunc(v, unicode.IsDigit) < 0 {
				return v
			}
			return maskValue(v)
		})
	}
	return line
}

func maskQuoted(s string) string { return s[:1] + maskValue(s[1:len(s)-1]) + s[len(s)-1:] }

func maskPlain(s string) string {
	prefix := valuePrefix.FindString(s)
	return prefix + maskValue(s[len(prefix):])
}

// maskValue keeps the head of a value. What has been masked already stays.
func maskValue(v string) string {
	n := utf8.RuneCountInString(v)
	if strings.HasSuffix(v, "…") && n <= maxShownHead+1 {
		return v
	}
	return string([]rune(v)[:min(maxShownHead, n/4)]) + "…"
}

package policy

import (
	"fmt"
	"slices"
	"strings"
)

// ParseVerdict returns the verdict that word names, whatever its case. Any other
// word is an error: there is no verdict to fall back on.
func ParseVerdict(word string) (Verdict, error) {
	v := Verdict(strings.ToLower(strings.TrimSpace(word)))
	if !slices.Contains(Verdicts, v) {
		return "", fmt.Errorf("%q is not one of merge, hold, block", word)
	}
	return v, nil
}

// rank orders verdicts, most permissive first. A value that is no verdict ranks
// as Hold: it is never permission.
func (v Verdict) rank() int {
	if i := slices.Index(Verdicts, v); i >= 0 {
		return i
	}
	return slices.Index(Verdicts, Hold)
}

// Worse reports whether v is less permissive than other.
func (v Verdict) Worse(other Verdict) bool { return v.rank() > other.rank() }

// AtLeast reports whether v is other or less permissive: Block is at least
// Hold.
func (v Verdict) AtLeast(other Verdict) bool { return v.rank() >= other.rank() }

package proc

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whatever the pieces are that output arrives in, what is kept is a beginning
// and an end of it, and the number between them is the number of bytes missing.
func TestCappedKeepsHeadAndTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		parts := rapid.SliceOf(rapid.SliceOfN(rapid.SampledFrom([]byte("ab\n")), 0, 40)).Draw(t, "parts")
		c := newCapped(limit)
		for _, p := range parts {
			c.Write(bytes.Clone(p))
		}
		all, got := string(bytes.Join(parts, nil)), string(c.Bytes())
		if len(all) <= limit {
			if got != all || c.Truncated() {
				t.Fatalf("kept %q of %q", got, all)
			}
			return
		}
		before, after, ok := strings.Cut(got, "[… ")
		var cut int
		if _, err := fmt.Sscanf(after, "%d", &cut); !ok || err != nil {
			t.Fatalf("no cut line in %q", got)
		}
		_, tail, _ := strings.Cut(after, "…]\n")
		head := before
		if !strings.HasPrefix(all, head) {
			head = strings.TrimSuffix(before, "\n") // added to end the line
		}
		if !strings.HasPrefix(all, head) || !strings.HasSuffix(all, tail) || len(head)+len(tail) > limit+1 {
			t.Fatalf("limit %d: %q is not head and tail of %q", limit, got, all)
		}
		if missing := len(all) - len(head) - len(tail); cut != missing && cut != missing+1 {
			t.Fatalf("limit %d: %q says %d are missing, not %d", limit, got, cut, missing)
		}
	})
}

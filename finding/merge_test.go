package finding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pmezard/go-difflib/difflib"
	"pgregory.net/rapid"
)

// say is a finding of one file with a title and a message.
func say(line int, s Severity, title, message string) Finding {
	return Finding{File: "a.go", Line: line, Severity: s, Category: Style, Title: title, Message: message, Confidence: 0.9}
}

func TestMerge(t *testing.T) {
	const leak = "The file is opened and never closed when reading fails."
	other := func(f Finding, file string) Finding { f.File = file; return f }
	for _, tt := range []struct {
		name     string
		in, want []Finding
	}{
		{"lines 10 and 12 merge, line 50 stays",
			[]Finding{say(10, Minor, "File leak", leak), say(12, Minor, "File leaks", leak), say(50, Minor, "File leak", leak)},
			[]Finding{say(10, Minor, "File leak", leak+"\n\n(Also flagged at line 12: File leaks)"), say(50, Minor, "File leak", leak)}},
		{"different files with the same title do not merge",
			[]Finding{say(10, Minor, "File leak", leak), other(say(10, Minor, "File leak", leak), "b.go")},
			[]Finding{say(10, Minor, "File leak", leak), other(say(10, Minor, "File leak", leak), "b.go")}},
		{"five lines apart merge", []Finding{say(10, Minor, "File leak", leak), say(15, Minor, "File leak", leak)},
			[]Finding{say(10, Minor, "File leak", leak+"\n\n(Also flagged at line 15: File leak)")}},
		{"five lines before merge", []Finding{say(15, Minor, "File leak", leak), say(10, Minor, "File leak", leak)},
			[]Finding{say(15, Minor, "File leak", leak+"\n\n(Also flagged at line 10: File leak)")}},
		{"six lines apart do not", []Finding{say(10, Minor, "File leak", leak), say(16, Minor, "File leak", leak)},
			[]Finding{say(10, Minor, "File leak", leak), say(16, Minor, "File leak", leak)}},
		{"other words do not", []Finding{say(10, Minor, "File leak", leak), say(10, Minor, "Unclear name", "Nobody can tell what x stands for.")},
			[]Finding{say(10, Minor, "File leak", leak), say(10, Minor, "Unclear name", "Nobody can tell what x stands for.")}},
		{"categories play no part", []Finding{say(10, Minor, "File leak", leak), func() Finding { f := say(11, Minor, "File leak", leak); f.Category = Correctness; return f }()},
			[]Finding{say(10, Minor, "File leak", leak+"\n\n(Also flagged at line 11: File leak)")}},
		{"the most severe stays, at its own place",
			[]Finding{say(10, Minor, "File leak", leak), say(30, Minor, "Unclear name", "Nobody can tell what x stands for."), say(12, Blocker, "File leaks", leak)},
			[]Finding{say(30, Minor, "Unclear name", "Nobody can tell what x stands for."), say(12, Blocker, "File leaks", leak+"\n\n(Also flagged at line 10: File leak)")}},
		{"the first is the anchor: no chain from 10 over 14 to 18",
			[]Finding{say(10, Minor, "File leak", leak), say(14, Minor, "File leak", leak), say(18, Minor, "File leak", leak)},
			[]Finding{say(10, Minor, "File leak", leak+"\n\n(Also flagged at line 14: File leak)"), say(18, Minor, "File leak", leak)}},
		{"each merged one gets its footnote",
			[]Finding{say(10, Major, "File leak", leak), say(11, Minor, "", leak), say(12, Minor, "Leak of a file", leak)},
			[]Finding{say(10, Major, "File leak", leak+"\n\n(Also flagged at line 11: "+leak+")\n(Also flagged at line 12: Leak of a file)")}},
		{"nothing", nil, []Finding{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Merge(tt.in)); diff != "" {
				t.Errorf("Merge (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMergeBoundsItsFootnotes(t *testing.T) {
	var in []Finding
	for range 30 {
		in = append(in, say(10, Minor, "", strings.Repeat("x", 200)))
	}
	got := Merge(in)
	if len(got) != 1 {
		t.Fatalf("Merge left %d of 30 equal findings, want 1", len(got))
	}
	if n := strings.Count(got[0].Message, "(Also flagged at line 10: "+strings.Repeat("x", 80)+"…)"); n != 20 {
		t.Errorf("%d footnotes, want 20: %s", n, got[0].Message)
	}
	if want := "\n(Also flagged 9 more times)"; !strings.HasSuffix(got[0].Message, want) {
		t.Errorf("message ends %q, want %q", got[0].Message[len(got[0].Message)-60:], want)
	}
}

func TestAlike(t *testing.T) {
	long := strings.Repeat("The same long explanation of what goes wrong here, word for word. ", 5)[:294]
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "abc", "abc", true},
		{"both empty", "", "", true},
		{"one empty", "abc", "", false},
		{"exactly 0.7 is not enough", "abcdefgxyz", "abcdefguvw", false},
		{"a little more is", "abcdefghyz", "abcdefghvw", true},
		{"one message of 294 characters under two titles: letters that are frequent are no junk", "Title one " + long, "Quite another " + long, true},
		{"the same letters in another order", "abcdefghij", "jihgfedcba", false},
		{"characters count, not bytes", "äöüäöüä___", "äöüäöüä+++", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMatcher()
			m.setAnchor(tt.a)
			if got := m.similar(tt.b); got != tt.want {
				t.Errorf("%q and %q are alike: %v, want %v", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

// oracle is the ratio of go-difflib without junk, as integers.
func oracle(a, b string) bool {
	if b < a {
		a, b = b, a
	}
	split := func(s string) []string { return strings.Split(s, "") }
	matching := 0
	for _, block := range difflib.NewMatcherWithJunk(split(a), split(b), false, nil).GetMatchingBlocks() {
		matching += block.Size
	}
	return a == b || 20*matching > 7*(len([]rune(a))+len([]rune(b)))
}

// prose draws texts that share many words, so that ratios lie around 0.7.
func prose(t *rapid.T, name string) string {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{
		"the", "file", "leaks", "is", "never", "closed", "token", "token's", "reading", "größer", "naïve", "x", "SELECT", "  ", "…",
	}), 0, 14).Draw(t, name)
	return strings.Join(words, " ")
}

func TestAlikeAgreesWithTheOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMatcher() // kept over several anchors, as in Merge
		for range 3 {
			a := rapid.OneOf(rapid.Custom(func(t *rapid.T) string { return prose(t, "a") }), rapid.StringOfN(rapid.RuneFrom([]rune("abcä")), 0, 200, -1)).Draw(t, "anchor")
			m.setAnchor(a)
			for range 3 {
				b := rapid.OneOf(rapid.Custom(func(t *rapid.T) string { return prose(t, "b") }), rapid.StringOfN(rapid.RuneFrom([]rune("abcä")), 0, 200, -1)).Draw(t, "other")
				if got, want := m.similar(b), oracle(a, b); got != want {
					t.Fatalf("%q and %q are alike: %v, the oracle says %v", a, b, got, want)
				}
			}
		}
	})
}

func TestAlikeIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := prose(t, "a"), prose(t, "b")
		m, n := newMatcher(), newMatcher()
		m.setAnchor(a)
		n.setAnchor(b)
		if m.similar(b) != n.similar(a) {
			t.Fatalf("%q and %q are alike one way only", a, b)
		}
	})
}

// mergeByOracle is Merge as its comment says it, without any bound in front.
func mergeByOracle(in []Finding) []Finding {
	group := make([]int, len(in))
	for i := range in {
		group[i] = i
		for anchor := range i {
			near := in[i].Line-in[anchor].Line <= MergeDistance && in[anchor].Line-in[i].Line <= MergeDistance
			if group[anchor] == anchor && in[i].File == in[anchor].File && near && oracle(comparedText(in[anchor]), comparedText(in[i])) {
				group[i] = anchor
				break
			}
		}
	}
	return join(in, group)
}

func TestMergeAgreesWithTheOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Finding {
			return Finding{
				File: rapid.SampledFrom([]string{"a.go", "b.go"}).Draw(t, "file"), Line: rapid.IntRange(1, 15).Draw(t, "line"),
				Severity: rapid.SampledFrom(Severities).Draw(t, "severity"), Title: prose(t, "title"), Message: prose(t, "message"),
			}
		}), 0, 12).Draw(t, "findings")
		if diff := cmp.Diff(mergeByOracle(in), Merge(in)); diff != "" {
			t.Fatalf("Merge (-oracle +got):\n%s", diff)
		}
	})
}

func TestAnExhaustedMatcherMergesNothing(t *testing.T) {
	in := []Finding{say(1, Minor, "", "The name x says nothing."), say(1, Minor, "", "The name x says nothing.")}
	m := newMatcher()
	m.work = m.budget + 1
	anchors := []int{0, 1}
	m.group(in, []int{0, 1}, anchors)
	if diff := cmp.Diff([]int{0, 1}, anchors); diff != "" {
		t.Errorf("anchors (-want +got):\n%s", diff)
	}
}

// Each of these lists would take hours if every pair were compared in full.
func TestMergeOfAHostileListEnds(t *testing.T) {
	const budget = maxWork / 64
	for _, tt := range []struct {
		name string
		text func(i int) string
	}{
		{"two letters in turn", func(i int) string { return strings.Repeat("ab", 900) + strings.Repeat(fmt.Sprint(i), 300) }},
		{"a letter of its own each", func(i int) string { return strings.Repeat(string(rune(0x4e00+i)), 2_000) }},
		{"half of it alike", func(i int) string {
			return strings.Repeat("a", 1_000+i%7) + strings.Repeat(string(rune(0x4e00+i)), 1_000)
		}},
		{"all letters there are", func(i int) string {
			var b strings.Builder
			for r := range 1_900 {
				b.WriteRune(rune(0x4e00 + (i*1_900+r)%20_000))
			}
			return b.String()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in []Finding
			var index, anchors []int
			for i := range 2_000 {
				in, index, anchors = append(in, say(1, Minor, "", tt.text(i))), append(index, i), append(anchors, i)
			}
			m := newMatcher()
			m.budget = budget
			m.group(in, index, anchors)
			if work := m.work + m.blocks.work*blockCost; work > 2*budget {
				t.Errorf("%d steps were taken, %d are allowed", work, budget)
			}
		})
	}
}

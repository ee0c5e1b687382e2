package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseVerdict(t *testing.T) {
	for _, tt := range []struct {
		word string
		want Verdict
		err  string
	}{
		{"merge", Merge, ""}, {"hold", Hold, ""}, {"block", Block, ""}, {" Merge ", Merge, ""},
		{"approve", "", `"approve" is not one of merge, hold, block`}, {"", "", `"" is not one of merge, hold, block`},
	} {
		got, err := ParseVerdict(tt.word)
		msg := ""
		if err != nil {
			msg = err.Error()
		}
		if got != tt.want || msg != tt.err {
			t.Errorf("ParseVerdict(%q) = %q, %q, want %q, %q", tt.word, got, msg, tt.want, tt.err)
		}
	}
}

func TestVerdictOrder(t *testing.T) {
	for _, tt := range []struct {
		a, b           Verdict
		worse, atLeast bool
	}{
		{Merge, Merge, false, true}, {Merge, Hold, false, false}, {Merge, Block, false, false},
		{Hold, Merge, true, true}, {Hold, Hold, false, true}, {Hold, Block, false, false},
		{Block, Merge, true, true}, {Block, Hold, true, true}, {Block, Block, false, true},
		{"", Merge, true, true}, {"odd", Hold, false, true}, // no verdict is never permission
	} {
		if got := tt.a.Worse(tt.b); got != tt.worse {
			t.Errorf("%q.Worse(%q) = %v, want %v", tt.a, tt.b, got, tt.worse)
		}
		if got := tt.a.AtLeast(tt.b); got != tt.atLeast {
			t.Errorf("%q.AtLeast(%q) = %v, want %v", tt.a, tt.b, got, tt.atLeast)
		}
	}
}

func TestParseKey(t *testing.T) {
	got, err := ParseKey([]byte("pr-01: block\npr-02: merge\n"), "KEY.yaml")
	if diff := cmp.Diff(map[string]Verdict{"pr-01": Block, "pr-02": Merge}, got); diff != "" || err != nil {
		t.Errorf("ParseKey: %v (-want +got):\n%s", err, diff)
	}
	if _, err := ParseKey([]byte("pr-01: yes\n"), "KEY.yaml"); err == nil {
		t.Error("ParseKey accepted a decision that is none")
	}
}

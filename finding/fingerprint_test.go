package finding

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFingerprint(t *testing.T) {
	base := Finding{File: "web/src/api.ts", Line: 3, Category: SecretInCode, Severity: Blocker, Message: "A token is written into line 3.", Confidence: 0.9}
	const line = `const TOKEN = "x";`
	and := func(change func(*Finding)) Finding {
		f := base
		change(&f)
		return f
	}
	for _, tt := range []struct {
		name        string
		f           Finding
		line        string
		same, moved bool
	}{
		{"it survives a shift of the line", and(func(f *Finding) { f.Line, f.EndLine = 40, 41 }), line, true, true},
		{"a line number inside the message does not count", and(func(f *Finding) { f.Message = "A token is written into line 1234." }), line, true, true},
		{"case, blanks and punctuation of the message do not count", and(func(f *Finding) { f.Message = "a TOKEN is  written into line 3" }), line, true, true},
		{"a new indentation does not count", base, "\t\t" + `const  TOKEN = "x";` + "  ", true, true},
		{"severity, confidence, rule and reviewer do not count",
			and(func(f *Finding) { f.Severity, f.Confidence, f.Rule, f.Reviewer = Minor, 0.1, "x", "y" }), line, true, true},
		{"another line of code is another issue", base, `const TOKEN = "y";`, false, false},
		{"another message is another issue", and(func(f *Finding) { f.Message = "The name says nothing about it." }), line, false, false},
		{"another category is another issue", and(func(f *Finding) { f.Category = Style }), line, false, false},
		{"the same line in another file is another issue, and known as moved", and(func(f *Finding) { f.File = "web/lib/client.ts" }), line, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := Fingerprint(base, line), Fingerprint(tt.f, tt.line)
			if got := a == b; got != tt.same {
				t.Errorf("%s and %s are equal: %v, want %v", a, b, got, tt.same)
			}
			if got := SameMoved(a, b); got != tt.moved {
				t.Errorf("SameMoved(%s, %s) = %v, want %v", a, b, got, tt.moved)
			}
		})
	}
}

func TestFingerprintPrefersTheTitle(t *testing.T) {
	a := Finding{File: "a.go", Category: Style, Title: "Unclear name", Message: "The name x says nothing."}
	b := Finding{File: "a.go", Category: Style, Title: "Unclear name", Message: "Nobody can tell what x is."}
	if Fingerprint(a, "x := 1") != Fingerprint(b, "x := 1") {
		t.Error("a new wording under the same title is a new issue, want the same")
	}
}

func TestFingerprintIsStableAcrossReleases(t *testing.T) {
	f := Finding{File: "a.go", Line: 1, Category: Style, Message: "The name x says nothing."}
	got := Fingerprint(f, "x := 1")
	if !regexp.MustCompile(`^[0-9a-f]{16}-[0-9a-f]{16}$`).MatchString(got) {
		t.Errorf("Fingerprint = %q, want two halves of 16 hex digits", got)
	}
	if want := "161c1a55c2e55240-e365395d6e289ef5"; got != want {
		t.Errorf("Fingerprint = %q, want %q: dismissals stored by users would be lost", got, want)
	}
}

func TestSameMovedWantsFingerprints(t *testing.T) {
	if SameMoved("", "") || SameMoved("abc", "abc") {
		t.Error("SameMoved of what is no fingerprint = true, want false")
	}
}

func TestStampMakesEqualIssuesDistinct(t *testing.T) {
	f := Finding{File: "a.go", Category: Style, Message: "The name x says nothing."}
	at := func(line int) Finding { f := f; f.Line = line; return f }
	text := func(string, int) string { return "x := 1" }
	id := Fingerprint(f, "x := 1")
	got := []string{}
	for _, f := range Stamp([]Finding{at(30), at(10), at(20)}, text) {
		got = append(got, f.Fingerprint)
	}
	if diff := cmp.Diff([]string{id + ".3", id, id + ".2"}, got); diff != "" {
		t.Errorf("Stamp numbers by line (-want +got):\n%s", diff)
	}
	if !SameMoved(id, id+".2") {
		t.Error("SameMoved does not see through the number of an equal issue")
	}
}

package finding

import "testing"

func TestParseSeverity(t *testing.T) {
	for _, tt := range []struct {
		word string
		want Severity
	}{
		{"blocker", Blocker}, {"major", Major}, {"minor", Minor},
		{"critical", Blocker}, {"warning", Major}, {"suggestion", Minor},
		{"CRITICAL", Blocker}, {"HIGH", Major}, {"MEDIUM", Minor}, {"LOW", Minor},
		{"nit", Minor}, {" Blocker ", Blocker},
		{"cirtical", Major}, {"", Major}, {"info", Major}, // never lighter by being misspelt
	} {
		if got := ParseSeverity(tt.word); got != tt.want {
			t.Errorf("ParseSeverity(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}

func TestSeverityRank(t *testing.T) {
	for _, tt := range []struct {
		s    Severity
		want int
	}{{Blocker, 0}, {Major, 1}, {Minor, 2}, {"", 1}, {"odd", 1}} {
		if got := tt.s.Rank(); got != tt.want {
			t.Errorf("%q.Rank() = %d, want %d", tt.s, got, tt.want)
		}
	}
}

func TestParseCategory(t *testing.T) {
	for _, tt := range []struct {
		word  string
		want  Category
		known bool
	}{
		{"security", Security, true}, {"Secret-In-Code", SecretInCode, true}, {" style ", Style, true},
		{"code_style", Style, true}, {"naming", Style, true}, {"formatting", Style, true},
		{"best_practices", BestPractices, true}, {"reliability", BestPractices, true}, {"maintainability", BestPractices, true},
		{"error_handling", ErrorHandling, true},
		{"typos", "typos", false}, {"", "", false},
	} {
		if got, known := ParseCategory(tt.word); got != tt.want || known != tt.known {
			t.Errorf("ParseCategory(%q) = %q, %v, want %q, %v", tt.word, got, known, tt.want, tt.known)
		}
	}
	for _, c := range Categories {
		if got, known := ParseCategory(string(c)); got != c || !known {
			t.Errorf("ParseCategory(%q) = %q, %v, want itself", c, got, known)
		}
	}
}

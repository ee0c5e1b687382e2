package finding

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNormalisePaths(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		changed    []string
		want       string
	}{
		{"a changed path stays", "web/src/api.ts", []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"a file whose name has a backslash stays", `odd\name.go`, []string{`odd\name.go`, "odd/name.go"}, `odd\name.go`},
		{"./ goes", "./web/src/api.ts", []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"backslashes turn", `web\src\api.ts`, []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"doubled slashes and .. inside are cleaned", "web//lib/../src/api.ts", []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"git's prefix of the new side goes", "b/web/src/api.ts", []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"a real folder named b stays", "b/api.ts", []string{"b/api.ts", "api.ts"}, "b/api.ts"},
		{"a leading slash goes", "/web/src/api.ts", []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"blanks around go", " web/src/api.ts ", []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"an absolute path takes the longest changed end", "/tmp/copy-1/web/src/api.ts", []string{"api.ts", "web/src/api.ts", "src/api.ts"}, "web/src/api.ts"},
		{"a drive is absolute", `C:\work\web\src\api.ts`, []string{"web/src/api.ts"}, "web/src/api.ts"},
		{"an end is whole segments", "/tmp/copy-1/web/myapi.ts", []string{"api.ts"}, "/tmp/copy-1/web/myapi.ts"},
		{"a relative path in another folder is another file", "services/web/src/api.ts", []string{"web/src/api.ts"}, "services/web/src/api.ts"},
		{"a path out of the tree stays out", "../web/src/api.ts", []string{"web/src/api.ts"}, "../web/src/api.ts"},
		{"no path stays none", "", []string{"a.go"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Normalise([]Finding{{File: tt.file, Line: 1}}, tt.changed)[0].File
			if got != tt.want {
				t.Errorf("Normalise(%q, %q) = %q, want %q", tt.file, tt.changed, got, tt.want)
			}
		})
	}
}

func TestNormaliseNumbers(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in, want Finding
	}{
		{"a confidence that is no number counts as 1", Finding{Line: 1, Confidence: math.NaN()}, Finding{Line: 1, Confidence: 1}},
		{"a confidence above 1 is 1", Finding{Line: 1, Confidence: 97}, Finding{Line: 1, Confidence: 1}},
		{"a confidence below 0 is 0", Finding{Line: 1, Confidence: -1}, Finding{Line: 1}},
		{"a last line before the first is none", Finding{Line: 7, EndLine: 3}, Finding{Line: 7}},
		{"a last line after the first stays", Finding{Line: 7, EndLine: 9}, Finding{Line: 7, EndLine: 9}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.File, tt.want.File = "a.go", "a.go"
			if diff := cmp.Diff([]Finding{tt.want}, Normalise([]Finding{tt.in}, nil)); diff != "" {
				t.Errorf("Normalise(%v) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestClean(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in, want []string
		dropped  map[string]int
	}{
		{"touched files, then threshold, then dedupe",
			[]string{"old.go:1 security 1", "a.go:3 style 0.9", "a.go:4 style 0.5", "a.go:5 style 0.8", "a.go:9 style 0.7"},
			[]string{"a.go:3 style 0.9", "a.go:9 style 0.7"},
			map[string]int{UntouchedFile: 1, LowConfidence: 1, Duplicate: 1}},
		{"nothing dropped", []string{"a.go:3 style 0.9"}, []string{"a.go:3 style 0.9"}, map[string]int{}},
		{"one issue under two spellings of a path", []string{"a.go:3 style 0.8", "./a.go:4 style 0.9"}, []string{"./a.go:4 style 0.9"},
			map[string]int{Duplicate: 1}},
		{"nothing", nil, []string{}, map[string]int{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept, dropped := Sift(list(t, tt.in...), []string{"a.go"}, DefaultMinConfidence)
			if diff := cmp.Diff(tt.want, specs(kept)); diff != "" {
				t.Errorf("Sift(%q) (-want +got):\n%s", tt.in, diff)
			}
			if diff := cmp.Diff(tt.dropped, Count(dropped)); diff != "" {
				t.Errorf("dropped of %q (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestCleanIsItsThreeSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := findings(t)
		changed := rapid.SampledFrom([][]string{nil, {"a.go"}, {"b.go", "a.go"}}).Draw(t, "changed")
		want := Dedupe(Threshold(OnlyTouched(Normalise(in, changed), changed), 0.6))
		kept, dropped := Sift(in, changed, 0.6)
		if diff := cmp.Diff(want, kept); diff != "" {
			t.Fatalf("Sift (-want +got):\n%s", diff)
		}
		if len(kept)+len(dropped) != len(in) {
			t.Fatalf("%d kept and %d dropped of %d", len(kept), len(dropped), len(in))
		}
		if diff := cmp.Diff(kept, Clean(in, changed, 0.6)); diff != "" {
			t.Fatalf("Clean and Sift differ:\n%s", diff)
		}
	})
}

package secret

import (
	"os"
	"strings"
	"testing"
)

// TestCorpus runs testdata/corpus.txt: lines of "+ rule | path | text" must be
// found with that rule and not be taken for fakes, lines of "- | path | text"
// must be left alone. A middle dot stands for nothing and keeps the samples
// from looking like credentials to those who scan this repository; \n is a
// newline.
func TestCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	scanner := &Scanner{}
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, " | ", 3)
		if len(fields) != 3 {
			t.Fatalf("corpus.txt:%d: want three fields between bars", n+1)
		}
		rule := strings.TrimSpace(strings.TrimLeft(fields[0], "+-"))
		text := strings.NewReplacer("·", "", `\n`, "\n").Replace(fields[2])
		hits, err := scanner.Scan(t.Context(), fields[1], []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			if !h.Fake() {
				got = append(got, h.Rule)
			}
		}
		if found := strings.Join(got, " "); found != rule {
			t.Errorf("corpus.txt:%d: found %q, want %q, in %s", n+1, found, rule, text)
		}
	}
}

package secret

import (
	"os"
	"testing"
)

// BenchmarkScan reads the file that REVIEWGATE_BENCH_TEXT names, or this
// package's corpus again and again.
func BenchmarkScan(b *testing.B) {
	name := os.Getenv("REVIEWGATE_BENCH_TEXT")
	if name == "" {
		name = "testdata/corpus.txt"
	}
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	for len(text) < 1<<20 {
		text = append(text, text...)
	}
	scanner := &Scanner{}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := scanner.Scan(b.Context(), "src/app.go", text); err != nil {
			b.Fatal(err)
		}
	}
}

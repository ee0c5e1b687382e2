// Package corpus makes what the benchmarks read: paths, patches, rules, findings
// and repositories. Everything comes from a seed, the same on every machine, and
// nothing is downloaded.
package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// New returns the source of chance of a corpus.
func New(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5265766965776761)) }

var (
	nouns = strings.Fields("account batch cache change client config context cursor deadline digest event filter flag folder frame gate graph handler header index invoice job journal key label lease ledger limit line lock loop merge message migration node order page parser patch path pattern policy pool project queue range record report request review round route rule runner sample schema scope segment server session shard signal source stage state store stream summary symbol table task token trace tree user value vendor verdict window worker")
	verbs = strings.Fields("add apply build check clear close collect compare copy count create decode delete detect drop encode fetch filter find flush format group hold index join keep list load lock map match merge move open parse pick post prune publish put rank read record reject release remove render reset resolve retry return run save scan score send set sort split start stop store strip sum take trim update verify wait walk watch write")
	// kinds of files and how often they occur
	extensions = []string{".go", ".go", ".go", ".go", ".ts", ".ts", ".ts", ".tsx", ".py", ".java", ".rs", ".md", ".json", ".yaml", ".sql", ".proto", ".css", ".html", ".sh", "_test.go", ".test.ts"}
	tops       = []string{"internal", "cmd", "web/src", "services", "pkg", "lib", "proto", "migrations", "docs", "tools"}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// Paths returns n different paths of a repository, sorted by nothing, with about
// twelve files in a folder.
func Paths(r *rand.Rand, n int) []string {
	folders := make([]string, max(1, n/12))
	for i := range folders {
		parts := []string{pick(r, tops)}
		for range r.IntN(5) {
			parts = append(parts, pick(r, nouns))
		}
		folders[i] = strings.Join(parts, "/")
	}
	seen := make(map[string]bool, n)
	paths := make([]string, 0, n)
	for len(paths) < n {
		path := pick(r, folders) + "/" + pick(r, nouns) + "_" + pick(r, nouns) + pick(r, extensions)
		if seen[path] {
			path = strings.Replace(path, "_", fmt.Sprintf("%d_", len(paths)), 1)
		}
		if !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

// Line returns a line of code that could stand in many languages, without its
// newline.
func Line(r *rand.Rand) string {
	indent := strings.Repeat("\t", r.IntN(4))
	a, b, c := pick(r, nouns), pick(r, nouns), pick(r, nouns)
	switch r.IntN(7) {
	case 0:
		return ""
	case 1:
		return indent + "// " + pick(r, verbs) + " the " + a + " of the " + b + " before the " + c
	case 2:
		return fmt.Sprintf("%s%s := %s.%s(%s, %d)", indent, a, b, pick(r, verbs), c, r.IntN(1000))
	case 3:
		return fmt.Sprintf("%sif %s.%s != nil && len(%s) > %d {", indent, a, b, c, r.IntN(100))
	case 4:
		return fmt.Sprintf("%sreturn fmt.Errorf(\"%s %s: %%w\", %s)", indent, pick(r, verbs), a, b)
	case 5:
		return indent + "}"
	}
	return fmt.Sprintf("%s%s.%s = %s(%q)", indent, a, b, pick(r, verbs), c+" "+a)
}

package bench

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/bench/corpus"
	"github.com/reviewgate/reviewgate/bench/pair"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer/checks/secret"
)

// leak is the added lines of one file.
type leak struct {
	path string
	text []byte
}

// leaks makes the added lines of a patch of some size, as the file of each, with
// a credential in one file of twenty.
func leaks(tb testing.TB, files, size int) []leak {
	tb.Helper()
	patch, err := diff.Parse(corpus.Patch(10, files, size))
	if err != nil {
		tb.Fatal(err)
	}
	r := corpus.New(10)
	var all []leak
	for i := range patch.Files {
		f := &patch.Files[i]
		var text bytes.Buffer
		for l := range f.AddedLines() {
			text.Write(l.Text)
			text.WriteByte('\n')
		}
		if text.Len() == 0 || f.NewPath == "" {
			continue
		}
		if i%20 == 0 {
			text.WriteString(credential(r) + "\n")
		}
		all = append(all, leak{f.NewPath, text.Bytes()})
	}
	return all
}

// credential writes a line, or a few, with one that no one has.
func credential(r *rand.Rand) string {
	const letters, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	upper := strings.ToUpper(letters)
	text := func(n int, from string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	any := letters + upper + digits
	switch r.IntN(8) {
	case 0:
		return `key := "AK` + "IA" + text(16, upper+"234567") + `"`
	case 1:
		return `token: gh` + "p_" + text(36, any)
	case 2:
		return `api_key = "` + text(32, any) + `"`
	case 3:
		return `const slack = 'xo` + "xb-" + text(12, digits) + "-" + text(12, digits) + text(24, any) + `'`
	case 4:
		return `stripe.key = "sk` + "_live_" + text(24, any) + `"`
	case 5:
		return "-----BEGIN RSA PRIV" + "ATE KEY-----\n" + text(64, any) + "\n" + text(64, any) + "\n-----END RSA PRIV" + "ATE KEY-----"
	case 6:
		return "  password: " + base64.StdEncoding.EncodeToString([]byte("gh"+"p_"+text(36, any)))
	}
	return "client_secret\n  = '" + text(40, any) + "'"
}

// gitleaks returns the command, from PATH or built from its module.
func gitleaks(b *testing.B) string {
	b.Helper()
	if path, err := exec.LookPath("gitleaks"); err == nil {
		return path
	}
	path := filepath.Join(b.TempDir(), "gitleaks")
	if out, err := exec.Command("go", "build", "-o", path, "github.com/zricethezav/gitleaks/v8").CombinedOutput(); err != nil {
		b.Skipf("gitleaks is neither on PATH nor can it be built: %s", out)
	}
	return path
}

// scanned returns the secrets that the product finds, by file.
func scanned(tb testing.TB, files []leak) map[string][]string {
	tb.Helper()
	scanner := &secret.Scanner{} // as a program that starts: the rules are part of the bill
	found := map[string][]string{}
	for _, f := range files {
		hits, err := scanner.Scan(tb.Context(), f.path, f.text)
		if err != nil {
			tb.Fatal(err)
		}
		for _, h := range hits {
			found[f.path] = append(found[f.path], h.Secret)
		}
	}
	return found
}

func BenchmarkSecrets(b *testing.B) {
	files := leaks(b, 2_500, 8_000_000)
	if testing.Short() {
		files = leaks(b, 250, 800_000)
	}
	peer := gitleaks(b)
	dir := b.TempDir()
	for _, f := range files {
		name := filepath.Join(dir, f.path)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, f.text, 0o666); err != nil {
			b.Fatal(err)
		}
	}
	report := filepath.Join(b.TempDir(), "report.json")
	run := func() {
		cmd := exec.Command(peer, "dir", ".", "--no-banner", "--log-level", "error", "--exit-code", "0", "--report-path", report)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("gitleaks: %v\n%s", err, out)
		}
	}
	run()
	everyHit(b, report, scanned(b, files))
	pair.Ratio(b, func() { scanned(b, files) }, run)
}

// everyHit wants all that gitleaks reports to be among what was found.
func everyHit(b *testing.B, report string, found map[string][]string) {
	b.Helper()
	data, err := os.ReadFile(report)
	if err != nil {
		b.Fatal(err)
	}
	var hits []struct{ RuleID, File, Secret string }
	if err := json.Unmarshal(data, &hits); err != nil {
		b.Fatal(err)
	}
	if len(hits) < 8 {
		b.Fatalf("gitleaks finds %d secrets: this patch tests nothing", len(hits))
	}
	for _, h := range hits {
		if !among(found[h.File], h.Secret) {
			b.Fatalf("gitleaks finds a %s in %s, the product does not", h.RuleID, h.File)
		}
	}
	b.Log(fmt.Sprintf("%d secrets of gitleaks are all found", len(hits)))
}

func among(found []string, wanted string) bool {
	for _, s := range found {
		if strings.Contains(s, wanted) || strings.Contains(wanted, s) {
			return true
		}
	}
	return false
}

func BenchmarkSecretsGrowth(b *testing.B) {
	pair.Slope(b, []int{1, 2, 4, 8}, func(size int) func() {
		files := leaks(b, 300*size, 1_000_000*size)
		return func() { scanned(b, files) }
	})
}

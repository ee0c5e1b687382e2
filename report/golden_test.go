package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// storedRun is the run that all goldens are made from: twelve changes with every
// verdict, a conflict, a failed review, an unknown check, and hostile text.
func storedRun(t testing.TB) Run {
	t.Helper()
	data, err := os.ReadFile("testdata/run.json")
	if err != nil {
		t.Fatal(err)
	}
	run, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestFormatsMatchTheirGoldens(t *testing.T) {
	run := storedRun(t)
	for _, format := range Formats {
		t.Run(format.Name, func(t *testing.T) {
			var got bytes.Buffer
			if err := format.Write(&got, run); err != nil {
				t.Fatal(err)
			}
			golden(t, format.File, got.Bytes())
		})
	}
}

// golden compares got with a file of testdata/golden, or rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs from its golden (-want +got):\n%s", name, diff)
	}
}

func TestTheStoredRunComesBackUnchanged(t *testing.T) {
	run := storedRun(t)
	var data bytes.Buffer
	if err := JSON(&data, run); err != nil {
		t.Fatal(err)
	}
	again, err := Decode(data.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run, again); diff != "" {
		t.Errorf("Decode(JSON(run)) differs (-want +got):\n%s", diff)
	}
}

func TestFormatNamesAndFilesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats {
		if seen[f.Name] || seen[f.File] {
			t.Errorf("format %s: its name or its file %s is taken", f.Name, f.File)
		}
		seen[f.Name], seen[f.File] = true, true
		if got, ok := FormatNamed(f.Name); !ok || got.File != f.File {
			t.Errorf("FormatNamed(%q) = %v, %v", f.Name, got.File, ok)
		}
	}
	if _, ok := FormatNamed("pdf"); ok {
		t.Error(`FormatNamed("pdf") is known`)
	}
}

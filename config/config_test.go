package config

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/policy"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMerge(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"an empty file sets nothing", "", ""},
		{"a file of comments sets nothing", "# nothing yet\n", ""},
		{"an unknown key names file, line and the nearest known key", "min_confidence: 0.5\nreveiwers: []\n",
			`.reviewgate.yaml:2: unknown key "reveiwers" in the file; did you mean "reviewers"?`},
		{"an unknown key deep down says where", "verify:\n  checks:\n    - name: x\n      comand: [a]\n",
			`.reviewgate.yaml:4: unknown key "comand" in verify.checks[0]; known are dir, name, run`},
		{"an unknown key far from every known one gets no guess", "zzzzzzzzzz: 1\n",
			`.reviewgate.yaml:1: unknown key "zzzzzzzzzz" in the file; known are checks, fail_on, jobs, min_confidence, reviewers, rules, verify`},
		{"a command in one text", "verify: {checks: [{name: unit, run: make test}]}\n", ".reviewgate.yaml:1: verify.checks[0].run must be a list: [make, test]"},
		{"a list where a mapping belongs", "- a\n", ".reviewgate.yaml:1: the file must be a mapping of keys"},
		{"a broken document", "verify: [\n", ".reviewgate.yaml:1: did not find expected node content"},
		{"a wrong type", "min_confidence: high\n", ".reviewgate.yaml:1: cannot unmarshal str `high` into float64"},
		{"a value out of range", "\nmin_confidence: 1.5\n", ".reviewgate.yaml:2: min_confidence: 1.5 is not between 0 and 1"},
		{"a confidence that is no number", "min_confidence: .nan\n", ".reviewgate.yaml:1: min_confidence: NaN is not between 0 and 1"},
		{"a duration without a unit", "verify:\n  timeout: 5\n", `.reviewgate.yaml:2: "5" is not a duration such as 5m or 90s`},
		{"a word outside a closed list", "verify:\n  sandbox: on\n", `.reviewgate.yaml:2: verify.sandbox: "on" is not one of auto, required, off`},
		{"an unknown kind of reviewer", "reviewers:\n  - {name: a, kind: exec, command: [x]}\n  - {name: b, kind: magic}\n",
			`.reviewgate.yaml:3: reviewers[1] (b): kind: "magic" is not one of checks, recorded, exec, sarif`},
		{"a reviewer without a command", "reviewers: [{name: a, kind: exec}]\n", ".reviewgate.yaml:1: reviewers[0] (a): kind exec needs a command"},
		{"an analyzer with both a command and a file", "reviewers: [{name: a, kind: sarif, file: x, command: [y]}]\n",
			".reviewgate.yaml:1: reviewers[0] (a): kind sarif needs either a command or a file"},
		{"two reviewers of one name", "reviewers:\n  - {name: a, kind: checks}\n  - {name: a, kind: checks}\n",
			`.reviewgate.yaml:3: reviewers[1]: the name "a" is taken`},
		{"a check without a command", "verify: {checks: [{name: x}]}\n", ".reviewgate.yaml:1: verify.checks[0]: needs a name and a command in run"},
		{"an alias", "reviewers: &x\n  - {name: a, kind: checks}\nverify: *x\n",
			".reviewgate.yaml:3: aliases are not used here: write the value out (a pattern that starts with * needs quotes)"},
		{"two documents", "jobs: 1\n---\njobs: 2\n", ".reviewgate.yaml: holds more than one YAML document; keep the first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Default()
			if got := message(c.Merge([]byte(tt.file), FileName)); got != tt.want {
				t.Errorf("Merge(%q) = %q, want %q", tt.file, got, tt.want)
			}
		})
	}
}

func TestMergeKeepsDefaultsThatTheFileLeavesAlone(t *testing.T) {
	c := Default()
	err := c.Merge([]byte("verify:\n  timeout: 90s\n  checks:\n    - {name: unit, run: [make, test]}\nreviewers:\n  - {name: house, kind: exec, command: [./reviewer, --strict]}\n"), FileName)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Verify.Timeout = Duration(90 * time.Second)
	want.Verify.Checks = []Check{{Name: "unit", Run: []string{"make", "test"}}}
	want.Reviewers = []Reviewer{{Name: "house", Kind: KindExec, Command: []string{"./reviewer", "--strict"}}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
}

func TestMergeEnv(t *testing.T) {
	for _, tt := range []struct {
		name, variable string
		want           string
	}{
		{"a setting", "REVIEWGATE_MIN_CONFIDENCE=0.9", ""},
		{"an empty value sets nothing", "REVIEWGATE_MIN_CONFIDENCE=", ""},
		{"booleans arrive as strings", "REVIEWGATE_VERIFY_NETWORK=yes", ""},
		{"other programs' variables are left alone", "HOME=/nowhere", ""},
		{"a variable that another part reads", "REVIEWGATE_CONFIG=x.yaml", ""},
		{"a misspelt variable is an error", "REVIEWGATE_SANDBOKS=required",
			"REVIEWGATE_SANDBOKS: is not a variable that reviewgate knows; did you mean REVIEWGATE_SANDBOX?"},
		{"a wrong value", "REVIEWGATE_SANDBOX=maybe", `REVIEWGATE_SANDBOX: verify.sandbox: "maybe" is not one of auto, required, off`},
		{"not a number", "REVIEWGATE_JOBS=two", `REVIEWGATE_JOBS: "two" is not a whole number`},
		{"not a boolean", "REVIEWGATE_COMPARE_BASE=perhaps", `REVIEWGATE_COMPARE_BASE: "perhaps" is not true or false`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Default()
			if got := message(c.MergeEnv([]string{tt.variable})); got != tt.want {
				t.Errorf("MergeEnv(%q) = %q, want %q", tt.variable, got, tt.want)
			}
		})
	}
}

func TestTheEnvironmentWinsOverTheFile(t *testing.T) {
	c := Default()
	if err := c.Merge([]byte("min_confidence: 0.7\nfail_on: block\n"), FileName); err != nil {
		t.Fatal(err)
	}
	if err := c.MergeEnv([]string{"REVIEWGATE_MIN_CONFIDENCE=0.9"}); err != nil {
		t.Fatal(err)
	}
	if c.MinConfidence != 0.9 || c.FailOn != FailOnBlock {
		t.Errorf("min_confidence, fail_on = %v, %v, want 0.9, block", c.MinConfidence, c.FailOn)
	}
}

func TestFailOn(t *testing.T) {
	for _, tt := range []struct {
		failOn             FailOn
		merge, hold, block bool
	}{
		{FailNever, false, false, false},
		{FailOnBlock, false, false, true},
		{FailOnHold, false, true, true},
	} {
		got := [3]bool{tt.failOn.Fails(policy.Merge), tt.failOn.Fails(policy.Hold), tt.failOn.Fails(policy.Block)}
		if want := [3]bool{tt.merge, tt.hold, tt.block}; got != want {
			t.Errorf("FailOn(%q) fails on merge, hold, block = %v, want %v", tt.failOn, got, want)
		}
	}
	if !FailOnBlock.Fails("garbage") {
		t.Error("a verdict that nobody knows must fail")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"reviewers", "min_confidence", "verify", "jobs"}
	for _, tt := range []struct{ word, want string }{
		{"reviewer", "reviewers"}, {"min_confidance", "min_confidence"}, {"verfy", "verify"}, {"job", "jobs"}, {"colour", ""},
	} {
		if got := Nearest(tt.word, known); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}

func TestThePublishedSchemaIsMadeFromTheTypes(t *testing.T) {
	got, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("..", "schema", "config.schema.json")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("schema/config.schema.json is stale, run go test ./config -update:\n%s", diff)
	}
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte("reviewers:\n  - {name: a, kind: exec, command: [x]}\nverify: {timeout: 5m}\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Default()
		if c.Merge(data, FileName) == nil && c.Validate() != nil {
			t.Error("Merge accepted settings that do not validate")
		}
	})
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/policy"
)

func TestDecodeNamesThePlaceOfBadInput(t *testing.T) {
	const entry = `{"id":"a","verdict":"merge","review":"reviewed","verify":{"status":"pass"}}`
	for _, tt := range []struct{ name, data, want string }{
		{"an empty file", " \n", "stored run: the file is empty"},
		{"broken JSON", "{\n\"prs\": [,]}", "stored run: line 2: invalid character ',' looking for beginning of value"},
		{"a file that ends too early", `{"prs": [`, "stored run: line 1: unexpected end of JSON input"},
		{"something else", `{"findings":[]}`, `stored run: neither "prs" nor "entry" nor "id" and "verdict" at the top: give it the JSON that run or review has written`},
		{"a record without its entry", `{"key":"k","entry":null,"evidence":{}}`, `stored run: neither "prs" nor "entry" nor "id" and "verdict" at the top: give it the JSON that run or review has written`},
		{"an unknown verdict in a record", `{"key":"k","entry":` + strings.Replace(entry, "merge", "approve", 1) + `}`, `stored run: change "a": verdict: "approve" is not one of merge, hold, block`},
		{"a list", `[1]`, "stored run: line 1: got array, want an object"},
		{"a value of another kind", "{\"prs\":[\n{\"turns\":\"many\"}]}", "stored run: line 2: prs.turns: got string, want int"},
		{"an unknown verdict", strings.Replace(entry, "merge", "approve", 1), `stored run: change "a": verdict: "approve" is not one of merge, hold, block`},
		{"no review status", strings.Replace(entry, `"reviewed"`, `""`, 1), `stored run: change "a": review: "" is not one of reviewed, review-failed, skipped`},
		{"an unknown verify status", `{"prs":[` + strings.Replace(entry, "pass", "green", 1) + `]}`, `stored run: change "a": verify.status: "green" is not one of pass, fail, conflict, skipped, unknown, not run`},
		{"an unknown check status", strings.Replace(entry, `"pass"`, `"pass","checks":[{"status":"ok"}]`, 1), `stored run: change "a": verify.checks[0].status: "ok" is not one of pass, fail, unknown`},
		{"an unknown requirement status", strings.Replace(entry, `"id":"a"`, `"id":"a","requirements":[{"status":"fine"}]`, 1), `stored run: change "a": requirements[0].status: "fine" is not one of satisfied, unsatisfied, overridden, not applicable, error`},
		{"an unknown severity", strings.Replace(entry, `"id":"a"`, `"id":"a","findings":[{"severity":"nit"}]`, 1), `stored run: change "a": findings[0].severity: "nit" is not one of blocker, major, minor`},
		{"an unknown category", strings.Replace(entry, `"id":"a"`, `"id":"a","findings":[{"severity":"minor","category":"taste"}]`, 1), `stored run: change "a": findings[0].category: "taste" is not one of security, secret-in-code, correctness, error-handling, performance, architecture, contract-break, migration-number-collision, testing, best-practices, documentation, style`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode([]byte(tt.data))
			if err == nil || err.Error() != tt.want {
				t.Errorf("Decode(%q):\n got %v\nwant %s", tt.data, err, tt.want)
			}
		})
	}
}

func TestDecodeReadsOneEntryAsARun(t *testing.T) {
	const entry = `{"id":"a","verdict":"hold","review":"review-failed","verify":{"status":"unknown"},"cost_usd":0.2,"new_field":1}`
	run, err := Decode([]byte("\ufeff" + entry))
	if err != nil {
		t.Fatal(err)
	}
	record, err := Decode([]byte(`{"key":"k","entry":` + entry + `,"evidence":{"answer":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run, record); diff != "" {
		t.Errorf("an entry with its evidence differs from the entry alone (-want +got):\n%s", diff)
	}
	if len(run.Entries) != 1 || run.Totals.Verdicts[policy.Hold] != 1 || run.Totals.FailedReviews != 1 || run.Totals.CostUSD != 0.2 {
		t.Errorf("Decode(entry) = %+v", run)
	}
	if run.Entries[0].Findings == nil || run.Entries[0].Verify.Checks == nil || run.Ranking == nil {
		t.Error("Decode leaves a list nil")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"prs":[{"id":"a","verdict":"merge","review":"reviewed","verify":{"status":"pass"}}]}`))
	f.Add([]byte(`{"id":"a","verdict":"merge"}`))
	f.Add([]byte(`{"key":"k","entry":{"id":"a","verdict":"merge","review":"reviewed","verify":{"status":"pass"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := Decode(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("Decode(%q): the error has several lines: %q", data, err)
			}
			return
		}
		for _, format := range Formats {
			if err := format.Write(discard{}, run); err != nil {
				t.Errorf("%s of %q: %v", format.Name, data, err)
			}
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

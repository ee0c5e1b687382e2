package blocker

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/reviewgate/reviewgate/change"
)

var asOf = time.Date(2026, 10, 17, 0, 0, 0, 0, time.UTC)

// base is a tree whose last migration is 0007.
var base = fstest.MapFS{
	"migrations/0001_jobs.sql":     {},
	"migrations/0006_locale.sql":   {},
	"migrations/0007_priority.sql": {},
	"migrations/README.md":         {},
	"db/migrations/0042_other.sql": {},
}

func verification(checks ...change.Check) *change.Verification {
	return &change.Verification{Checks: checks}
}

func TestDetect(t *testing.T) {
	young := asOf.Add(-time.Hour)
	two := []string{"dev-a", "dev-b"}
	for _, tt := range []struct {
		name string
		e    Evidence
		want []Blocker
	}{
		{"nothing", Evidence{}, []Blocker{}},

		// conflict
		{"conflict: the patch did not apply, the detail names the files",
			Evidence{Applied: &change.Applied{Conflicts: []string{"web/x.ts", "go.mod"}}}, []Blocker{{Conflict, 100, "web/x.ts, go.mod"}}},
		{"conflict: git named no file", Evidence{Applied: &change.Applied{Detail: "patch with only garbage at line 3"}},
			[]Blocker{{Conflict, 100, "patch with only garbage at line 3"}}},
		{"conflict: nothing is known about it", Evidence{Applied: &change.Applied{}}, []Blocker{{Conflict, 100, "the patch does not apply"}}},
		{"conflict: not when it applied", Evidence{Applied: &change.Applied{OK: true}}, []Blocker{}},

		// verify-failed
		{"verify-failed: the Go side", Evidence{Verification: verification(change.Check{Name: "go test", Status: change.Fail}, change.Check{Name: "node --test", Status: change.Pass})},
			[]Blocker{{VerifyFailed, 90, "go test"}}},
		{"verify-failed: the TypeScript side", Evidence{Verification: verification(change.Check{Name: "go test", Status: change.Pass}, change.Check{Name: "node --test", Status: change.Fail})},
			[]Blocker{{VerifyFailed, 90, "node --test"}}},
		{"verify-failed: both sides", Evidence{Verification: verification(change.Check{Name: "go test", Status: change.Fail}, change.Check{Name: "node --test", Status: change.Fail})},
			[]Blocker{{VerifyFailed, 90, "go test, node --test"}}},
		{"verify-failed: the detail says what is red on the base too", Evidence{Verification: verification(change.Check{Name: "go test", Status: change.Fail, AlsoRedOnBase: true})},
			[]Blocker{{VerifyFailed, 90, "go test (also red on the base)"}}},
		{"verify-failed: a missing tool is not a failure", Evidence{Verification: verification(change.Check{Name: "go test", Status: change.Unknown, NoTool: true})}, []Blocker{}},
		{"verify-failed: a missing verify is not a failure", Evidence{Verification: nil}, []Blocker{}},
		{"verify-failed: everything passed", Evidence{Verification: verification(change.Check{Name: "go test", Status: change.Pass})}, []Blocker{}},

		// missing-second-approval
		{"missing-second-approval: proto with one approval",
			Evidence{Changed: []string{"a.go", "proto/jobs.proto"}, Change: change.Change{Approvals: []string{"dev-a"}}},
			[]Blocker{{MissingSecondApproval, 60, "proto/jobs.proto needs 2 approvals, has 1"}}},
		{"missing-second-approval: migrations with none",
			Evidence{Changed: []string{"migrations/0001_jobs.sql"}, Base: base}, []Blocker{{MissingSecondApproval, 60, "migrations/0001_jobs.sql needs 2 approvals, has 0"}}},
		{"missing-second-approval: .claude, because a change of the rules changes the gate",
			Evidence{Changed: []string{".claude/settings.json"}}, []Blocker{{MissingSecondApproval, 60, ".claude/settings.json needs 2 approvals, has 0"}}},
		{"missing-second-approval: one name twice is one approval",
			Evidence{Changed: []string{"proto/jobs.proto"}, Change: change.Change{Approvals: []string{"dev-a", "dev-a", " Dev-A ", ""}}},
			[]Blocker{{MissingSecondApproval, 60, "proto/jobs.proto needs 2 approvals, has 1"}}},
		{"missing-second-approval: not with two names", Evidence{Changed: []string{"proto/jobs.proto"}, Change: change.Change{Approvals: two}}, []Blocker{}},
		{"missing-second-approval: never for a change that touches none of them, however few it has",
			Evidence{Changed: []string{"a.go", "web/proto/x.ts", "protocol/y.go", "claude/z"}}, []Blocker{}},
		{"missing-second-approval: not for a local branch", Evidence{Changed: []string{"proto/jobs.proto"}, Change: change.Change{Local: true}}, []Blocker{}},

		// unreviewed-age
		{"unreviewed-age: a second more than 14 days and no approval",
			Evidence{AsOf: asOf, Change: change.Change{CreatedAt: asOf.Add(-14*24*time.Hour - time.Second)}},
			[]Blocker{{UnreviewedAge, 30, "no approval since 2026-10-02T23:59:59Z, more than 14 days"}}},
		{"unreviewed-age: 14 days is not enough", Evidence{AsOf: asOf, Change: change.Change{CreatedAt: asOf.Add(-14 * 24 * time.Hour)}}, []Blocker{}},
		{"unreviewed-age: the zone of created_at does not matter",
			Evidence{AsOf: asOf, Change: change.Change{CreatedAt: time.Date(2026, 10, 3, 2, 0, 0, 0, time.FixedZone("", 2*3600))}}, []Blocker{}},
		{"unreviewed-age: one approval is enough at any age",
			Evidence{AsOf: asOf, Change: change.Change{CreatedAt: asOf.AddDate(-1, 0, 0), Approvals: []string{"dev-a"}}}, []Blocker{}},
		{"unreviewed-age: an approval without a name is none",
			Evidence{AsOf: asOf, Change: change.Change{CreatedAt: asOf.AddDate(0, 0, -20), Approvals: []string{" "}}},
			[]Blocker{{UnreviewedAge, 30, "no approval since 2026-09-27T00:00:00Z, more than 20 days"}}},
		{"unreviewed-age: an unknown date is not old", Evidence{AsOf: asOf}, []Blocker{}},
		{"unreviewed-age: a date in the future is not old", Evidence{AsOf: asOf, Change: change.Change{CreatedAt: asOf.AddDate(1, 0, 0)}}, []Blocker{}},
		{"unreviewed-age: not for a local branch", Evidence{AsOf: asOf, Change: change.Change{CreatedAt: asOf.AddDate(-1, 0, 0), Local: true}}, []Blocker{}},
		{"unreviewed-age: a young change", Evidence{AsOf: asOf, Change: change.Change{CreatedAt: young}}, []Blocker{}},

		// together
		{"all at once come heaviest first, each kind once", Evidence{
			Base: base, Changed: []string{"migrations/0007_b.sql", "migrations/0009_c.sql", "proto/a.proto", "proto/b.proto"}, AsOf: asOf,
			Change: change.Change{CreatedAt: asOf.AddDate(0, 0, -15)}, Applied: &change.Applied{Conflicts: []string{"proto/a.proto"}},
			Verification: verification(change.Check{Name: "go test", Status: change.Fail}),
		}, []Blocker{
			{Conflict, 100, "proto/a.proto"},
			{VerifyFailed, 90, "go test"},
			{StaleMigration, 80, "migrations/0007_b.sql reuses the number of 0007_priority.sql"},
			{MissingSecondApproval, 60, "migrations/0007_b.sql needs 2 approvals, has 0"},
			{UnreviewedAge, 30, "no approval since 2026-10-02T00:00:00Z, more than 15 days"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Detect(tt.e)); diff != "" {
				t.Errorf("Detect (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryKindHasAWeightAndADetector(t *testing.T) {
	want := map[Kind]int{Conflict: 100, VerifyFailed: 90, StaleMigration: 80, MissingSecondApproval: 60, UnreviewedAge: 30}
	if diff := cmp.Diff(want, Weights); diff != "" {
		t.Errorf("Weights (-want +got):\n%s", diff)
	}
	for i, kind := range Kinds {
		if detectors[kind] == nil {
			t.Errorf("%s has no detector", kind)
		}
		if i > 0 && Weights[kind] >= Weights[Kinds[i-1]] {
			t.Errorf("%s is not lighter than %s before it", kind, Kinds[i-1])
		}
	}
}

func TestBadNewsNeverTakesABlockerAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Evidence{
			Base: base, AsOf: asOf,
			Changed: rapid.SliceOf(rapid.SampledFrom([]string{"a.go", "proto/a.proto", "migrations/0008_a.sql", "migrations/0007_a.sql"})).Draw(t, "changed"),
			Change:  change.Change{CreatedAt: asOf.AddDate(0, 0, -rapid.IntRange(0, 30).Draw(t, "days")), Approvals: rapid.SliceOf(rapid.SampledFrom([]string{"a", "b"})).Draw(t, "approvals")},
			Applied: &change.Applied{OK: rapid.Bool().Draw(t, "applied")},
		}
		before := Score(Detect(e))
		worse := e
		worse.Applied = &change.Applied{}
		worse.Change.Approvals = nil
		worse.Verification = verification(change.Check{Name: "go test", Status: change.Fail})
		worse.AsOf = asOf.AddDate(0, 0, rapid.IntRange(0, 30).Draw(t, "later"))
		if after := Score(Detect(worse)); after < before {
			t.Fatalf("score %d became %d", before, after)
		}
	})
}

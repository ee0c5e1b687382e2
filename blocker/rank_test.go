package blocker

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func of(kinds ...Kind) []Blocker {
	var list []Blocker
	for _, k := range kinds {
		list = append(list, Blocker{Kind: k, Weight: Weights[k], Detail: "x"})
	}
	return list
}

func TestRank(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []Item
		want []Ranked
	}{
		{"score is the sum of the weights", []Item{{"pr-01", of(Conflict, UnreviewedAge)}},
			[]Ranked{{"pr-01", 130, []Kind{Conflict, UnreviewedAge}}}},
		{"changes without blockers are included", []Item{{"pr-01", nil}}, []Ranked{{"pr-01", 0, []Kind{}}}},
		{"by score descending, then by id",
			[]Item{{"pr-03", nil}, {"pr-02", of(VerifyFailed)}, {"pr-01", nil}, {"pr-04", of(MissingSecondApproval, UnreviewedAge)}, {"pr-05", of(Conflict)}},
			[]Ranked{
				{"pr-05", 100, []Kind{Conflict}},
				{"pr-02", 90, []Kind{VerifyFailed}},
				{"pr-04", 90, []Kind{MissingSecondApproval, UnreviewedAge}},
				{"pr-01", 0, []Kind{}},
				{"pr-03", 0, []Kind{}},
			}},
		{"kinds are listed heaviest first", []Item{{"pr-01", of(UnreviewedAge, Conflict, StaleMigration)}},
			[]Ranked{{"pr-01", 210, []Kind{Conflict, StaleMigration, UnreviewedAge}}}},
		{"nothing to rank", nil, []Ranked{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Rank(tt.in)); diff != "" {
				t.Errorf("Rank (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTable(t *testing.T) {
	const head = "| pr | score | blockers |\n| --- | --- | --- |\n"
	for _, tt := range []struct {
		name string
		in   []Ranked
		want string
	}{
		{"the kinds joined with a comma, or none", []Ranked{
			{"pr-05", 160, []Kind{Conflict, MissingSecondApproval}},
			{"pr-01", 0, nil},
		}, head + "| pr-05 | 160 | conflict, missing-second-approval |\n| pr-01 | 0 | none |\n"},
		{"no change", nil, head},
		{"an id cannot break out of its cell", []Ranked{{"a|b\n`<x>", 0, nil}}, head + "| a\\|b \\`&lt;x> | 0 | none |\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Table(tt.in)); diff != "" {
				t.Errorf("Table (-want +got):\n%s", diff)
			}
		})
	}
}

package gate

import (
	"time"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/policy"
	"github.com/reviewgate/reviewgate/report"
)

// Answers is what a run is measured against; both may be empty.
type Answers struct {
	Labels *eval.Labels              // nil when none were given
	Key    map[string]policy.Verdict // expected, by change; nil when none was given
}

// Summarise makes the run's aggregate from its outcomes. Base carries what does
// not come from them: version, repository, reviewer, times.
func (g *Gate) Summarise(base report.Run, outcomes []Outcome, answers Answers, wall time.Duration) report.Run {
	run := base
	run.AsOf, run.Threshold = g.AsOf, g.MinConfidence
	run.Entries = make([]report.Entry, len(outcomes))
	items := make([]blocker.Item, len(outcomes))
	for i, o := range outcomes {
		run.Entries[i] = o.Entry
		items[i] = blocker.Item{ID: o.Entry.ID, Blockers: o.Entry.Blockers}
	}
	run.Ranking = blocker.Rank(items)
	run.Totals = report.Total(run.Entries, wall.Milliseconds())
	if answers.Labels != nil {
		measure(&run, outcomes, answers.Labels)
	}
	if answers.Key != nil {
		agree := 0
		for i := range run.Entries {
			e := &run.Entries[i]
			e.Key = answers.Key[e.ID]
			if e.Key == e.Verdict {
				agree++
			}
		}
		run.KeyAgrees = &agree
	}
	return run
}

// measure matches the clean findings of every change with its own labels.
func measure(run *report.Run, outcomes []Outcome, labels *eval.Labels) {
	pooled := make([]eval.Matches, len(outcomes))
	curve := make([]eval.Sample, len(outcomes))
	for i, o := range outcomes {
		e := &run.Entries[i]
		own, _ := labels.Of(e.ID)
		matches := eval.Match(o.clean, own.Issues)
		e.Matches, pooled[i] = &matches, matches
		curve[i] = eval.Sample{Changed: o.changed, Labels: own.Issues}
		if o.Evidence.Answer != nil {
			curve[i].Findings = o.Evidence.Answer.Findings
		}
	}
	metrics := eval.Summarise(pooled)
	run.Metrics, run.Curve = &metrics, eval.Curve(curve)
}

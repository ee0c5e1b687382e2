package reviewer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// script answers the n-th question with the n-th answer, a second after it was
// asked.
type script struct {
	answers []says
	asked   int
}

func (s *script) Review(context.Context, reviewer.Task) (reviewer.Result, error) {
	time.Sleep(time.Second) // of the bubble's clock
	s.asked++
	return s.answers[s.asked-1].result, s.answers[s.asked-1].err
}

func TestRetry(t *testing.T) {
	good := says{result: reviewer.Result{
		Findings: []finding.Finding{at("a.go", 1)}, Summary: "One thing.", CostUSD: 0.5, Turns: 2, Notes: []string{"clipped"},
		Run: []reviewer.Event{{MS: 7, Data: "answered"}},
	}}
	bad := says{result: reviewer.Result{CostUSD: 0.25, Turns: 9, Run: []reviewer.Event{{MS: 3, Data: "asked"}}}, err: reviewer.Fail(task, "house", errors.New("printed prose"))}
	for _, tt := range []struct {
		name    string
		answers []says
		asked   int
		cost    float64
		turns   int
		events  []int64
		notes   []string
		wantErr string
	}{
		{"an answer is not asked for again", []says{good, bad}, 1, 0.5, 2, []int64{7}, []string{"clipped"}, ""},
		{
			"a failure is retried once, the cost adds up, the turns are those of the answer", []says{bad, good}, 2, 0.75, 2, []int64{3, 1000, 1007},
			[]string{"the review was tried twice, the first attempt failed: review of pr-01 by house: printed prose", "clipped"}, "",
		},
		{
			"a second failure is the answer", []says{bad, bad, good}, 2, 0.5, 9, []int64{3, 1000, 1003},
			[]string{"the review was tried twice and failed in the same way"}, "review of pr-01 by house: printed prose",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{answers: tt.answers}
				got, err := reviewer.Retry(s).Review(t.Context(), task)
				if text := errorText(err); text != tt.wantErr {
					t.Errorf("Review() error = %q, want %q", text, tt.wantErr)
				}
				if s.asked != tt.asked || got.CostUSD != tt.cost || got.Turns != tt.turns {
					t.Errorf("asked %d times, cost %v, turns %d; want %d, %v, %d", s.asked, got.CostUSD, got.Turns, tt.asked, tt.cost, tt.turns)
				}
				if diff := cmp.Diff(tt.notes, got.Notes); diff != "" {
					t.Errorf("Notes (-want +got):\n%s", diff)
				}
				var events []int64
				for _, e := range got.Run {
					events = append(events, e.MS)
				}
				if diff := cmp.Diff(tt.events, events); diff != "" {
					t.Errorf("times of Run (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// cancels ends the context of the review and fails.
type cancels struct {
	cancel context.CancelFunc
	asked  int
}

func (c *cancels) Review(ctx context.Context, _ reviewer.Task) (reviewer.Result, error) {
	c.asked++
	c.cancel()
	return reviewer.Result{CostUSD: 0.1}, ctx.Err()
}

func TestRetryLeavesACancelledReviewAlone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := &cancels{cancel: cancel}
	got, err := reviewer.Retry(c).Review(ctx, task)
	if !errors.Is(err, context.Canceled) || c.asked != 1 || got.CostUSD != 0.1 {
		t.Errorf("asked %d times, cost %v, error %v; want once, 0.1, context canceled", c.asked, got.CostUSD, err)
	}
}

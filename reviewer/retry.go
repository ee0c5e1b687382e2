package reviewer

import (
	"context"
	"time"
)

// attempts is how often a review is tried: "A ReviewError is retried once".
const attempts = 2

// Retry returns a Reviewer that asks r once more when a review fails. The cost
// of every attempt adds up; turns, findings and summary are those of the last
// one. A failure after ctx ended is not tried again. That a first attempt
// failed, and why, is in Result.Notes.
func Retry(r Reviewer) Reviewer { return retrying{r} }

type retrying struct{ inner Reviewer }

func (r retrying) Review(ctx context.Context, task Task) (Result, error) {
	start := time.Now()
	var before Result
	for attempt := 1; ; attempt++ {
		shift := time.Since(start).Milliseconds()
		result, err := r.inner.Review(ctx, task)
		result = before.then(result, shift)
		if err == nil || attempt == attempts || ctx.Err() != nil {
			return result, err
		}
		before = Result{
			CostUSD: result.CostUSD,
			Run:     append(result.Run, Event{MS: time.Since(start).Milliseconds(), Data: failedAttempt{attempt, err.Error()}}),
			Notes:   append(result.Notes, "an attempt failed and was tried again: "+err.Error()),
		}
	}
}

// failedAttempt stands in Result.Run between two attempts.
type failedAttempt struct {
	Attempt int    `json:"failed_attempt"`
	Error   string `json:"error"`
}

// then returns next with what an attempt before it cost and said. shift is when
// next started, in milliseconds.
func (r Result) then(next Result, shift int64) Result {
	run := r.Run
	for _, e := range next.Run {
		run = append(run, Event{MS: e.MS + shift, Data: e.Data})
	}
	next.Run = run
	next.CostUSD += r.CostUSD
	next.Notes = append(r.Notes[:len(r.Notes):len(r.Notes)], next.Notes...)
	return next
}

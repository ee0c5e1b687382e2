package reviewer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// says is a reviewer that gives one answer.
type says struct {
	result reviewer.Result
	err    error
}

func (s says) Review(context.Context, reviewer.Task) (reviewer.Result, error) {
	return s.result, s.err
}

var task = reviewer.Task{Change: change.Change{ID: "pr-01"}}

func at(file string, line int) finding.Finding {
	return finding.Finding{File: file, Line: line, Severity: finding.Major, Category: finding.Correctness, Message: "the error is dropped here", Confidence: 0.9}
}

func by(name string, f finding.Finding) finding.Finding {
	f.Reviewer = name
	return f
}

func TestPanel(t *testing.T) {
	one := says{result: reviewer.Result{
		Findings: []finding.Finding{at("a.go", 1)}, Summary: "One thing.", FilesClean: []string{"b.go", "c.go"},
		CostUSD: 0.25, Turns: 3, SessionID: "s1", Run: []reviewer.Event{{MS: 1, Data: "asked"}, {MS: 9, Data: "answered"}}, Notes: []string{"clipped"},
	}}
	two := says{result: reviewer.Result{
		Findings: []finding.Finding{at("b.go", 2), at("a.go", 1)}, Summary: "Two things.", FilesClean: []string{"c.go"},
		CostUSD: 0.5, Turns: 4, Run: []reviewer.Event{{MS: 5, Data: "read"}},
	}}
	broken := says{result: reviewer.Result{CostUSD: 0.125}, err: errors.New("printed prose")}
	bothOfOneAndTwo := reviewer.Result{
		Findings:   []finding.Finding{by("one", at("a.go", 1)), by("two", at("b.go", 2)), by("two", at("a.go", 1))},
		Summary:    "one: One thing.\n\ntwo: Two things.",
		FilesClean: []string{"c.go"},
		CostUSD:    0.75, Turns: 7, SessionID: "one:s1",
		Run: []reviewer.Event{
			{MS: 1, Data: reviewer.Said{Reviewer: "one", Message: "asked"}},
			{MS: 5, Data: reviewer.Said{Reviewer: "two", Message: "read"}},
			{MS: 9, Data: reviewer.Said{Reviewer: "one", Message: "answered"}},
		},
		Notes: []string{"one: clipped"},
	}
	for _, tt := range []struct {
		name    string
		panel   reviewer.Panel
		want    reviewer.Result
		wantErr string
	}{
		{"findings of all are joined, each with who raised it", reviewer.Panel{{Name: "one", Reviewer: one}, {Name: "two", Reviewer: two}}, bothOfOneAndTwo, ""},
		{
			"one that fails makes the panel fail, and what the others found is kept",
			reviewer.Panel{{Name: "one", Reviewer: one}, {Name: "three", Reviewer: broken}},
			reviewer.Result{
				Findings: []finding.Finding{by("one", at("a.go", 1))}, Summary: "one: One thing.", FilesClean: []string{"b.go", "c.go"},
				CostUSD: 0.375, Turns: 3, SessionID: "one:s1", Notes: []string{"one: clipped"},
				Run: []reviewer.Event{{MS: 1, Data: reviewer.Said{Reviewer: "one", Message: "asked"}}, {MS: 9, Data: reviewer.Said{Reviewer: "one", Message: "answered"}}},
			},
			"review of pr-01 by three: printed prose",
		},
		{
			"several that fail are all named", reviewer.Panel{{Name: "three", Reviewer: broken}, {Name: "four", Reviewer: broken}},
			reviewer.Result{CostUSD: 0.25}, "review of pr-01 by three, four: printed prose; printed prose",
		},
		{
			"a panel of one says what its member says", reviewer.Panel{{Name: "two", Reviewer: two}},
			reviewer.Result{
				Findings: []finding.Finding{by("two", at("b.go", 2)), by("two", at("a.go", 1))}, Summary: "Two things.", FilesClean: []string{"c.go"},
				CostUSD: 0.5, Turns: 4, Run: []reviewer.Event{{MS: 5, Data: "read"}},
			},
			"",
		},
		{"a panel of one that fails names it", reviewer.Panel{{Name: "three", Reviewer: broken}}, reviewer.Result{CostUSD: 0.125}, "review of pr-01 by three: printed prose"},
		{
			"a panel of nobody fails", nil, reviewer.Result{},
			"review of pr-01 by the panel: no reviewer is configured, so nobody read the change: name one under reviewers",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.panel.Review(t.Context(), task)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Review() (-want +got):\n%s", diff)
			}
			if text := errorText(err); text != tt.wantErr {
				t.Errorf("Review() error = %q, want %q", text, tt.wantErr)
			}
		})
	}
}

func TestPanelErrorCarriesEveryCause(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	_, err := reviewer.Panel{{Name: "a", Reviewer: says{err: first}}, {Name: "b", Reviewer: says{err: second}}}.Review(t.Context(), task)
	if !errors.Is(err, first) || !errors.Is(err, second) {
		t.Errorf("Review() = %v, want an error that wraps both causes", err)
	}
}

// waits says when it was asked and answers when it may.
type waits struct {
	asked chan<- struct{}
	until <-chan struct{}
}

func (w waits) Review(context.Context, reviewer.Task) (reviewer.Result, error) {
	w.asked <- struct{}{}
	<-w.until
	return reviewer.Result{}, nil
}

func TestPanelAsksAllAtOnce(t *testing.T) {
	asked, until := make(chan struct{}), make(chan struct{})
	panel := reviewer.Panel{{Name: "a", Reviewer: waits{asked, until}}, {Name: "b", Reviewer: waits{asked, until}}}
	go func() {
		<-asked
		<-asked // the second is asked although the first has not answered
		close(until)
	}()
	if _, err := panel.Review(t.Context(), task); err != nil {
		t.Fatal(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimSpace(err.Error())
}

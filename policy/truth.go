package policy

import (
	"fmt"
	"slices"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
)

// Truth is what a written policy is checked against.
type Truth struct {
	Labels   eval.Labels
	Key      map[string]Verdict           // nil: the decisions of Labels
	Findings map[string][]finding.Finding // evidence for changes that Labels does not hold
	Blockers map[string][]blocker.Blocker // likewise
}

// Problem is one rule that a written policy breaks.
type Problem struct {
	Line int    `json:"line"` // 1-based; 0 when it is about the whole document
	Text string `json:"text"`
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Text)
}

// ParseKey reads a KEY.yaml, the decision of each change; name is what messages
// call it. Its errors begin with name:line.
func ParseKey(data []byte, name string) (map[string]Verdict, error) {
	words, err := eval.ParseKey(data, name)
	if err != nil {
		return nil, err
	}
	key := make(map[string]Verdict, len(words))
	for id, word := range words {
		key[id] = Verdict(word)
	}
	return key, nil
}

// key returns the decision of each change.
func (t Truth) key() map[string]Verdict {
	if t.Key != nil {
		return t.Key
	}
	key := map[string]Verdict{}
	for _, c := range t.Labels.Changes {
		if c.Decision != "" {
			key[c.ID] = Verdict(c.Decision)
		}
	}
	return key
}

// ids returns the changes that a policy must decide, labelled ones first.
func (t Truth) ids() []string {
	var ids []string
	for _, c := range t.Labels.Changes {
		ids = append(ids, c.ID)
	}
	var more []string
	for id := range t.key() {
		if !slices.Contains(ids, id) {
			more = append(more, id)
		}
	}
	slices.Sort(more)
	return append(ids, more...)
}

// evidence returns the blocker kinds and categories that a change has.
func (t Truth) evidence(id string) []string {
	var words []string
	if labelled, ok := t.Labels.Of(id); ok {
		for _, issue := range labelled.Issues {
			words = append(words, string(issue.Category))
		}
		for _, kind := range labelled.Blockers {
			words = append(words, string(kind))
		}
		return words
	}
	for _, f := range t.Findings[id] {
		words = append(words, string(f.Category))
	}
	for _, b := range t.Blockers[id] {
		words = append(words, string(b.Kind))
	}
	return words
}

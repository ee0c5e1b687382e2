package eval

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/finding"
)

// Labels is a LABELS.yaml: what is true of each change.
type Labels struct {
	Name    string     // of the file, for messages
	Changes []Labelled // in file order
}

// Labelled is what is true of one change.
type Labelled struct {
	ID       string
	Issues   []Label        // empty when there is nothing to find
	Blockers []blocker.Kind // nil when not said
	Verify   string         // one of VerifyWords; "" when not said
	Decision string         // one of Decisions; "" when not said
	At       int            // line of its entry
}

// VerifyWords are the outcomes that a label may name.
var VerifyWords = []string{"pass", "fail", "conflict", "skipped", "unknown", "not run"}

// Decisions are the decisions that a label or a key may name.
var Decisions = []string{"merge", "hold", "block"}

// Of returns the labels of the change with id, and whether there are any.
func (l Labels) Of(id string) (Labelled, bool) {
	for _, c := range l.Changes {
		if c.ID == id {
			return c, true
		}
	}
	return Labelled{}, false
}

// Outside returns a message for each label of the change with id that stands
// on a file the change does not touch: nobody can hit such a label.
func (l Labels) Outside(id string, changed []string) []string {
	var messages []string
	labelled, _ := l.Of(id)
	for _, issue := range labelled.Issues {
		if !slices.Contains(changed, issue.File) {
			messages = append(messages, fmt.Sprintf("%s:%d: %s does not touch %s", l.Name, issue.At, id, issue.File))
		}
	}
	return messages
}

// ParseLabels reads a LABELS.yaml; name is what messages call it. Keys outside
// the shape, words outside the closed lists, a change listed twice and lines
// that make no range are errors that begin with name:line.
func ParseLabels(data []byte, name string) (Labels, error) {
	d := document{name}
	entries, err := d.root(data)
	if err != nil {
		return Labels{}, err
	}
	labels := Labels{Name: name}
	for _, e := range entries {
		labelled, err := d.labelled(e)
		if err != nil {
			return Labels{}, err
		}
		labels.Changes = append(labels.Changes, labelled)
	}
	return labels, nil
}

func (d document) labelled(e entry) (Labelled, error) {
	labelled := Labelled{ID: e.key, At: e.line, Issues: []Label{}}
	fields, err := d.mapping(e.value, e.key, "issues", "blockers", "verify", "decision")
	if err != nil {
		return Labelled{}, err
	}
	for _, f := range fields {
		switch f.key {
		case "issues":
			labelled.Issues, err = d.issues(f)
		case "blockers":
			labelled.Blockers, err = d.kinds(f)
		case "verify":
			labelled.Verify, err = d.word(f.value, f.key, VerifyWords)
		case "decision":
			labelled.Decision, err = d.word(f.value, f.key, Decisions)
		}
		if err != nil {
			return Labelled{}, err
		}
	}
	return labelled, nil
}

func (d document) issues(list entry) ([]Label, error) {
	items, err := d.sequence(list)
	if err != nil {
		return nil, err
	}
	issues := make([]Label, 0, len(items))
	for i, item := range items {
		issue, err := d.issue(item, fmt.Sprintf("issues[%d]", i))
		if err != nil {
			return nil, err
		}
		issues = append(issues, issue)
	}
	return issues, nil
}

func (d document) issue(item *yaml.Node, place string) (Label, error) {
	fields, err := d.mapping(item, place, "file", "category", "severity", "start", "end")
	if err != nil {
		return Label{}, err
	}
	issue := Label{At: item.Line}
	for _, f := range fields {
		var word string
		at := place + "." + f.key
		switch f.key {
		case "file":
			issue.File, err = d.text(f.value, at)
		case "category":
			word, err = d.word(f.value, at, words(finding.Categories))
			issue.Category = finding.Category(word)
		case "severity":
			word, err = d.word(f.value, at, words(finding.Severities))
			issue.Severity = finding.Severity(word)
		case "start":
			issue.Start, err = d.line(f.value, at)
		case "end":
			issue.End, err = d.line(f.value, at)
		}
		if err != nil {
			return Label{}, err
		}
	}
	if issue.End == 0 {
		issue.End = issue.Start
	}
	return issue, d.complete(issue, place)
}

// complete reports what is missing of an issue.
func (d document) complete(l Label, place string) error {
	switch {
	case l.File == "":
		return d.errorf(l.At, "%s: file is missing", place)
	case l.Category == "":
		return d.errorf(l.At, "%s: category is missing", place)
	case l.Severity == "":
		return d.errorf(l.At, "%s: severity is missing", place)
	case l.Start == 0:
		return d.errorf(l.At, "%s: start is missing", place)
	case l.End < l.Start:
		return d.errorf(l.At, "%s: end %d is before start %d", place, l.End, l.Start)
	}
	return nil
}

func (d document) kinds(list entry) ([]blocker.Kind, error) {
	items, err := d.sequence(list)
	if err != nil {
		return nil, err
	}
	kinds := make([]blocker.Kind, 0, len(items))
	for i, item := range items {
		word, err := d.word(item, fmt.Sprintf("blockers[%d]", i), words(blocker.Kinds))
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, blocker.Kind(word))
	}
	return kinds, nil
}

// ParseKey reads a KEY.yaml, the decision of each change; name is what messages
// call it. The values are from Decisions.
func ParseKey(data []byte, name string) (map[string]string, error) {
	d := document{name}
	entries, err := d.root(data)
	if err != nil {
		return nil, err
	}
	key := make(map[string]string, len(entries))
	for _, e := range entries {
		if key[e.key], err = d.word(e.value, e.key, Decisions); err != nil {
			return nil, err
		}
	}
	return key, nil
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

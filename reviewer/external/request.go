package external

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/rules"
	"github.com/reviewgate/reviewgate/schema"
)

// Version is the version of the protocol. It changes when a program that reads
// the document of the version before would misread the new one.
const Version = 1

// request is the document on standard input.
type request struct {
	Version int             `json:"version"`
	Prompt  string          `json:"prompt"`                 // all of the rest in words, for a model
	Schema  json.RawMessage `json:"schema"`                 // of the answer
	Tree    string          `json:"tree"`                   // folder of the patched tree, "" for a patch alone
	Change  change.Change   `json:"change"`                 // without its patch
	Patch   string          `json:"patch"`                  // what is not UTF-8 in it is replaced by U+FFFD
	Raw     []byte          `json:"patch_base64,omitempty"` // the same, when something had to be replaced
	Files   []string        `json:"files"`                  // paths that the patch changes, in its order
	Rules   []rules.Rule    `json:"rules"`                  // those that apply to the files
	Limits  limits          `json:"limits"`
}

type limits struct {
	reviewer.Limits
	Seconds float64 `json:"seconds,omitempty"` // wall time of the whole review
	Bytes   int     `json:"bytes"`             // of the answer
}

func encode(task reviewer.Task, prompt string) ([]byte, error) {
	doc := request{
		Version: Version, Prompt: prompt, Schema: schema.Review,
		Change: task.Change, Patch: string(task.Change.Patch),
		Files: reviewer.Changed(task), Rules: reviewer.Applicable(task),
		Limits: limits{task.Limits, task.Limits.Time.Seconds(), maxAnswer(task)},
	}
	if task.Run != nil {
		doc.Tree = task.Run.Dir()
	}
	if !utf8.Valid(task.Change.Patch) {
		doc.Raw = task.Change.Patch
	}
	for _, list := range []*[]string{&doc.Change.Approvals, &doc.Files} {
		if *list == nil {
			*list = []string{}
		}
	}
	if doc.Rules == nil {
		doc.Rules = []rules.Rule{}
	}
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("write the task as JSON: %w", err)
	}
	return append(data, '\n'), nil
}

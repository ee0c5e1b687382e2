package sarif

import (
	"encoding/json"
	"errors"
)

// readESLint reads the JSON of eslint: a list of files with their messages.
func readESLint(dec *json.Decoder, r *report) error {
	present, err := array(dec, func(int) error {
		var file eslintFile
		if err := dec.Decode(&file); err != nil {
			return err
		}
		if file.FilePath == nil || file.Messages == nil {
			return errors.New("filePath or messages is missing: not a report of eslint")
		}
		r.ignored += len(file.SuppressedMessages)
		for _, m := range file.Messages {
			if m.aboutTheCall() {
				r.ignored++
				r.note("eslint: %s: %s", short(*file.FilePath), short(m.Message))
			} else if err := r.add(m.result(*file.FilePath), false); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !present {
		return errors.New("null: not a report of eslint")
	}
	return nil
}

type eslintFile struct {
	FilePath           *string         `json:"filePath"`
	Messages           []eslintMessage `json:"messages"`
	SuppressedMessages []ignored       `json:"suppressedMessages"`
}

type eslintMessage struct {
	RuleID   string `json:"ruleId"` // null for what is no rule's, as a syntax error
	Severity int    `json:"severity"`
	Fatal    bool   `json:"fatal"`
	Message  string `json:"message"`
	Line     int    `json:"line"`
	EndLine  int    `json:"endLine"`
}

// aboutTheCall reports whether m says nothing of the file but that it was not
// looked at: "File ignored because of a matching ignore pattern".
func (m *eslintMessage) aboutTheCall() bool {
	return m.RuleID == "" && m.Line == 0 && !m.Fatal
}

func (m *eslintMessage) result(file string) result {
	res := result{
		tool: "eslint", rule: m.RuleID, path: file, line: m.Line, end: m.EndLine,
		level: "error", message: m.Message, rank: -1, fatal: m.Fatal,
	}
	if m.Severity == 1 && !m.Fatal {
		res.level = "warning"
	}
	return res
}

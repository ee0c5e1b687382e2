package sarif

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
)

// readGolangCI reads the JSON of golangci-lint: {"Issues": […], "Report": {…}}.
func readGolangCI(dec *json.Decoder, r *report) error {
	known := false
	present, err := object(dec, func(key string) error {
		switch key {
		case "Issues":
			known = true
			_, err := array(dec, func(int) error {
				var issue golangciIssue
				if err := dec.Decode(&issue); err != nil {
					return err
				}
				return r.add(issue.result(), false)
			})
			return err
		case "Report":
			return readGolangCIReport(dec, r)
		}
		return skip(dec)
	})
	if err != nil {
		return err
	}
	if !present || !known {
		return errors.New("the key Issues is missing: not a report of golangci-lint")
	}
	return nil
}

type golangciIssue struct {
	FromLinter string
	Text       string
	Severity   string
	Pos        struct {
		Filename string
		Line     int
	}
	LineRange *struct{ From, To int }
}

// code is the id of a check that some linters put before their message:
// "SA4006: …", "empty-block: …".
var code = regexp.MustCompile(`^([A-Za-z][\w-]{1,40}): `)

func (i *golangciIssue) result() result {
	res := result{
		tool: "golangci-lint", rule: i.FromLinter, path: i.Pos.Filename, line: i.Pos.Line,
		level: i.Severity, message: i.Text, rank: -1,
	}
	if res.level == "" {
		res.level = "error" // what golangci-lint itself writes for it in its other formats
	}
	if m := code.FindStringSubmatch(i.Text); m != nil {
		res.rule += "/" + m[1]
	}
	if i.LineRange != nil && i.LineRange.From == i.Pos.Line {
		res.end = i.LineRange.To
	}
	res.fatal = i.FromLinter == "typecheck" // the package does not compile, so the other linters did not see it
	return res
}

func readGolangCIReport(dec *json.Decoder, r *report) error {
	var about struct {
		Error    string
		Warnings []struct{ Tag, Text string }
	}
	if err := dec.Decode(&about); err != nil {
		return err
	}
	if about.Error != "" {
		return errors.New("golangci-lint says that it failed: " + short(about.Error))
	}
	for _, w := range about.Warnings {
		r.note("golangci-lint warns: %s", short(strings.TrimSpace(w.Tag+" "+w.Text)))
	}
	return nil
}

package sarif

import (
	"bufio"
	"encoding/json"
	"errors"
)

// readStaticcheck reads the output of staticcheck -f json: one object per line.
func readStaticcheck(in *bufio.Reader, r *report) error {
	return eachLine(in, func(line raw) error {
		var p staticcheckProblem
		if err := json.Unmarshal(line, &p); err != nil {
			return wording(err)
		}
		if p.Code == "" || p.Location.File == "" && p.Message == "" {
			return errors.New("code or location is missing: not a report of staticcheck")
		}
		return r.add(p.result(), false)
	})
}

type staticcheckProblem struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Location struct {
		File string `json:"file"`
		Line int    `json:"line"`
	} `json:"location"`
	End struct {
		Line int `json:"line"`
	} `json:"end"`
	Message string `json:"message"`
}

func (p *staticcheckProblem) result() result {
	res := result{
		tool: "staticcheck", rule: p.Code, path: p.Location.File, line: p.Location.Line, end: p.End.Line,
		level: p.Severity, message: p.Message, rank: -1,
		fatal: p.Code == "compile", // the package does not compile, so nothing else of it was seen
	}
	return res
}

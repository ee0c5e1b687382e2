package sarif

import (
	"bufio"
	"encoding/json"
	"errors"
	"strings"
)

// readRDJSON reads reviewdog's diagnostic format as one object with a list of
// diagnostics. It is defined by proto/rdf/reviewdog.proto of
// https://github.com/reviewdog/reviewdog.
func readRDJSON(dec *json.Decoder, r *report) error {
	var whole diagnostic // what its diagnostics do not say
	list := false
	_, err := object(dec, func(key string) (err error) {
		switch key {
		case "diagnostics":
			list, err = array(dec, func(int) error {
				var d diagnostic
				if err := dec.Decode(&d); err != nil {
					return err
				}
				return d.add(r)
			})
			return err
		case "severity":
			return dec.Decode(&whole.Severity)
		case "source":
			return dec.Decode(&whole.Source)
		}
		return skip(dec)
	})
	if err == nil && !list {
		err = errors.New("diagnostics is missing: not a report in rdjson (one diagnostic per line is rdjsonl)")
	}
	whole.fill(r.results)
	return err
}

// readRDJSONL reads the same format as one diagnostic per line. Whether a
// diagnostic is wanted is decided before its words are decoded.
func readRDJSONL(in *bufio.Reader, r *report) error {
	return eachLine(in, func(line raw) error {
		if err := r.count(); err != nil {
			return err
		}
		var res result
		location, message := line.member("location"), line.member("message")
		lines := location.member("range")
		res.path = location.member("path").text()
		res.line, res.end = lines.member("start").member("line").number(), lines.member("end").member("line").number()
		if res.path == "" && len(message) <= len(`""`) {
			return errors.New("message and location are missing: not a diagnostic")
		}
		at, ok := r.wanted(&res.first, &res.last, res.spot(), false)
		if !ok {
			return nil
		}
		var severity rdSeverity
		if word := line.member("severity"); word != nil {
			_ = severity.UnmarshalJSON(word) // it takes any word
		}
		res.path, res.message, res.level, res.rank = at.path, message.text(), string(severity), -1
		res.tool, res.rule = line.member("source").member("name").text(), line.member("code").member("value").text()
		r.append(res)
		return nil
	})
}

func (d *diagnostic) add(r *report) error {
	if d.Message == "" && d.Location.Path == "" {
		return errors.New("message and location are missing: not a diagnostic")
	}
	return r.add(d.result(), false)
}

// diagnostic is one problem in rdjson.
type diagnostic struct {
	Message  string `json:"message"`
	Location struct {
		Path  string  `json:"path"`
		Range rdRange `json:"range"`
	} `json:"location"`
	Severity rdSeverity `json:"severity"`
	Source   struct {
		Name string `json:"name"`
	} `json:"source"`
	Code struct {
		Value string `json:"value"`
	} `json:"code"`
}

type rdRange struct{ Start, End struct{ Line int } }

func (d *diagnostic) result() result {
	return result{
		tool: d.Source.Name, rule: d.Code.Value, path: d.Location.Path,
		line: d.Location.Range.Start.Line, end: d.Location.Range.End.Line,
		level: string(d.Severity), message: d.Message, rank: -1,
	}
}

// fill gives the results of a list what only the list says.
func (d *diagnostic) fill(results []result) {
	for i := range results {
		if results[i].tool == "" {
			results[i].tool = d.Source.Name
		}
		if results[i].level == "" {
			results[i].level = string(d.Severity)
		}
	}
}

// rdSeverity is a severity by name or, as protobuf allows, by number.
type rdSeverity string

// UnmarshalJSON reads "ERROR" and 1 alike.
func (s *rdSeverity) UnmarshalJSON(data []byte) error {
	switch text := strings.Trim(string(data), `"`); text {
	case "null", "0", "UNKNOWN_SEVERITY":
		*s = ""
	case "1":
		*s = "error"
	case "2":
		*s = "warning"
	case "3":
		*s = "info"
	default:
		*s = rdSeverity(strings.ToLower(text))
	}
	return nil
}

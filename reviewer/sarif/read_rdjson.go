package sarif

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readRDJSON reads reviewdog's diagnostic format: one object with a list of
// diagnostics, or one diagnostic after another. It is defined by
// proto/rdf/reviewdog.proto of https://github.com/reviewdog/reviewdog.
func readRDJSON(dec *json.Decoder, r *report) error {
	for documents := 0; ; documents++ {
		err := readDiagnostics(dec, r)
		if errors.Is(err, errNoMore) && documents > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// errNoMore says that the input ended before a document began.
var errNoMore = fmt.Errorf("no document: %w", io.EOF)

// readDiagnostics reads one document, which is a list of diagnostics or a
// single one.
func readDiagnostics(dec *json.Decoder, r *report) error {
	if !dec.More() {
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			return err
		}
		return errNoMore
	}
	var d diagnostic // for a list, what its diagnostics do not say
	from, list := len(r.results), false
	_, err := object(dec, func(key string) error {
		if key != "diagnostics" {
			return d.field(dec, key)
		}
		var err error
		list, err = array(dec, func(int) error {
			var one diagnostic
			if err := dec.Decode(&one); err != nil {
				return err
			}
			return r.add(one.result(), false)
		})
		return err
	})
	switch {
	case err != nil:
		return err
	case list:
		d.fill(r.results[from:])
		return nil
	case d.Message == "" && d.Location.Path == "":
		return errors.New("neither diagnostics nor a message with a location")
	}
	return r.add(d.result(), false)
}

// diagnostic is one problem in rdjson.
type diagnostic struct {
	Message  string `json:"message"`
	Location struct {
		Path  string `json:"path"`
		Range struct{ Start, End struct{ Line int } }
	} `json:"location"`
	Severity rdSeverity `json:"severity"`
	Source   struct {
		Name string `json:"name"`
	} `json:"source"`
	Code struct {
		Value string `json:"value"`
	} `json:"code"`
}

// field reads the value of one key.
func (d *diagnostic) field(dec *json.Decoder, key string) error {
	switch key {
	case "message":
		return dec.Decode(&d.Message)
	case "location":
		return dec.Decode(&d.Location)
	case "severity":
		return dec.Decode(&d.Severity)
	case "source":
		return dec.Decode(&d.Source)
	case "code":
		return dec.Decode(&d.Code)
	}
	return skip(dec)
}

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

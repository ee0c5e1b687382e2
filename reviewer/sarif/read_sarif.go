package sarif

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// readSARIF reads SARIF 2.1.0. Sections in comments are those of the standard,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
func readSARIF(dec *json.Decoder, r *report) error {
	runs := 0
	present, err := object(dec, func(key string) error {
		switch key {
		case "version":
			return sarifVersion(dec)
		case "runs":
			_, err := array(dec, func(int) error {
				runs++
				return readSARIFRun(dec, r)
			})
			return err
		}
		return skip(dec)
	})
	switch {
	case err != nil:
		return err
	case !present || runs == 0:
		return errors.New("runs is missing or empty: no analyzer ran")
	}
	return nil
}

func sarifVersion(dec *json.Decoder) error {
	var version string
	if err := dec.Decode(&version); err != nil {
		return err
	}
	if !strings.HasPrefix(version, "2.") {
		return fmt.Errorf("%q is not read here, only 2.1.0", short(version))
	}
	return nil
}

// sarifRun is what a run says besides its results. The keys of a run come in
// any order, so results wait for the rest.
type sarifRun struct {
	tool      sarifTool
	bases     map[string]sarifArtifact // §3.14.14 originalUriBaseIds
	artifacts []sarifListed
	results   []sarifResult
	reported  bool // the run has a list of results
}

func readSARIFRun(dec *json.Decoder, r *report) error {
	var run sarifRun
	if _, err := object(dec, func(key string) error { return run.field(dec, r, key) }); err != nil {
		return err
	}
	if !run.reported {
		return errors.New("results is missing: the analyzer did not look") // §3.14.23
	}
	for i := range run.results {
		run.place(&run.results[i], r)
	}
	return nil
}

func (run *sarifRun) field(dec *json.Decoder, r *report, key string) error {
	switch key {
	case "tool":
		return dec.Decode(&run.tool)
	case "originalUriBaseIds":
		return dec.Decode(&run.bases)
	case "artifacts":
		return dec.Decode(&run.artifacts)
	case "invocations":
		var invocations []sarifInvocation
		if err := dec.Decode(&invocations); err != nil {
			return err
		}
		return run.ended(invocations, r)
	case "externalPropertyFileReferences":
		var files struct{ Results []ignored }
		if err := dec.Decode(&files); err != nil {
			return err
		}
		if len(files.Results) > 0 {
			return errors.New("the results are in other files, which are not read here")
		}
		return nil
	case "results":
		present, err := array(dec, func(int) error { return run.result(dec, r) })
		run.reported = present
		return err
	}
	return skip(dec)
}

// result reads one result. It is placed at once when what it stands on has been
// read already, as in the reports of most tools.
func (run *sarifRun) result(dec *json.Decoder, r *report) error {
	var res sarifResult
	if err := dec.Decode(&res); err != nil {
		return err
	}
	if err := r.count(); err != nil {
		return err
	}
	if res.takenBack() {
		r.ignored++
		return nil
	}
	if !run.ready(&res) {
		run.results = append(run.results, res)
		return nil
	}
	run.place(&res, r)
	return nil
}

// ready reports whether nothing that may still follow in the run can change
// what res means.
func (run *sarifRun) ready(res *sarifResult) bool {
	if run.tool.Driver.Name == "" {
		return false
	}
	for _, l := range res.Locations {
		_, known := run.bases[l.Physical.Artifact.BaseID]
		if l.Physical.Artifact.URI == "" || l.Physical.Artifact.BaseID != "" && !known {
			return false
		}
	}
	return true
}

func (run *sarifRun) place(res *sarifResult, r *report) {
	for _, at := range run.translate(res) {
		r.place(at, true)
	}
}

// ended looks at how the tool ended (§3.20). A tool that says it failed did not
// look, whatever it found until then; unless it names the files that it could
// not read, as eslint does with a syntax error: then it looked at the others.
func (run *sarifRun) ended(invocations []sarifInvocation, r *report) error {
	for _, in := range invocations {
		explained := false
		for _, n := range append(in.Execution, in.Configuration...) {
			switch {
			case n.Level != "error":
			case len(n.Locations) > 0:
				explained = true
				run.results = append(run.results, sarifResult{Level: "error", Message: n.Message, Locations: n.Locations, fatal: true})
				if err := r.count(); err != nil {
					return err
				}
			default:
				r.note("the analyzer reports an error of its own: %s", short(n.Message.Text))
			}
		}
		if in.Successful != nil && !*in.Successful && !explained {
			return fmt.Errorf("the analyzer says that it failed%s", firstWords(append(in.Execution, in.Configuration...)))
		}
	}
	return nil
}

func firstWords(notes []sarifNotification) string {
	for _, n := range notes {
		if n.Message.Text != "" {
			return ": " + short(n.Message.Text)
		}
	}
	return ""
}

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/policy"
)

// JUnit XML as build servers read it: a suite per change, a case per check and
// per requirement, and one for the verdict.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Body    string `xml:",chardata"`
}

// JUnit writes checks, requirements and verdicts as test cases. A case passes
// only when its outcome is known to be good: a hold is a failure, an unknown
// check is an error.
func JUnit(w io.Writer, run Run) error {
	doc := junitSuites{Name: "reviewgate"}
	for _, e := range run.Entries {
		suite := newJUnitSuite(e)
		doc.Tests += suite.Tests
		doc.Failures += suite.Failures
		doc.Errors += suite.Errors
		doc.Suites = append(doc.Suites, suite)
	}
	return encodeXML(w, doc)
}

func newJUnitSuite(e Entry) junitSuite {
	suite := junitSuite{Name: strings.TrimSuffix(oneLine(e.ID)+": "+oneLine(e.Title), ": "), Time: seconds(e.DurationMS)}
	suite.add(verdictCase(e))
	for _, c := range e.Verify.Checks {
		suite.add(checkCase(e, c))
	}
	for _, r := range e.Requirements {
		suite.add(requirementCase(e, r))
	}
	return suite
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func verdictCase(e Entry) junitCase {
	c := junitCase{Class: oneLine(e.ID), Name: "verdict", Time: seconds(e.DurationMS)}
	if e.Verdict == policy.Merge {
		return c
	}
	var body strings.Builder
	for _, f := range e.Findings {
		fmt.Fprintf(&body, "%s %s %s %s\n", place(f.Finding), f.Severity, f.Category, longLine(wholeMessage(f.Finding)))
	}
	c.Failure = &junitOutcome{Message: oneLine(e.Reason), Type: oneLine(string(e.Verdict)), Body: body.String()}
	return c
}

func checkCase(e Entry, check change.Check) junitCase {
	c := junitCase{Class: oneLine(e.ID) + ".verify", Name: oneLine(check.Name), Time: seconds(check.DurationMS)}
	outcome := &junitOutcome{Message: checkReason(check), Type: oneLine(string(check.Status)), Body: lines(check.Output)}
	switch check.Status {
	case change.Pass:
	case change.Fail:
		c.Failure = outcome
	default:
		c.Error = outcome
	}
	return c
}

func requirementCase(e Entry, r policy.Requirement) junitCase {
	c := junitCase{Class: oneLine(e.ID) + ".requirements", Name: oneLine(r.Name), Time: "0.000"}
	outcome := &junitOutcome{Message: oneLine(r.Detail), Type: oneLine(string(r.Status))}
	switch r.Status {
	case policy.Satisfied, policy.Overridden:
	case policy.NotApplicable:
		c.Skipped = outcome
	case policy.Unsatisfied:
		c.Failure = outcome
	default:
		c.Error = outcome
	}
	return c
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

package sarif

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// The parts of a SARIF document that matter here.
type (
	sarifTool struct {
		Driver     sarifComponent   `json:"driver"`
		Extensions []sarifComponent `json:"extensions"`
	}
	sarifComponent struct {
		Name   string                  `json:"name"`
		Rules  []sarifRule             `json:"rules"`
		Global map[string]sarifMessage `json:"globalMessageStrings"`
		ids    map[string]int          // index of Rules, made when first needed
	}
	sarifRule struct {
		ID       string                  `json:"id"`
		Short    sarifMessage            `json:"shortDescription"`
		Strings  map[string]sarifMessage `json:"messageStrings"`
		Defaults struct {
			Level string   `json:"level"`
			Rank  *float64 `json:"rank"`
		} `json:"defaultConfiguration"`
		Properties sarifTags `json:"properties"`
	}
	sarifResult struct {
		RuleID       string          `json:"ruleId"`
		RuleIndex    *int            `json:"ruleIndex"`
		Rule         *sarifReference `json:"rule"`
		Kind         string          `json:"kind"`
		Level        string          `json:"level"`
		Message      sarifMessage    `json:"message"`
		Locations    []sarifLocation `json:"locations"`
		Suppressions []struct {
			Status string `json:"status"`
		} `json:"suppressions"`
		Baseline   string    `json:"baselineState"`
		Rank       *float64  `json:"rank"`
		Properties sarifTags `json:"properties"`

		fatal bool // not a result: the tool could not read this file
	}
	sarifLocation struct {
		Physical struct {
			Artifact sarifArtifact `json:"artifactLocation"`
			Region   struct {
				StartLine int `json:"startLine"`
				EndLine   int `json:"endLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
	sarifReference struct {
		ID        string `json:"id"`
		Index     *int   `json:"index"`
		Component struct {
			Index *int `json:"index"`
		} `json:"toolComponent"`
	}
	sarifMessage struct {
		Text      string   `json:"text"`
		ID        string   `json:"id"`
		Arguments []string `json:"arguments"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId"`
		Index  *int   `json:"index"`
	}
	sarifListed struct {
		Location sarifArtifact `json:"location"`
	}
	sarifInvocation struct {
		Successful    *bool               `json:"executionSuccessful"`
		Execution     []sarifNotification `json:"toolExecutionNotifications"`
		Configuration []sarifNotification `json:"toolConfigurationNotifications"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
)

// sarifTags are the tags of a property bag, which may hold anything (§3.8).
type sarifTags []string

// UnmarshalJSON takes the tags and lets through what has none.
func (t *sarifTags) UnmarshalJSON(data []byte) error {
	var bag struct {
		Tags []string `json:"tags"`
	}
	if json.Unmarshal(data, &bag) == nil {
		*t = bag.Tags
	}
	return nil
}

// takenBack reports whether the tool itself says that the result is no problem
// of the code as it is: not a failure (§3.27.9), gone (§3.27.24), or suppressed
// and not refused a suppression (§3.27.23, §3.35.3).
func (res *sarifResult) takenBack() bool {
	switch res.Kind {
	case "pass", "notApplicable", "informational":
		return true
	}
	if res.Baseline == "absent" {
		return true
	}
	for _, s := range res.Suppressions {
		if s.Status == "rejected" || s.Status == "underReview" {
			return false
		}
	}
	return len(res.Suppressions) > 0
}

// mostLocations bounds the places of one result that are looked at.
const mostLocations = 10

// translate returns res once for each place where it occurs.
func (run *sarifRun) translate(res *sarifResult) []result {
	rule, component := run.rule(res)
	base := result{
		tool: run.tool.Driver.Name, rule: res.RuleID, level: res.Level, rank: -1, fatal: res.fatal,
		message: run.message(res, rule, component),
		tags:    append(rule.Properties[:len(rule.Properties):len(rule.Properties)], res.Properties...),
	}
	if base.rule == "" {
		base.rule = rule.ID
	}
	if base.level == "" {
		base.level = rule.Defaults.Level
	}
	if base.level == "" {
		base.level = "warning" // §3.27.10
	}
	if rank := firstOf(res.Rank, rule.Defaults.Rank); rank != nil && *rank >= 0 && *rank <= 100 {
		base.rank = *rank / 100 // §3.27.25
	}
	var all []result
	for _, l := range res.Locations[:min(len(res.Locations), mostLocations)] {
		at := base
		at.path = run.uri(l.Physical.Artifact)
		at.line, at.end = l.Physical.Region.StartLine, l.Physical.Region.EndLine
		all = append(all, at)
	}
	if len(all) == 0 {
		all = append(all, base)
	}
	return all
}

func firstOf[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// rule returns the description of the rule that res broke (§3.27.5 to .7) and
// the component that has it.
func (run *sarifRun) rule(res *sarifResult) (sarifRule, *sarifComponent) {
	component, index, id := &run.tool.Driver, res.RuleIndex, res.RuleID
	if ref := res.Rule; ref != nil {
		if id == "" {
			id = ref.ID
		}
		if ref.Index != nil {
			index = ref.Index
		}
		if i := ref.Component.Index; i != nil && *i >= 0 && *i < len(run.tool.Extensions) {
			component = &run.tool.Extensions[*i]
		}
	}
	if index != nil && *index >= 0 && *index < len(component.Rules) {
		if rule := component.Rules[*index]; id == "" || rule.ID == id || strings.HasPrefix(id, rule.ID+"/") {
			return rule, component
		}
	}
	return component.byID(id), component
}

// byID returns the rule called id, or the one of which id is a case: CA1000/1
// (§3.27.5).
func (c *sarifComponent) byID(id string) sarifRule {
	if c.ids == nil {
		c.ids = make(map[string]int, len(c.Rules))
		for i, rule := range c.Rules {
			c.ids[rule.ID] = i
		}
	}
	for range mostCases {
		if i, ok := c.ids[id]; ok {
			return c.Rules[i]
		}
		id = id[:max(0, strings.LastIndexByte(id, '/'))]
	}
	return sarifRule{}
}

// mostCases bounds the parts of a rule id that are looked up one by one.
const mostCases = 4

// message returns the text of res, looked up by its id where it has one
// (§3.11.7).
func (run *sarifRun) message(res *sarifResult, rule sarifRule, component *sarifComponent) string {
	text := res.Message.Text
	if text == "" && res.Message.ID != "" {
		text = rule.Strings[res.Message.ID].Text
		if text == "" {
			text = component.Global[res.Message.ID].Text
		}
	}
	if text == "" {
		text = rule.Short.Text
	}
	return withoutLinks(substitute(text, res.Message.Arguments))
}

// substitute puts arguments in place of {0}, {1}, …; {{ and }} stand for
// braces (§3.11.5).
func substitute(text string, arguments []string) string {
	if len(arguments) == 0 {
		return text
	}
	pairs := []string{"{{", "{", "}}", "}"}
	for i, a := range arguments[:min(len(arguments), 100)] {
		pairs = append(pairs, "{"+strconv.Itoa(i)+"}", a)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// withoutLinks keeps the text of embedded links, [text](1), whose target only a
// viewer of SARIF knows (§3.11.6).
func withoutLinks(text string) string {
	if !strings.Contains(text, "](") {
		return text
	}
	return links.ReplaceAllString(text, "$1")
}

var links = regexp.MustCompile(`\[([^\[\]\\]*)\]\(\d+\)`)

// uri returns the URI reference of a place with the bases it stands on put
// before it (§3.4.4).
func (run *sarifRun) uri(a sarifArtifact) string {
	if a.URI == "" && a.Index != nil && *a.Index >= 0 && *a.Index < len(run.artifacts) {
		a = run.artifacts[*a.Index].Location
	}
	uri := a.URI
	for range mostBases {
		if a.BaseID == "" || absoluteURI(uri) {
			return uri
		}
		base, known := run.bases[a.BaseID]
		if !known {
			return uri
		}
		if base.URI != "" {
			uri = strings.TrimRight(base.URI, "/") + "/" + strings.TrimLeft(uri, "/")
		}
		a = base
	}
	return "" // a circle
}

// mostBases bounds the chain of base ids that one place stands on.
const mostBases = 8

func absoluteURI(uri string) bool {
	_, file := cutScheme(uri, "file:")
	return file || strings.Contains(uri, "://") || strings.HasPrefix(uri, "/") || drive(uri)
}

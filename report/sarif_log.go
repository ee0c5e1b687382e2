package report

// The part of SARIF 2.1.0 that is written here: the properties that code
// scanning services read. Names are the standard's.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              sarifTool                     `json:"tool"`
	AutomationDetails *sarifAutomation              `json:"automationDetails,omitempty"`
	Invocations       []sarifInvocation             `json:"invocations"`
	BaseIDs           map[string]sarifArtifactPlace `json:"originalUriBaseIds"`
	ColumnKind        string                        `json:"columnKind"`
	Results           []sarifResult                 `json:"results"`
	Properties        map[string]any                `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	FullName        string      `json:"fullName,omitempty"`
	SemanticVersion string      `json:"semanticVersion,omitempty"`
	InformationURI  string      `json:"informationUri"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	Name             string         `json:"name"`
	ShortDescription sarifText      `json:"shortDescription"`
	FullDescription  sarifText      `json:"fullDescription"`
	Help             sarifText      `json:"help"`
	Default          sarifDefault   `json:"defaultConfiguration"`
	Properties       map[string]any `json:"properties"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
	StartTime     string              `json:"startTimeUtc,omitempty"`
}

type sarifNotification struct {
	Level      string           `json:"level"`
	Message    sarifText        `json:"message"`
	Descriptor *sarifDescriptor `json:"descriptor,omitempty"`
}

type sarifDescriptor struct {
	ID string `json:"id"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Rank         float64           `json:"rank"` // confidence in percent
	Fixes        []sarifFix        `json:"fixes,omitempty"`
	Properties   map[string]any    `json:"properties"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifactPlace `json:"artifactLocation"`
	Region   *sarifRegion       `json:"region,omitempty"`
}

type sarifArtifactPlace struct {
	URI         string     `json:"uri,omitempty"`
	BaseID      string     `json:"uriBaseId,omitempty"`
	Description *sarifText `json:"description,omitempty"`
}

type sarifRegion struct {
	StartLine int        `json:"startLine"`
	EndLine   int        `json:"endLine,omitempty"`
	Snippet   *sarifText `json:"snippet,omitempty"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifactPlace `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

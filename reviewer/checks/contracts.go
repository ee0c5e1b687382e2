package checks

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer/checks/contract"
)

var protoCheck = check{
	Info: Info{
		ID:       prefix + "proto",
		What:     "A change to a protobuf interface that breaks programs which were built against the version on the base.",
		Why:      "Old and new programs run side by side during every rollout, and stored messages are read for years.",
		Severity: finding.Blocker,
		Category: finding.ContractBreak,
	},
	needs: bothTrees,
	run:   findProtoBreaks,
}

var openAPICheck = check{
	Info: Info{
		ID:       prefix + "openapi",
		What:     "A change to an OpenAPI or Swagger document that breaks those who call the version on the base.",
		Why:      "Callers are released on their own schedule, and many are not the team's own.",
		Severity: finding.Blocker,
		Category: finding.ContractBreak,
	},
	needs: bothTrees,
	run:   findOpenAPIBreaks,
}

func findProtoBreaks(ctx context.Context, s *subject, out *sink) {
	var base, head []contract.Source
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if path.Ext(f.path) != ".proto" || f.kind.vendored || f.kind.fixture {
			continue
		}
		if f.Status != diff.Added && f.Status != diff.Copied {
			if text, ok := out.text(s.base, f.OldPath); ok {
				base = append(base, contract.Source{Path: f.OldPath, Text: text})
			}
		}
		if f.Status != diff.Deleted {
			if text, ok := out.text(s.tree, f.NewPath); ok {
				head = append(head, contract.Source{Path: f.NewPath, Text: text})
			}
		}
	}
	if len(base) == 0 {
		return
	}
	breaks, problems := contract.Proto(base, head)
	for _, p := range problems {
		out.unread("%s could not be compared, nor the other .proto files with it: %v", p.File, p.Err)
	}
	reportBreaks(out, breaks)
}

func findOpenAPIBreaks(ctx context.Context, s *subject, out *sink) {
	protoChanged := slices.ContainsFunc(s.files, func(f *file) bool { return path.Ext(f.path) == ".proto" })
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.Status == diff.Added || f.Status == diff.Copied || !mayDescribeAPI(f) {
			continue
		}
		if !contract.IsOpenAPI(firstBytes(s.base, f.OldPath, 64<<10)) {
			continue
		}
		old, ok := out.text(s.base, f.OldPath)
		if !ok {
			continue
		}
		if protoChanged && generatedMark.in(old[:min(len(old), 500)]) {
			out.note("%s is generated, and the .proto files that the change edits are compared themselves", f.path)
			continue
		}
		if f.Status == diff.Deleted {
			reportBreaks(out, []contract.Break{{File: f.OldPath, Line: 1, Weight: contract.Soft, Text: "The OpenAPI document is deleted. Whoever generates clients from it gets nothing: keep it, or say where the description is now."}})
			continue
		}
		now, ok := out.text(s.tree, f.NewPath)
		if !ok {
			continue
		}
		breaks, err := contract.OpenAPI(contract.Source{Path: f.OldPath, Text: old}, contract.Source{Path: f.NewPath, Text: now})
		if err != nil {
			out.unread("%s could not be compared: %v", f.path, err)
			continue
		}
		reportBreaks(out, breaks)
	}
}

func mayDescribeAPI(f *file) bool {
	switch strings.ToLower(path.Ext(f.OldPath)) {
	case ".yaml", ".yml", ".json":
		return !f.kind.vendored && !f.kind.fixture && !f.kind.test && !f.kind.lock && !f.Binary
	}
	return false
}

// weights are the severities of contract's weights.
var weights = map[contract.Weight]finding.Severity{
	contract.Hard: finding.Blocker, contract.Soft: finding.Major, contract.Unstable: finding.Minor,
}

func reportBreaks(out *sink, breaks []contract.Break) {
	for _, b := range breaks {
		out.reportAs(weights[b.Weight], b.File, b.Line, 0.9, b.Text)
	}
}

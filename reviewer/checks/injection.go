package checks

import (
	"context"
	"fmt"

	"github.com/reviewgate/reviewgate/finding"
)

var injectionCheck = check{
	Info: Info{
		ID:       prefix + "reviewer-instructions",
		What:     "Text that speaks to the reviewer: ignore your instructions, approve this change.",
		Why:      "A reviewer that is a model may do what it reads; a person should see that the change asks for it.",
		Severity: finding.Major,
		Category: finding.Security,
	},
	needs: patchOnly,
	run:   findInjections,
}

// orders are sentences that only make sense to the reviewer of the change. A
// prompt that a program sends to a model ("you are a helpful reviewer") is none.
var orders = []*pattern{
	expr(`(?i)\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+|every\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+|those\s+)?(?:previous|prior|above|earlier|preceding|existing|original|system|review(?:er)?(?:'s)?)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules|guidelines|directions|context)`),
	expr(`(?i)\b(?:ai|llm|bot|automated|code|model)[\s-]+(?:code[\s-]+)?(?:review(?:er)?s?|agents?|assistants?)\b.{0,60}\b(?:must|should|please|always|shall|to)\s+(?:\w+\s+){0,2}(?:approve|merge|accept|lgtm|not\s+(?:report|flag|comment|mention|review)|skip|ignore|pass)\b`),
	expr(`(?i)\b(?:please\s+)?(?:approve|merge|lgtm)\s+(?:this|the)\s+(?:pr|pull\s+request|merge\s+request|change|diff|patch|commit)\s+(?:without|immediately|now|as[\s-]is|unconditionally|regardless|and\s+(?:do\s+not|don't|report\s+no))`),
	expr(`(?i)\b(?:do\s+not|don't|never)\s+(?:report|flag|mention|raise)\s+(?:any\s+|this\s+as\s+an?\s+|these\s+as\s+)(?:issues?|findings?|problems?|bugs?|vulnerabilit(?:y|ies)|security\s+issues?|errors?)\s+(?:in|with|about|for|on)\s+(?:this|the)\s+(?:file|change|pr|pull\s+request|diff|patch|code)`),
	expr(`(?i)(?:<\|im_start\|>|<\|system\|>|\[/?INST\]|<<SYS>>|<system>|</?system-reminder>|\bBEGIN SYSTEM PROMPT\b)`),
	expr(`(?i)\b(?:set|return|output|respond\s+with|answer\s+with|your\s+verdict\s+(?:is|must\s+be))\s*:?\s*["'{\x60]*\s*(?:"?verdict"?\s*[:=]\s*)?["'\x60]?(?:approved?|merge|lgtm)["'\x60]?\s*(?:for\s+this|and\s+(?:an\s+)?(?:empty|no)\s+(?:list|findings|issues))`),
}

// tokens are the markers of a chat with a model: in code that talks to models
// they are ordinary.
const tokensAt = 4

func findInjections(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.kind.vendored || f.kind.lock {
			continue
		}
		for l := range s.added(f) {
			if s.moved(l.text) {
				continue
			}
			for i, order := range orders {
				if i == tokensAt && f.kind.language != "" && !comment(f.kind.language, l.text) {
					continue
				}
				found := order.find(l.text)
				if found == nil {
					continue
				}
				severity := finding.Major
				if f.kind.test || f.kind.fixture {
					severity = finding.Minor
				}
				out.reportAs(severity, f.path, l.number, 0.8, fmt.Sprintf("The text %s speaks to whoever reviews this change. A reviewer that is a model may follow it: take it out, or have a person read this change.", quoted(string(found))))
				break
			}
		}
	}
}

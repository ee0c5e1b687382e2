package report

import (
	"fmt"
	"strconv"
	"strings"
)

// findingView is one finding on its piece of the diff.
type findingView struct {
	Severity, Icon, Category, Place string
	Confidence, Sure                string // Sure is the width of its bar of 36 pixels
	Title, Message                  string
	Excerpt                         *excerptView
	Suggestion                      []token
	Origin                          []string
}

type excerptView struct {
	Header string
	Lines  []lineView
}

type lineView struct {
	Class, Op, Old, New string
	Mark                bool
	Tokens              []token
}

func newFindingView(e Entry, f Finding, room *showing) findingView {
	v := findingView{
		Severity: oneLine(string(f.Severity)), Icon: severityIcon(string(f.Severity)), Category: oneLine(string(f.Category)), Place: place(f.Finding),
		Confidence: ratio(f.Confidence), Sure: strconv.FormatFloat(36*min(max(f.Confidence, 0), 1), 'f', 1, 64),
		Title: oneLine(f.Title), Message: lines(f.Message), Origin: originFacts(e, f),
	}
	if f.EndLine > f.Line {
		v.Place += fmt.Sprintf("-%d", f.EndLine)
	}
	lang := languageOf(f.File)
	if f.Excerpt != nil && room.excerpts > 0 {
		room.excerpts--
		v.Excerpt = newExcerptView(*f.Excerpt, lang)
	}
	if f.Suggestion != "" {
		v.Suggestion = paint(visible(clip(f.Suggestion, maxMessage)), lang)
	}
	return v
}

func originFacts(e Entry, f Finding) []string {
	var facts []string
	if f.Rule != "" {
		facts = append(facts, "rule "+oneLine(f.Rule))
	}
	if f.Reviewer != "" {
		facts = append(facts, "raised by "+oneLine(f.Reviewer))
	}
	if words := hitsLabel(e, f); words != "" {
		facts = append(facts, words)
	}
	if f.Excerpt == nil {
		facts = append(facts, "the line is outside the lines that the patch shows")
	}
	return facts
}

func newExcerptView(x Excerpt, lang *language) *excerptView {
	v := &excerptView{Header: oneLine(x.Header)}
	before, after := painter{lang: lang}, painter{lang: lang}
	for _, l := range x.Lines[:min(len(x.Lines), excerptLines)] {
		text := visible(clip(l.Text, excerptWidth))
		text = strings.ReplaceAll(text, "\n", `\n`)
		view := lineView{Op: "\u00a0", Old: number(l.Old), New: number(l.New), Mark: l.Mark}
		switch l.Op {
		case "+":
			view.Op, view.Class, view.Tokens = "+", "add", after.line(text)
		case "-":
			view.Op, view.Class, view.Tokens = "−", "del", before.line(text)
		default:
			before.line(text)
			view.Tokens = after.line(text)
		}
		if l.Mark {
			view.Class = strings.TrimSpace(view.Class + " hit")
		}
		v.Lines = append(v.Lines, view)
	}
	return v
}

// paint highlights a text of several lines.
func paint(text string, lang *language) []token {
	p := painter{lang: lang}
	var out tokens
	for i, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i > 0 {
			out.add("", "\n")
		}
		for _, t := range p.line(l) {
			out.add(t.Class, t.Text)
		}
	}
	return out
}

// number writes a line number, nothing for 0.
func number(n int) string {
	if n < 1 {
		return ""
	}
	return strconv.Itoa(n)
}

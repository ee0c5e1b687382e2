package reviewer

import (
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"
	"text/template"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/rules"
)

//go:embed prompt.tmpl
var promptText string

// promptTemplate is parsed when the first prompt is made: the program starts
// often, and seldom to ask.
var promptTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("prompt").Parse(promptText))
})

// Nonce returns a mark for one [Prompt] that nobody can foresee.
func Nonce() string { return rand.Text() }

// Prompt returns what a reviewer that understands language is asked about
// task: the change's id, title and description, the bodies of the rules that
// apply to its files and no other, the patch, and what counts as a finding.
//
// What the author of the change wrote stands between lines that carry nonce, so
// that no text in it can end its own quotation. nonce comes from [Nonce]; one
// that the material contains nevertheless is replaced by another.
func Prompt(task Task, nonce string) string {
	pieces := []material{
		{"id", quoted(task.Change.ID)},
		{"title", quoted(task.Change.Title)},
		{"description", quoted(task.Change.Description)},
		{"patch", quoted(string(task.Change.Patch))},
	}
	for contains(pieces, nonce) {
		sum := sha256.Sum256([]byte(nonce))
		nonce = hex.EncodeToString(sum[:])
	}
	var out strings.Builder
	err := promptTemplate().Execute(&out, struct {
		Categories, Nonce string
		Rules             []rules.Rule
		Material          []material
	}{categories(), nonce, Applicable(task), pieces})
	if err != nil {
		panic("prompt: " + err.Error()) // the template and its data are both ours
	}
	return out.String()
}

// material is one piece of the change as the prompt shows it.
type material struct{ Name, Text string }

// quoted makes text safe to stand between two marks: nothing invisible, and a
// newline at its end.
func quoted(text string) string {
	text = Visible(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func contains(pieces []material, nonce string) bool {
	for _, p := range pieces {
		if strings.Contains(p.Text, nonce) {
			return true
		}
	}
	return false
}

func categories() string {
	words := make([]string, len(finding.Categories))
	for i, c := range finding.Categories {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}

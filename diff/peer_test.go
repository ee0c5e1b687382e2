package diff

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/google/go-cmp/cmp"
)

// TestParseAgreesWithAnotherParser reads what git writes by default, where
// go-gitdiff is known to be right.
func TestParseAgreesWithAnotherParser(t *testing.T) {
	r := history(t)
	commits := strings.Fields(string(r.git("rev-list", "--reverse", "HEAD")))
	for i := 1; i < len(commits); i++ {
		patch := r.git("diff", "--no-renames", commits[i-1], commits[i])
		if len(patch) == 0 {
			continue
		}
		p, err := Parse(patch)
		if err != nil {
			t.Fatal(err)
		}
		files, _, err := gitdiff.Parse(bytes.NewReader(patch))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(peerLines(files), ownLines(p)); d != "" {
			t.Errorf("lines (-peer +parsed):\n%s", d)
		}
	}
}

type numberedLine struct {
	Path     string
	Op       string
	Old, New int64
	Text     string
}

func peerLines(files []*gitdiff.File) []numberedLine {
	var lines []numberedLine
	for _, f := range files {
		path := f.NewName
		if path == "" {
			path = f.OldName
		}
		for _, fragment := range f.TextFragments {
			old, new := fragment.OldPosition, fragment.NewPosition
			for _, l := range fragment.Lines {
				line := numberedLine{Path: path, Op: l.Op.String(), Text: strings.TrimSuffix(strings.TrimSuffix(l.Line, "\n"), "\r")}
				if l.Op != gitdiff.OpAdd {
					line.Old = old
					old++
				}
				if l.Op != gitdiff.OpDelete {
					line.New = new
					new++
				}
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func ownLines(p *Patch) []numberedLine {
	var lines []numberedLine
	for _, f := range p.Files {
		for _, h := range f.Hunks {
			for l := range h.Lines() {
				lines = append(lines, numberedLine{f.Path(), string(rune(l.Op)), int64(l.Old), int64(l.New), string(l.Text)})
			}
		}
	}
	return lines
}

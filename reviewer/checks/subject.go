package checks

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io/fs"
	"iter"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/checks/secret"
)

// maxLine is how long a line may be, in bytes, for checks other than
// checks/secret to read it.
const maxLine = 16 << 10

// subject is the change as the checks see it.
type subject struct {
	files      []*file
	patch      *diff.Patch
	base, tree fs.FS // nil for a patch alone
	secrets    *secret.Scanner
	deleted    map[uint64]bool // hashes of the trimmed lines that the patch takes away
	seed       maphash.Seed
	baseList   *listing
	treeList   *listing
}

// file is one changed file.
type file struct {
	*diff.File
	path   string
	kind   kind
	series bool // the patch changes the path more than once
	tree   []byte
}

// line is one line that the change adds.
type line struct {
	number int // in the new version, from 1
	text   []byte
}

func newSubject(task reviewer.Task, secrets *secret.Scanner) *subject {
	s := &subject{patch: task.Patch, base: task.Base, tree: task.Tree, secrets: secrets, deleted: map[uint64]bool{}, seed: maphash.MakeSeed()}
	attributes := readAttributes(s.base)
	times := map[string]int{}
	for i := range task.Patch.Files {
		times[task.Patch.Files[i].Path()]++
	}
	for i := range task.Patch.Files {
		f := &task.Patch.Files[i]
		s.files = append(s.files, &file{File: f, path: f.Path(), kind: kindOf(f, attributes), series: times[f.Path()] > 1})
		for _, h := range f.Hunks {
			for l := range h.Lines() {
				if text := bytes.TrimSpace(l.Text); l.Op == diff.Delete && len(text) > 0 && len(text) <= maxLine {
					s.deleted[maphash.Bytes(s.seed, text)] = true
				}
			}
		}
	}
	return s
}

// added returns the lines that the change adds to f, those of reasonable length
// only: a longer line is no source that anybody wrote.
func (s *subject) added(f *file) iter.Seq[line] {
	return func(yield func(line) bool) {
		for l := range s.everyAdded(f) {
			if len(l.text) <= maxLine && !yield(l) {
				return
			}
		}
	}
}

// everyAdded returns all lines that the change adds to f. Of a series of
// patches only those that the last version still has.
func (s *subject) everyAdded(f *file) iter.Seq[line] {
	return func(yield func(line) bool) {
		if f.Submodule() || f.NewMode == "120000" {
			return
		}
		for l := range f.AddedLines() {
			if f.series && s.tree != nil && !s.stillThere(f, l) {
				continue
			}
			if !yield(line{l.New, l.Text}) {
				return
			}
		}
	}
}

func (s *subject) stillThere(f *file, l diff.Line) bool {
	if f.tree == nil {
		f.tree, _, _ = read(s.tree, f.path)
	}
	return bytes.Contains(f.tree, l.Text)
}

// looksBinary reports whether a file that git takes for text holds control
// characters on one added line in fifty or more.
func (s *subject) looksBinary(f *file) bool {
	controls, lines := 0, 0
	for l := range s.added(f) {
		lines++
		if bytes.ContainsFunc(l.text, func(r rune) bool { return r < ' ' && r != '\t' && r != '\f' && r != '\r' && r != 0x1b }) {
			controls++
		}
		if lines == 2000 {
			break
		}
	}
	return controls > 1 && controls*50 >= lines || controls > 0 && lines < 10 && f.kind.language == "" && !f.kind.docs
}

// moved reports whether the patch takes a line of this text away elsewhere: what
// only moved is not new.
func (s *subject) moved(text []byte) bool {
	return len(s.deleted) > 0 && s.deleted[maphash.Bytes(s.seed, bytes.TrimSpace(text))]
}

// order returns the place of every path in the patch.
func (s *subject) order() map[string]int {
	order := map[string]int{}
	for i, f := range s.files {
		if _, ok := order[f.path]; !ok {
			order[f.path] = i
		}
	}
	return order
}

// notes says what no check reads, or not all of them.
func (s *subject) notes() []string {
	var notes []string
	for _, f := range s.files {
		long := 0
		for l := range f.AddedLines() {
			if len(l.Text) > maxLine {
				long++
			}
		}
		if long > 0 {
			notes = append(notes, fmt.Sprintf("%s: read for secrets only: %s longer than %d KiB", reviewer.Line(f.path, 200), plural(long, "added line"), maxLine>>10))
		}
		if f.Submodule() {
			notes = append(notes, fmt.Sprintf("%s: what a submodule's new commit brings was not read", reviewer.Line(f.path, 200)))
		}
	}
	return notes
}

// clean returns the text files that were read and have no finding.
func (s *subject) clean(findings []finding.Finding) []string {
	found := map[string]bool{}
	for _, f := range findings {
		found[f.File] = true
	}
	clean := []string{}
	for _, f := range s.files {
		if !found[f.path] && !f.Binary && !f.Submodule() && f.Status != diff.Deleted && fs.ValidPath(f.path) && !strings.Contains(f.path, `\`) {
			found[f.path] = true
			clean = append(clean, f.path)
		}
	}
	return clean
}

// content returns the new version of a file: from the tree, or, for a patch
// alone, from the patch when that adds the whole file. The sink is told when it
// cannot be had.
func (s *subject) content(f *file, out *sink) ([]byte, bool) {
	if s.tree != nil {
		data, ok := out.text(s.tree, f.path)
		return data, ok
	}
	if f.Status != diff.Added || f.Binary {
		out.note("%s was not checked: without the tree only a part of it is known", f.path)
		return nil, false
	}
	data, _ := s.joined(f)
	return data, len(data) <= maxFile
}

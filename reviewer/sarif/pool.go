package sarif

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
)

// pool holds the results on the base until results on the patched tree take
// them.
type pool struct {
	taken  []bool
	byLine map[lineKey][]int
	byText map[textKey][]int
}

// lineKey finds a result whose line the patch left alone.
type lineKey struct {
	rule, path string
	line       int
}

// textKey finds a result whose line was moved. Without a text nothing is the
// same.
type textKey struct{ rule, path, message, text string }

func newPool(results []result, tree fs.FS) *pool {
	p := &pool{taken: make([]bool, len(results)), byLine: map[lineKey][]int{}, byText: map[textKey][]int{}}
	texts := textOf{tree: tree}
	for i := range results {
		res := &results[i]
		first, _ := span(res.spot())
		line, text := lineKey{res.rule, res.path, first}, texts.key(res, res.path, first)
		p.byLine[line] = append(p.byLine[line], i)
		p.byText[text] = append(p.byText[text], i)
	}
	return p
}

func (p *pool) takeLine(k lineKey) bool { return p.take(p.byLine[k]) }

func (p *pool) takeText(k textKey) bool { return k.text != "" && p.take(p.byText[k]) }

func (p *pool) take(indices []int) bool {
	for _, i := range indices {
		if !p.taken[i] {
			p.taken[i] = true
			return true
		}
	}
	return false
}

// textOf reads lines of a tree, one file at a time.
type textOf struct {
	tree  fs.FS
	path  string
	lines [][]byte
}

// mostText bounds the file whose lines are compared; a longer one is generated.
const mostText = 8 << 20

func (t *textOf) key(res *result, path string, line int) textKey {
	return textKey{res.rule, path, res.message, t.line(res.path, line)}
}

// line returns a line of the file at path without the white space that
// indentation and alignment change, "" when it cannot be read.
func (t *textOf) line(path string, line int) string {
	if path != t.path {
		t.path, t.lines = path, nil
		if data, err := readAtMost(t.tree, path, mostText); err == nil {
			t.lines = bytes.Split(data, []byte("\n"))
		}
	}
	if line < 1 || line > len(t.lines) {
		return ""
	}
	return strings.Join(strings.Fields(string(t.lines[line-1])), " ")
}

func readAtMost(tree fs.FS, path string, most int64) ([]byte, error) {
	file, err := tree.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

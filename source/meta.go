package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/change"
)

// meta is a meta.json. Pointers tell what is missing from what is empty; what
// is no pointer may be missing, which says no more than that it is empty.
type meta struct {
	ID          *string  `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Author      string   `json:"author"`
	Approvals   []string `json:"approvals"`
	CreatedAt   *string  `json:"created_at"`
	Draft       bool     `json:"draft"`
	Labels      []string `json:"labels"`
}

// parseMeta reads a meta.json. Its errors begin with the line, or with a blank
// where there is none to name.
func parseMeta(text []byte, folder string) (change.Change, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some editors begin a file with it
	var m meta
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&m); err != nil {
		return change.Change{}, jsonError(text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return change.Change{}, fmt.Errorf("%d: there is more after the end of the object", lineAt(text, decoder.InputOffset()))
	}
	return m.change(folder)
}

// change checks the fields and returns what they say. Its error names all that
// is wrong with them.
func (m *meta) change(folder string) (change.Change, error) {
	const todoTime = `the time as "2026-10-03T09:00:00Z"`
	var wrong []string
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	c := change.Change{Description: m.Description, Author: m.Author, Approvals: m.Approvals, Draft: m.Draft, Labels: m.Labels}
	switch {
	case m.ID == nil:
		add(`field "id" is missing: add it as %q, the name of the folder`, folder)
	case *m.ID != folder:
		add(`field "id" is %q, the folder is called %q: give both the same name`, *m.ID, folder)
	default:
		c.ID = *m.ID
	}
	if c.Title = m.Title; strings.TrimSpace(c.Title) == "" {
		add(`field "title" is missing: add one line that says what the change does`)
	}
	if c.Approvals == nil {
		c.Approvals = []string{}
	}
	if slices.Contains(c.Approvals, "") {
		add(`field "approvals" holds an empty name: remove it or fill it in`)
	}
	if m.CreatedAt == nil {
		add(`field "created_at" is missing: add %s`, todoTime)
	} else if created, err := time.Parse(time.RFC3339, *m.CreatedAt); err != nil {
		add(`field "created_at" is %q: write %s`, *m.CreatedAt, todoTime)
	} else {
		c.CreatedAt = created.UTC()
	}
	if len(wrong) > 0 {
		return change.Change{}, errors.New(" " + strings.Join(wrong, "; "))
	}
	return c, nil
}

// jsonError adds the line to an error of package json.
func jsonError(text []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%d: is not JSON: %w", lineAt(text, syntax.Offset), err)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		place := "the file"
		if kind.Field != "" {
			place = fmt.Sprintf("field %q", kind.Field)
		}
		return fmt.Errorf("%d: %s must be %s, not %s", lineAt(text, kind.Offset), place, wanted(kind), kind.Value)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%d: is not JSON: it ends too early", lineAt(text, int64(len(text))))
	}
	return fmt.Errorf(" %w", err)
}

// wanted names the JSON kind that a field should have had.
func wanted(kind *json.UnmarshalTypeError) string {
	switch kind.Type.Kind().String() {
	case "slice":
		return "a list of texts"
	case "bool":
		return "true or false"
	case "struct":
		return "an object"
	}
	return "a text"
}

// lineAt returns the line that an offset of text lies on.
func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), int64(len(text)))], []byte("\n"))
}

// readFile reads a regular file of at most max bytes.
func readFile(name string, max int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := readAll(file, max)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// readAll reads to the end, or fails when there are more than max bytes.
func readAll(r io.Reader, max int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > max {
		return nil, fmt.Errorf("is larger than %d MiB, which is more than a change may have", max>>20)
	}
	return text, nil
}

package report

import (
	"encoding/json"
	"io"
)

// JSON writes the stored run, from which every other format can be made again:
// see [Decode]. Lists are never null.
func JSON(w io.Writer, run Run) error { return encode(w, run.filled()) }

// EntryJSON writes the stored entry of one change: what --json prints. Lists are
// never null.
func EntryJSON(w io.Writer, e Entry) error { return encode(w, e.filled()) }

// encode writes v as indented JSON. Markup characters stay as they are: this is
// for files and pipes, never for a page.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

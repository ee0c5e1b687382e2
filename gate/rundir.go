package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/reviewgate/reviewgate/report"
)

// RunDir is the folder of one run: runs/<id>.json holds the evidence about a
// change, runs/<id>.jsonl what the reviewer and the gate exchanged,
// runs/live-<date>.json the aggregate in figures and run.json the whole run; the
// reports lie beside them. Every file is written whole or not at all. A nil
// *RunDir keeps nothing.
type RunDir struct {
	dir   string
	reuse bool
}

// OpenRunDir returns the run folder at dir, made when need be. With reuse,
// evidence that an earlier run left there and that is still true is found
// again.
func OpenRunDir(dir string, reuse bool) (*RunDir, error) {
	if err := os.MkdirAll(filepath.Join(dir, "runs"), 0o755); err != nil {
		return nil, err
	}
	d := &RunDir{dir, reuse}
	if _, err := os.Lstat(d.Path(ignoreFile)); err == nil {
		return d, nil
	}
	return d, d.write(ignoreFile, []byte("*\n"))
}

// ignoreFile keeps a run folder inside a checkout out of the next review of the
// working copy.
const ignoreFile = ".gitignore"

// record is what runs/<id>.json holds.
type record struct {
	Key      string       `json:"key"`
	Entry    report.Entry `json:"entry"`
	Evidence Evidence     `json:"evidence"`
}

// maxRecord bounds a stored record that is read back, in bytes.
const maxRecord = 64 << 20

// find returns the evidence about id when it was gathered under key. Evidence
// that leaves something open, or that cannot be read, is not found.
func (d *RunDir) find(id, key string) (Evidence, bool) {
	if d == nil || !d.reuse {
		return Evidence{}, false
	}
	f, err := os.Open(d.Path(fileOf(id, ".json")))
	if err != nil {
		return Evidence{}, false
	}
	defer f.Close()
	var r record
	if err := json.NewDecoder(io.LimitReader(f, maxRecord)).Decode(&r); err != nil || r.Key != key {
		return Evidence{}, false
	}
	return r.Evidence, r.Evidence.established()
}

// established reports whether asking again could tell nothing new: the review
// gave an answer, and every check passed or failed.
func (ev Evidence) established() bool {
	if ev.Answer != nil && (ev.Answer.Error != "" || len(ev.Answer.Unread) > 0) {
		return false
	}
	return ev.Verification == nil || ev.Verification.OK() != nil
}

// Save stores an outcome; now is when.
func (d *RunDir) Save(o Outcome, now time.Time) error {
	if d == nil {
		return nil
	}
	var stream bytes.Buffer
	enc := json.NewEncoder(&stream)
	if err := enc.Encode(map[string]any{"meta": map[string]any{
		"change": o.Entry.ID, "title": o.Entry.Title, "reviewers": o.Entry.Reviewers, "review": o.Entry.Review,
		"cost_usd": o.Entry.CostUSD, "turns": o.Entry.Turns, "written_at": now.UTC(),
	}}); err != nil {
		return err
	}
	for _, e := range o.Events {
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	if err := d.write(fileOf(o.Entry.ID, ".jsonl"), stream.Bytes()); err != nil {
		return err
	}
	return d.saveRecord(o)
}

// saveRecord stores an outcome without the stream of its review.
func (d *RunDir) saveRecord(o Outcome) error {
	text, err := json.MarshalIndent(record{o.key, o.Entry, o.Evidence}, "", "  ")
	if err != nil {
		return err
	}
	return d.write(fileOf(o.Entry.ID, ".json"), text)
}

// The files of a run folder that people ask for, relative to it.
const (
	StoredFile   = "run.json" // the whole run, from which every format can be made
	MarkdownFile = "REPORT.md"
	PageFile     = "report.html"
)

// Finish writes the stored run, its aggregate and its reports. The aggregate's
// name carries the UTC date of run.StartedAt.
func (d *RunDir) Finish(run report.Run) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer, report.Run) error
	}{
		{filepath.Join("runs", "live-"+run.StartedAt.UTC().Format(time.DateOnly)+".json"), report.Aggregate},
		{StoredFile, report.JSON},
		{MarkdownFile, report.Markdown},
		{PageFile, report.HTML},
	} {
		var text bytes.Buffer
		if err := file.write(&text, run); err != nil {
			return fmt.Errorf("render %s: %w", file.name, err)
		}
		if err := d.write(file.name, text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// Path returns where a file of the run folder lies.
func (d *RunDir) Path(name string) string { return filepath.Join(d.dir, name) }

// fileOf returns the name of a change's file. What cannot stand in a name on
// every file system is written as %XX, so two ids never share a file: feature/x
// becomes feature%2Fx.
func fileOf(id, extension string) string {
	return filepath.Join("runs", url.PathEscape(id)+extension)
}

// write puts text into the file name, whole or not at all.
func (d *RunDir) write(name string, text []byte) (err error) {
	target := filepath.Join(d.dir, name)
	f, err := os.CreateTemp(filepath.Dir(target), ".writing-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", target, err)
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), target)
}

package sarif

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/reviewgate/reviewgate/reviewer"
)

// analyse returns the report on the patched tree. Without a base to compare it
// with, only what stands on changed lines is kept of it.
func (r *Reviewer) analyse(ctx context.Context, c *comparison) (*report, error) {
	head := &report{locate: &locator{has: c.entries.has, files: maps.Keys(c.entries.latest), tree: c.task.Tree, dir: r.opts.Dir}}
	if !r.opts.Base {
		head.keep = c.introduced
	}
	if r.opts.File != "" {
		return head, r.readFile(c.task, head)
	}
	if c.task.Run == nil {
		return nil, errors.New("there is no patched tree to run the analyzer in: give it a repository, or a report by file")
	}
	return head, r.runIn(ctx, c.task, c.task.Run, head)
}

// analyseBase returns the report on the tree before the patch, of the files
// that the patch touches, by the paths that they had.
func (r *Reviewer) analyseBase(ctx context.Context, task reviewer.Task) (*report, error) {
	if task.RunBase == nil || task.Base == nil {
		return nil, errors.New("there is no tree of the base to run the analyzer in")
	}
	files := map[string]bool{}
	for i := range task.Patch.Files {
		files[task.Patch.Files[i].OldPath] = true
	}
	delete(files, "")
	base := &report{locate: &locator{has: func(p string) bool { return files[p] }, files: maps.Keys(files), tree: task.Base, dir: r.opts.Dir}}
	return base, r.runIn(ctx, task, task.RunBase, base)
}

// readFile reads the report that was written before the gate began.
func (r *Reviewer) readFile(task reviewer.Task, into *report) error {
	name := r.opts.File
	if task.Patch.File(filepath.ToSlash(filepath.Clean(name))) != nil {
		return fmt.Errorf("%s is written by the change itself: have the analyzer write its report where no change can", name)
	}
	into.locate.guess = r.opts.Root == ""
	if r.opts.Root != "" {
		into.locate.roots = []string{filepath.ToSlash(r.opts.Root)}
	}
	// A pipe would be waited for without an end.
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s does not exist: run the analyzer before the gate", name)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	into.bytes = info.Size()
	if err := read(file, r.opts.Format, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// runIn runs the analyzer in the tree of run and reads what it prints.
func (r *Reviewer) runIn(ctx context.Context, task reviewer.Task, run reviewer.Runner, into *report) error {
	into.locate.roots = []string{filepath.ToSlash(run.Dir())}
	ended, err := r.program.Run(ctx, task, run, nil, r.most)
	if err != nil {
		return err
	}
	program, failed := r.opts.Command[0], ended.ExitCode != 0
	into.bytes = int64(len(ended.Stdout))
	err = read(bytes.NewReader(ended.Stdout), r.opts.Format, into)
	if errors.Is(err, errEmpty) && !failed && cutAnywhere(r.opts.Format) {
		return nil // one object per problem: no problem, no object
	}
	switch {
	case err != nil && failed:
		return fmt.Errorf("%s %s%s; its report: %w", program, reviewer.Exit(ended), said(r.program, ended.Stderr), err)
	case err != nil:
		return fmt.Errorf("the report of %s: %w", program, err)
	case failed && into.seen == 0:
		return fmt.Errorf("%s %s and reported nothing%s", program, reviewer.Exit(ended), said(r.program, ended.Stderr))
	case ended.ExitCode < 0, ended.ExitCode > 1 && cutAnywhere(r.opts.Format):
		return fmt.Errorf("%s %s, so its report may be cut%s", program, reviewer.Exit(ended), said(r.program, ended.Stderr))
	case ended.ExitCode > 1:
		into.note("%s %s%s", program, reviewer.Exit(ended), said(r.program, ended.Stderr))
	}
	return nil
}

// cutAnywhere reports whether a report of a format is whole after each of its
// lines, so that nobody sees that the rest is missing.
func cutAnywhere(f Format) bool { return f == RDJSONL || f == Staticcheck }

// said returns the first words on standard error as the tail of a sentence.
func said(p reviewer.Program, stderr []byte) string {
	if words := p.Quote(string(stderr[:min(len(stderr), 4096)])); words != "" {
		return ": " + words
	}
	return ""
}

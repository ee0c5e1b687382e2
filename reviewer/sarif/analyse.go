package sarif

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer"
)

// analyse returns the report on the patched tree.
func (r *Reviewer) analyse(ctx context.Context, task reviewer.Task) (*report, error) {
	files := paths(task.Patch, func(f *diff.File) string { return f.NewPath })
	head := &report{locate: newLocator(files, task.Tree)}
	head.locate.dir = r.opts.Dir
	if r.opts.File != "" {
		return head, r.readFile(task, head)
	}
	if task.Run == nil {
		return nil, errors.New("there is no patched tree to run the analyzer in: give it a repository, or a report by file")
	}
	return head, r.runIn(ctx, task, task.Run, head)
}

// analyseBase returns the report on the tree before the patch, of the files
// that the patch touches, by the paths that they had.
func (r *Reviewer) analyseBase(ctx context.Context, task reviewer.Task) (*report, error) {
	if task.RunBase == nil || task.Base == nil {
		return nil, errors.New("there is no tree of the base to run the analyzer in")
	}
	files := paths(task.Patch, func(f *diff.File) string { return f.OldPath })
	base := &report{locate: newLocator(files, task.Base)}
	base.locate.dir = r.opts.Dir
	return base, r.runIn(ctx, task, task.RunBase, base)
}

func paths(p *diff.Patch, path func(*diff.File) string) []string {
	var all []string
	for i := range p.Files {
		if f := path(&p.Files[i]); f != "" {
			all = append(all, f)
		}
	}
	return all
}

// readFile reads the report that was written before the gate began.
func (r *Reviewer) readFile(task reviewer.Task, into *report) error {
	name := r.opts.File
	if slices.Contains(reviewer.Changed(task), filepath.ToSlash(filepath.Clean(name))) {
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
	err = read(bytes.NewReader(ended.Stdout), r.opts.Format, into)
	if errors.Is(err, errEmpty) && !failed && (r.opts.Format == RDJSONL || r.opts.Format == Staticcheck) {
		return nil // one object per problem: no problem, no object
	}
	switch {
	case err != nil && failed:
		return fmt.Errorf("%s %s%s; its report: %w", program, reviewer.Exit(ended), r.program.Said(ended), err)
	case err != nil:
		return fmt.Errorf("the report of %s: %w", program, err)
	case failed && into.seen == 0:
		return fmt.Errorf("%s %s and reported nothing%s", program, reviewer.Exit(ended), said(r.program, ended.Stderr))
	case ended.ExitCode < 0 || ended.ExitCode > 1:
		into.note("%s %s%s", program, reviewer.Exit(ended), said(r.program, ended.Stderr))
	}
	return nil
}

// said returns the first words on standard error as the tail of a sentence.
func said(p reviewer.Program, stderr []byte) string {
	if words := p.Quote(string(stderr[:min(len(stderr), 4096)])); words != "" {
		return ": " + words
	}
	return ""
}

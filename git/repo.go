package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Repo is an open repository. It is safe for concurrent use. [Repo.Close]
// ends its git process and removes its scratch folder.
type Repo struct {
	Dir      string // the git directory, absolute; of a linked worktree its own
	Common   string // the git directory that holds the refs and objects; Dir unless a linked worktree
	Work     string // top of the working copy, absolute; "" when there is none
	Branch   string // full name of the current branch; "" when HEAD is detached or the branch has no commit yet
	Upstream string // full name of the current branch's upstream; "" when it has none
	Shallow  bool   // history is cut off
	Partial  bool   // objects may be missing: a partial clone

	format  string // "sha1" or "sha256"
	maxBlob int64
	user    runner // the user's repository, with new objects going to the scratch folder
	objects runner // the same objects in a repository of our own, without settings, refs or attributes
	index   string // the index file of the user
	scratch string
	batch   *batch
	trees   treeCache
	writing sync.Mutex // held while objects are written to the scratch folder
}

// Options says where a repository is and how much of it to trust.
type Options struct {
	GitDir    string   // --git-dir; "" looks for it from the folder upwards
	WorkTree  string   // --work-tree; only together with GitDir
	IndexFile string   // the index to read instead of the repository's own: what a commit hook is given
	Environ   []string // PATH, HOME and the like come from here; nil means the program's own
	MaxBlob   int64    // bytes of one file that is read from a tree; 0 means DefaultMaxBlob
}

// DefaultMaxBlob is how many bytes of one file are read from a tree unless the
// options say otherwise: more than any source file, less than hurts.
const DefaultMaxBlob = 64 << 20

// ErrNotRepository says that a folder is not inside a git repository.
var ErrNotRepository = errors.New("not a git repository")

// ErrOwner says that git refuses a repository because another user owns it.
var ErrOwner = errors.New("git refuses a repository that another user owns")

// Open opens the repository that dir lies in: a working copy or a folder of
// it, a linked worktree, a submodule, a bare repository. Whichever folder of a
// working copy it is, [Repo.Work] is the top. It runs one git process.
//
// The error wraps [ErrNoGit], [ErrNotRepository] or [ErrOwner] when that is
// what is wrong.
func Open(ctx context.Context, dir string, o Options) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("open repository %s: is a file: name the folder that holds the repository", dir)
	}
	// git prints paths relative to where a link leads, not to the link.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	environ := o.Environ
	if environ == nil {
		environ = os.Environ()
	}
	found, err := newRunner(dir, environ, location(o)...)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	r := &Repo{maxBlob: o.MaxBlob}
	if r.maxBlob == 0 {
		r.maxBlob = DefaultMaxBlob
	}
	objects, err := r.locate(ctx, found, dir)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	if o.IndexFile != "" {
		r.index = absolute(dir, o.IndexFile)
	}
	packs, _ := filepath.Glob(filepath.Join(escapeGlob(objects), "pack", "*.promisor"))
	r.Partial = len(packs) > 0
	if err := r.makeScratch(found, objects); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	r.batch = &batch{runner: r.user}
	return r, nil
}

// Close ends the repository's git process and removes what was written for it.
// Files and trees of the repository cannot be read afterwards.
func (r *Repo) Close() error {
	return errors.Join(r.batch.close(), os.RemoveAll(r.scratch))
}

// location is the environment that tells git where the repository is.
func location(o Options) []string {
	var env []string
	if o.GitDir != "" {
		env = append(env, "GIT_DIR="+o.GitDir)
		if o.WorkTree != "" {
			env = append(env, "GIT_WORK_TREE="+o.WorkTree)
		}
	}
	return env
}

// locate fills in where the repository is and what HEAD is, and returns its
// object folder.
func (r *Repo) locate(ctx context.Context, found runner, dir string) (objects string, err error) {
	// HEAD and the upstream stand last: git prints up to the first that it
	// does not have, and fails.
	out, _, err := found.run(ctx, call{args: []string{"rev-parse",
		"--absolute-git-dir", "--git-common-dir", "--git-path", "objects", "--git-path", "index",
		"--is-bare-repository", "--is-shallow-repository", "--show-object-format",
		"--show-cdup", "--symbolic-full-name", "HEAD", "@{upstream}"}})
	const fixed = 7 // lines before --show-cdup, which prints none without a working copy
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) < fixed {
		if err == nil {
			err = fmt.Errorf("git rev-parse: answer of %d lines", len(lines))
		}
		return "", explain(err)
	}
	r.Dir = lines[0]
	r.Common = absolute(dir, lines[1])
	objects = absolute(dir, lines[2])
	r.index = absolute(dir, lines[3])
	bare := lines[4] == "true"
	r.Shallow = lines[5] == "true"
	r.format = lines[6]
	rest := lines[fixed:]
	if len(rest) > 0 && rest[0] != "HEAD" && !strings.HasPrefix(rest[0], "refs/") {
		if !bare {
			r.Work = absolute(dir, rest[0])
		}
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] != "HEAD" {
		r.Branch = rest[0]
	}
	if len(rest) > 1 && strings.HasPrefix(rest[1], "refs/") {
		r.Upstream = rest[1]
	}
	if info, err := os.Stat(r.Common); err != nil || !info.IsDir() {
		return "", fmt.Errorf("git says that the repository is %q, which is no folder", r.Common)
	}
	return objects, nil
}

// explain turns git's refusal to open a repository into ours.
func explain(err error) error {
	refused, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return err
	case refused.says("dubious ownership"):
		return fmt.Errorf("%w: run git config --global --add safe.directory with its path if you trust it", ErrOwner)
	case refused.says("not a git repository"):
		return fmt.Errorf("%w, nor is any folder above it", ErrNotRepository)
	}
	return err
}

// absolute makes a path that git printed absolute: git prints them relative to
// the folder that it was started in.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// escapeGlob quotes the characters that filepath.Glob takes for patterns.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

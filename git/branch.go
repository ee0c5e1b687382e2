package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Ref is a ref and the commit that it stands for.
type Ref struct {
	Name   string // full: refs/remotes/origin/main
	Commit Commit
}

// Short returns the name as people write it: origin/main.
func (r Ref) Short() string { return ShortName(r.Name) }

// ShortName returns a full ref name without refs/heads/, refs/remotes/ or
// refs/tags/.
func ShortName(name string) string {
	for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			return short
		}
	}
	return name
}

// ErrNoDefaultBranch says that nothing in the repository shows what its default
// branch is.
var ErrNoDefaultBranch = errors.New("no default branch: there is neither origin/HEAD nor main nor master")

// DefaultBranch returns the branch that changes go to: what the remote calls
// its HEAD, else the first that exists of main, master and the configured
// init.defaultBranch, the remote's before the local one.
func (r *Repo) DefaultBranch(ctx context.Context) (Ref, error) {
	remote := r.remote()
	if ref, err := r.ref(ctx, r.remoteHead(remote)); !errors.Is(err, errMissing) {
		return ref, err
	}
	for _, name := range []string{"main", "master"} {
		if ref, err := r.branch(ctx, remote, name); !errors.Is(err, errMissing) {
			return ref, err
		}
	}
	out, _, err := r.user.run(ctx, call{args: []string{"config", "--get", "init.defaultBranch"}, okay: []int{1}})
	if err != nil {
		return Ref{}, err
	}
	if name := strings.TrimSpace(string(out)); name != "" {
		if ref, err := r.branch(ctx, remote, name); !errors.Is(err, errMissing) {
			return ref, err
		}
	}
	return Ref{}, ErrNoDefaultBranch
}

// branch returns the branch of that name, the remote's before the local one.
func (r *Repo) branch(ctx context.Context, remote, name string) (Ref, error) {
	ref, err := r.ref(ctx, "refs/remotes/"+remote+"/"+name)
	if errors.Is(err, errMissing) {
		ref, err = r.ref(ctx, "refs/heads/"+name)
	}
	return ref, err
}

// ref returns the commit of a full ref name.
func (r *Repo) ref(ctx context.Context, name string) (Ref, error) {
	commit, err := r.commit(ctx, name+"^{commit}")
	return Ref{Name: name, Commit: commit}, err
}

// UpstreamRef returns the current branch's upstream; ok is false when it has
// none or its ref is gone.
func (r *Repo) UpstreamRef(ctx context.Context) (ref Ref, ok bool, err error) {
	if r.Upstream == "" {
		return Ref{}, false, nil
	}
	ref, err = r.ref(ctx, r.Upstream)
	if errors.Is(err, errMissing) {
		return Ref{}, false, nil
	}
	return ref, err == nil, err
}

// remote returns the remote of the current branch's upstream, else origin.
func (r *Repo) remote() string {
	if rest, ok := strings.CutPrefix(r.Upstream, "refs/remotes/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return name
	}
	return "origin"
}

// remoteHead returns the name of the branch that the remote's HEAD points to.
// It only serves to show a better name than origin/HEAD, which stands for the
// same commit: where refs are no files, that is what is shown.
func (r *Repo) remoteHead(remote string) string {
	head := "refs/remotes/" + remote + "/HEAD"
	text, err := os.ReadFile(filepath.Join(r.Common, filepath.FromSlash(head)))
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: ")
	if err != nil || !ok || !strings.HasPrefix(target, "refs/remotes/"+remote+"/") {
		return head
	}
	return target
}

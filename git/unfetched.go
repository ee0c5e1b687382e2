package git

import (
	"context"
	"regexp"
	"strings"
)

// Fetch is a branch of a remote that a clone may not have.
type Fetch struct {
	Remote string // origin
	Branch string // main
}

// Command returns the git command that gets the branch, whatever the clone
// fetches otherwise.
func (f Fetch) Command() string {
	return "git fetch " + f.Remote + " " + f.Branch + ":refs/remotes/" + f.Ref()
}

// Ref returns the name of the branch once it is fetched: origin/main.
func (f Fetch) Ref() string { return f.Remote + "/" + f.Branch }

// plainName is a branch or remote that a shell takes as it is written.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.+/-]*$`)

// Unfetched returns how to get name if it is a branch of the remote, with or
// without the remote's name before it. ok is false when name can be no branch,
// when there is no remote, and in a clone that fetches all branches.
func (r *Repo) Unfetched(ctx context.Context, name string) (fetch Fetch, ok bool) {
	remote, all := r.fetches(ctx)
	if remote == "" || all && !r.Shallow {
		return Fetch{}, false
	}
	branch := ShortName(name)
	branch = strings.TrimPrefix(branch, remote+"/")
	if !plainName.MatchString(branch) || !plainName.MatchString(remote) || strings.Contains(branch, "..") ||
		branch == "HEAD" || maybeID(branch) || strings.HasPrefix(branch, "refs/") || strings.HasPrefix(name, "refs/tags/") {
		return Fetch{}, false
	}
	return Fetch{remote, branch}, true
}

// fetches returns the remote that branches come from, "" when there is none,
// and whether all of its branches are fetched. It is the remote of the current
// branch's upstream, else origin, else the first.
func (r *Repo) fetches(ctx context.Context) (remote string, all bool) {
	out, _, err := r.user.run(ctx, call{args: []string{"config", "-z", "--get-regexp", `^remote\..*\.(url|fetch)$`}, okay: []int{1}})
	if err != nil {
		return "", false // it is for a hint only
	}
	wildcard := map[string]bool{}
	var names []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		name := strings.TrimPrefix(key, "remote.")
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
		if name == "" {
			continue
		}
		names = append(names, name)
		if strings.HasSuffix(key, ".fetch") && strings.HasPrefix(strings.TrimPrefix(value, "+"), "refs/heads/*:") {
			wildcard[name] = true
		}
	}
	if len(names) == 0 {
		return "", false
	}
	remote = names[0]
	for _, name := range names {
		if name == r.remote() {
			remote = name
		}
	}
	return remote, wildcard[remote]
}

package verify

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/proc"
)

// The go command takes "ok (cached)" from the run of a base when no package that
// a test is built from and no file that the test itself opened has changed. It
// does not see what the programs that a test starts have read: a test that builds
// and runs the project's command stays "ok" when the command breaks. Nor does it
// see files outside of the test's own module. Such tests are run again.

// fromCache matches a package whose result was not found out by this run.
var fromCache = regexp.MustCompile(`(?m)^ok  \t(\S+)\t\(cached\)`)

// runUncached runs again what run, which passed, took from the cache although it
// may depend on more than the cache knows. It returns the run that decides.
func (g *Gate) runUncached(ctx context.Context, p *program, spec Spec, run []string, ended proc.Result) (proc.Result, error) {
	var packages []string
	for _, m := range fromCache.FindAllSubmatch(ended.Stdout, -1) {
		packages = append(packages, string(m[1]))
	}
	at := slices.Index(run, "test")
	if spec.Kind != Go || ended.ExitCode != 0 || len(packages) == 0 || at < 0 {
		return ended, nil
	}
	again := packages
	if !p.w.touchesOutside(spec.Dir) {
		var err error
		if again, err = p.startingPrograms(ctx, spec, packages); err != nil || len(again) == 0 {
			return ended, err
		}
	}
	fresh := slices.Insert(slices.Clone(run), at+1, "-count=1")
	if slices.Equal(run, []string{"go", "test", "./..."}) {
		fresh = append([]string{"go", "test", "-count=1"}, again...)
	}
	second, tree, err := p.runApart(ctx, nil, proc.Cmd{Args: fresh, Dir: spec.Dir, Timeout: g.timeout(spec), Merge: true, MaxStdout: g.opt.MaxOutput})
	if err != nil {
		return ended, err
	}
	head := "\n# again without the cache, which does not know all that these tests depend on:\n"
	second.Stdout = slices.Concat(ended.Stdout, []byte(head), []byte(readable(second.Stdout, tree)))
	second.Duration += ended.Duration
	second.Truncated = second.Truncated || ended.Truncated
	return second, nil
}

// touchesOutside reports whether the change touches a file that does not lie in
// the folder dir of the tree.
func (w *Workspace) touchesOutside(dir string) bool {
	return dir != "" && slices.ContainsFunc(w.paths, func(p string) bool { return !strings.HasPrefix(p, dir+"/") })
}

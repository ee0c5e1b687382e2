package git

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestResolveSaysWhatToDo(t *testing.T) {
	const (
		origin  = "git init -q -b main o; cd o; git config uploadpack.allowFilter true; git commit -q --allow-empty -m 1; git checkout -q -b topic; git commit -q --allow-empty -m 2; git commit -q --allow-empty -m 3; cd ..;"
		partial = origin + "git clone -q --filter=blob:none file://$PWD/o r"
		shallow = origin + "git clone -q --depth=1 -b topic file://$PWD/o r"
		id      = "1234567890123456789012345678901234567890"
	)
	for _, tt := range []struct{ name, script, revision, want string }{
		{"a misspelt branch of a partial clone", partial, "topik", `the repository has no "topik": did you mean topic or origin/topic?`},
		{"a name that a partial clone has not", partial, "elsewhere", `the repository has no "elsewhere"`},
		{"what comes before a name that is not there", partial, "elsewhere~2", `the repository has no "elsewhere"`},
		{"an id that a partial clone has not", partial, id, "resolve " + id + ": object is not in this partial clone: fetch what is missing with git fetch --refetch --no-filter"},
		{"the beginning of an id", partial, "1234", "resolve 1234: object is not in this partial clone"},
		{"three digits are no id", partial, "123", `the repository has no "123"`},
		{"an id in a shallow partial clone", origin + "git clone -q --depth=1 --filter=blob:none file://$PWD/o r", id, `the repository has no "` + id + `": it is a shallow clone, run git fetch --unshallow`},
		{"a branch that a shallow clone did not fetch", shallow, "main", `the repository has no "main": if it is a branch of origin, run git fetch origin main:refs/remotes/origin/main and name it origin/main`},
		{"the same with its remote", shallow, "origin/main", `the repository has no "origin/main": if it is a branch of origin, run git fetch origin main:refs/remotes/origin/main and name it origin/main`},
		{"the same by its full name", shallow, "refs/heads/main", `the repository has no "refs/heads/main": if it is a branch of origin, run git fetch origin main:refs/remotes/origin/main and name it origin/main`},
		{"a branch that looks like another", shallow, "topics", `the repository has no "topics": did you mean topic or origin/topic? If it is a branch of origin, run git fetch origin topics:refs/remotes/origin/topics and name it origin/topics`},
		{"an id in a shallow clone", shallow, id, `the repository has no "` + id + `": it is a shallow clone, run git fetch --unshallow`},
		{"a parent beyond the end of a shallow clone", shallow, "HEAD~1", `the repository has no "HEAD~1": it is a shallow clone, run git fetch --unshallow`},
		{"a remote of another name", origin + "git clone -q -o up --single-branch -b topic file://$PWD/o r", "main", `the repository has no "main": if it is a branch of up, run git fetch up main:refs/remotes/up/main and name it up/main`},
		{"a branch that is there as the remote's", origin + "git clone -q --depth=1 --no-single-branch -b topic file://$PWD/o r", "main", `the repository has no "main": did you mean origin/main?`},
		{"a clone of everything", origin + "git clone -q file://$PWD/o r", "elsewhere", `the repository has no "elsewhere"`},
		{"a name that a shell would not take", shallow, "a;b", `the repository has no "a;b": it is a shallow clone, run git fetch --unshallow`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			sh(t, top, tt.script)
			_, err := open(t, filepath.Join(top, "r"), Options{}).Resolve(t.Context(), tt.revision)
			if _, unknown := errors.AsType[*UnknownError](err); err == nil || unknown == errors.Is(err, ErrNotFetched) || !strings.HasPrefix(err.Error(), tt.want) || unknown && err.Error() != tt.want {
				t.Errorf("Resolve(%q): %v, want %s", tt.revision, err, tt.want)
			}
		})
	}
}

func TestFetchCommandBringsTheBranch(t *testing.T) {
	top := t.TempDir()
	sh(t, top, "git init -q -b main o; cd o; git commit -q --allow-empty -m 1; git checkout -q -b topic; git commit -q --allow-empty -m 2; cd ..; git clone -q --depth=1 -b topic file://$PWD/o r")
	r := open(t, filepath.Join(top, "r"), Options{})
	fetch, ok := r.Unfetched(t.Context(), "main")
	if !ok {
		t.Fatal("Unfetched(main): not ok")
	}
	sh(t, r.Work, strings.Replace(fetch.Command(), "fetch", "fetch -q", 1))
	if _, err := r.Resolve(t.Context(), fetch.Ref()); err != nil {
		t.Errorf("after %s: %v", fetch.Command(), err)
	}
}

func TestDefaultBranchOfAPartialClone(t *testing.T) {
	top := t.TempDir()
	sh(t, top, "git init -q -b main o; cd o; git config uploadpack.allowFilter true; git commit -q --allow-empty -m 1; cd ..; git clone -q --filter=blob:none file://$PWD/o r; git -C r symbolic-ref -d refs/remotes/origin/HEAD")
	ref, err := open(t, filepath.Join(top, "r"), Options{}).DefaultBranch(t.Context())
	if err != nil || ref.Name != "refs/remotes/origin/main" {
		t.Errorf("DefaultBranch = %q, %v", ref.Name, err)
	}
}

func TestTreeThatAFilterLeftOut(t *testing.T) {
	top := t.TempDir()
	sh(t, top, "git init -q -b main o; cd o; git config uploadpack.allowFilter true; echo 1 >f; git add f; git commit -qm 1; cd ..; git clone -q --no-checkout --filter=tree:0 file://$PWD/o r")
	r := open(t, filepath.Join(top, "r"), Options{})
	if _, err := r.Tree(t.Context(), "main"); !errors.Is(err, ErrNotFetched) {
		t.Errorf("Tree(main): %v, want ErrNotFetched", err)
	}
	if _, err := r.Tree(t.Context(), "mian"); err == nil || !strings.Contains(err.Error(), `the repository has no "mian": did you mean main`) {
		t.Errorf("Tree(mian): %v", err)
	}
}

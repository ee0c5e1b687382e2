package git

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// someTree is a repository with every kind of entry.
const someTree = `
mkdir -p a/b .claude/rules 'sp ace'
printf one >f; printf two >a/f; printf deep >a/b/c.go; printf '#!/bin/sh\n' >run; chmod +x run
printf rule >.claude/rules/go.md; printf x >'sp ace/tab	quote".txt'; : >empty; printf 'no newline' >a.b; printf dash >a-b
printf latin >"$(printf 'a/\351')"
ln -s f link; ln -s ../f a/up; ln -s ../../out a/away; ln -s /etc/passwd abs; ln -s loop loop; ln -s a/b dirlink; ln -s nosuch dangling
git add -A
git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,sub
git commit -qm files`

func TestTreeIsAFileSystem(t *testing.T) {
	r := testRepo(t, someTree)
	tree, err := r.Tree(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	// fstest follows links and takes names for UTF-8, so it gets a tree without
	// links that lead nowhere and without such a name.
	sub := testRepo(t, strings.NewReplacer("ln -s ../../out a/away;", "", "ln -s /etc/passwd abs;", "", "ln -s loop loop;", "", "; ln -s nosuch dangling", "", `printf latin >"$(printf 'a/\351')"`, "").Replace(someTree))
	whole, err := sub.Tree(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(whole, "f", "a/f", "a/b/c.go", "run", ".claude/rules/go.md", "empty", "a.b", "a-b", "link", "sub"); err != nil {
		t.Error(err)
	}
	want := []string{"- f", "L link", "d sub"}
	var got []string
	entries, err := tree.ReadDir(".")
	for _, e := range entries {
		if e.Name() == "f" || e.Name() == "link" || e.Name() == "sub" {
			got = append(got, e.Type().String()[:1]+" "+e.Name())
		}
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("ReadDir: %v (-want +got):\n%s", err, diff)
	}
}

func TestTreeReadFile(t *testing.T) {
	r := testRepo(t, someTree)
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path, want string
		err              error
	}{
		{name: "a file", path: "f", want: "one"},
		{name: "a file in folders", path: "a/b/c.go", want: "deep"},
		{name: "an empty file", path: "empty"},
		{name: "a name with blank, tab and quote", path: "sp ace/tab\tquote\".txt", want: "x"},
		{name: "a name that is not UTF-8", path: "a/\xe9", want: "latin"},
		{name: "a link is followed", path: "link", want: "one"},
		{name: "a link upwards inside the tree is followed", path: "a/up", want: "one"},
		{name: "a link in the middle of a path is followed", path: "dirlink/c.go", want: "deep"},
		{name: "a link out of the tree is not", path: "a/away", err: ErrOutside},
		{name: "an absolute link is not", path: "abs", err: ErrOutside},
		{name: "a link to nothing", path: "dangling", err: fs.ErrNotExist},
		{name: "a file that is not there", path: "a/nosuch", err: fs.ErrNotExist},
		{name: "a path that climbs", path: "../f", err: fs.ErrInvalid},
		{name: "a path that begins at the root", path: "/f", err: fs.ErrInvalid},
		{name: "a path with an empty segment", path: "a//f", err: fs.ErrInvalid},
		{name: "a path with a dot", path: "a/./f", err: fs.ErrInvalid},
		{name: "no path", path: "", err: fs.ErrInvalid},
		{name: "a file as a folder", path: "f/x", err: errNotFolder},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tree.ReadFile(tt.path)
			if string(got) != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("ReadFile(%q) = %q, %v, want %q, %v", tt.path, got, err, tt.want, tt.err)
			}
		})
	}
	for _, path := range []string{"loop", "a", "sub"} {
		if got, err := tree.ReadFile(path); err == nil {
			t.Errorf("ReadFile(%q) = %q, want an error", path, got)
		}
	}
}

func TestTreeDescribesLinksAndModes(t *testing.T) {
	r := testRepo(t, someTree)
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, lstat, stat, link string }{
		{path: "f", lstat: "-rw-r--r-- 3", stat: "-rw-r--r-- 3"},
		{path: "run", lstat: "-rwxr-xr-x 10", stat: "-rwxr-xr-x 10"},
		{path: "a", lstat: "drwxr-xr-x 0", stat: "drwxr-xr-x 0"},
		{path: "sub", lstat: "drwxr-xr-x 0", stat: "drwxr-xr-x 0"},
		{path: "link", lstat: "Lrwxrwxrwx 1", stat: "-rw-r--r-- 3", link: "f"},
		{path: "abs", lstat: "Lrwxrwxrwx 11", stat: "error", link: "/etc/passwd"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if got := describe(tree.Lstat(tt.path)); got != tt.lstat {
				t.Errorf("Lstat(%q) = %s, want %s", tt.path, got, tt.lstat)
			}
			if got := describe(tree.Stat(tt.path)); got != tt.stat {
				t.Errorf("Stat(%q) = %s, want %s", tt.path, got, tt.stat)
			}
			if got, _ := tree.ReadLink(tt.path); got != tt.link {
				t.Errorf("ReadLink(%q) = %q, want %q", tt.path, got, tt.link)
			}
		})
	}
}

func describe(info fs.FileInfo, err error) string {
	if err != nil {
		return "error"
	}
	return fmt.Sprint(info.Mode(), " ", info.Size())
}

func TestTreeSubmoduleTellsItsCommit(t *testing.T) {
	r := testRepo(t, someTree)
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	info, err := tree.Stat("sub")
	if err != nil {
		t.Fatal(err)
	}
	want := Entry{Name: "sub", Mode: Submodule, ID: strings.Repeat("1", 40)}
	if diff := cmp.Diff(want, info.Sys()); diff != "" {
		t.Errorf("Sys (-want +got):\n%s", diff)
	}
}

func TestTreeFileLargerThanTheLimit(t *testing.T) {
	dir := t.TempDir()
	initRepo(t, dir)
	sh(t, dir, "printf 12345 >big; printf 1234 >small; git add -A; git commit -qm x")
	r := open(t, dir, Options{MaxBlob: 4})
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.ReadFile("big"); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "read big: file is too large to be read: it has 5 bytes, the limit is 4") {
		t.Errorf("ReadFile(big): %v, want ErrTooLarge with both sizes", err)
	}
	if got := describe(tree.Stat("big")); got != "-rw-r--r-- 5" {
		t.Errorf("Stat(big) = %s, want its size", got)
	}
	if got, err := tree.ReadFile("small"); string(got) != "1234" || err != nil {
		t.Errorf("ReadFile(small) after it = %q, %v", got, err)
	}
}

func TestTreeOfWhatIsNotThere(t *testing.T) {
	r := testRepo(t, "git commit -q --allow-empty -m x; git branch feature/login; git tag v1.0")
	for _, tt := range []struct{ name, want string }{
		{"nosuch", `the repository has no "nosuch"`},
		{"mian", `the repository has no "mian": did you mean main?`},
		{"feature/logim", `did you mean feature/login?`},
		{"v1.1", `did you mean v1.0?`},
		{"login", `did you mean feature/login?`},
		{"--all", `begins with a dash`},
		{"a\nb", `line break`},
		{"", `a revision is needed`},
	} {
		_, err := r.Tree(t.Context(), tt.name)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Tree(%q): %v, want %q", tt.name, err, tt.want)
		}
		_, err = r.Resolve(t.Context(), tt.name)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Resolve(%q): %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := r.Tree(t.Context(), "main"); err != nil {
		t.Errorf("Tree(main) after the failures: %v", err)
	}
}

func TestTreeIsSafeForConcurrentUse(t *testing.T) {
	r := testRepo(t, "for i in $(seq 200); do mkdir -p d$((i%7)); echo $i >d$((i%7))/$i; done; git add -A; git commit -qm x")
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := 1; i <= 200; i++ {
				n := (i*31+worker*17)%200 + 1
				path := fmt.Sprintf("d%d/%d", n%7, n)
				if got, err := fs.ReadFile(tree, path); string(got) != fmt.Sprintln(n) || err != nil {
					t.Errorf("ReadFile(%s) = %q, %v", path, got, err)
				}
			}
		})
	}
	group.Wait()
}

func TestTreeAfterCloseIsAnError(t *testing.T) {
	r := testRepo(t, "echo x >f; git add -A; git commit -qm x")
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.ReadFile("f"); !errors.Is(err, errClosed) {
		t.Errorf("ReadFile after Close: %v", err)
	}
}

func TestTreeOfASHA256Repository(t *testing.T) {
	dir := t.TempDir()
	sh(t, dir, "git init -q --object-format=sha256 -b main .; mkdir a; echo x >a/f; git add -A; git commit -qm x; git branch o; echo y >a/f; git commit -qam y")
	r := open(t, dir, Options{})
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tree.ReadFile("a/f"); string(got) != "y\n" || err != nil {
		t.Errorf("ReadFile = %q, %v", got, err)
	}
	old, err := r.Resolve(t.Context(), "o")
	if err != nil {
		t.Fatal(err)
	}
	if patch, err := r.Diff(t.Context(), old.ID, tree.ID(), DiffOptions{}); err != nil || !bytes.Contains(patch, []byte("\n+y\n")) {
		t.Errorf("Diff = %q, %v", patch, err)
	}
}

func TestParseTreeRefusesWhatGitNeverWrites(t *testing.T) {
	id := strings.Repeat("\x11", 20)
	for _, tt := range []struct{ name, tree, want string }{
		{"a path", "100644 a/b\x00" + id, "which git refuses to check out"},
		{"a step upwards", "40000 ..\x00" + id, "which git refuses to check out"},
		{"a git directory", "40000 .git\x00" + id, "which git refuses to check out"},
		{"a git directory in capitals", "40000 .GiT\x00" + id, "which git refuses to check out"},
		{"a git directory by its short name", "40000 GIT~1\x00" + id, "which git refuses to check out"},
		{"no name", "100644 \x00" + id, "which git refuses to check out"},
		{"one name twice", "100644 a\x00" + id + "40000 a\x00" + id, "twice"},
		{"a device", "20000 a\x00" + id, "mode"},
		{"no mode", "x a\x00" + id, "mode"},
		{"a short id", "100644 a\x00" + id[1:], "cut off"},
		{"garbage", "garbage", "cut off"},
	} {
		if _, err := parseTree([]byte(tt.tree), 20); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x00"+strings.Repeat("\x11", 20)+"40000 b\x00"+strings.Repeat("\x22", 20)), 20)
	f.Add([]byte("garbage"), 20)
	f.Fuzz(func(t *testing.T, data []byte, idLen int) {
		if idLen != 20 && idLen != 32 {
			idLen = 20
		}
		entries, err := parseTree(data, idLen)
		if err != nil {
			return
		}
		// What is accepted must be usable as it is, and hold all of the input.
		size := 0
		for _, e := range entries {
			if !fs.ValidPath(e.Name) || e.Name == "." {
				t.Errorf("name %q is no path segment", e.Name)
			}
			if raw, err := hex.DecodeString(e.ID); err != nil || len(raw) != idLen {
				t.Errorf("id %q", e.ID)
			}
			size += len(e.Name) + idLen + 2
		}
		if size > len(data) {
			t.Errorf("%d bytes of entries from %d bytes", size, len(data))
		}
	})
}

func TestBatchRestartsAfterItDied(t *testing.T) {
	r := testRepo(t, "echo x >f; git add -A; git commit -qm x")
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	r.batch.mu.Lock()
	process := r.batch.cmd.Process
	process.Kill()
	r.batch.mu.Unlock()
	_, err = tree.ReadFile("f") // may or may not notice
	if got, err2 := tree.ReadFile("f"); err2 != nil || string(got) != "x\n" {
		t.Errorf("second ReadFile after the process died = %q, %v (the first: %v)", got, err2, err)
	}
}

func TestBatchStopsAtTheFirstError(t *testing.T) {
	r := testRepo(t, "for i in $(seq 50); do head -c 200000 /dev/zero | tr '\\0' $((i%10)) >f$i; done; git add -A; git commit -qm x")
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("HEAD:f%d", i+1))
	}
	stop := errors.New("enough")
	calls := 0
	err := r.batch.objects(t.Context(), names, func(int, object, io.Reader) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || calls != 3 {
		t.Errorf("objects: %v after %d calls, want the third call's error", err, calls)
	}
	o, err := r.batch.object(t.Context(), "HEAD:f7", 10)
	if err != nil || o.size != 200000 || o.data != nil {
		t.Errorf("object after it: %d bytes, data %v, %v", o.size, o.data != nil, err)
	}
}

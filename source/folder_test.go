package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// someFolder makes a folder with the files that its id must see.
func someFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"a": "1", "d/b": "2", "d/e/c": "3", ".claude/rules/go.md": "rule"})
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func idOf(t *testing.T, dir, cache string) string {
	t.Helper()
	id, err := Folder(dir, cache).ID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestFolderIDCoversWhatCounts(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(dir string) error
		same bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"the same content written again", func(dir string) error { return os.WriteFile(dir+"/a", []byte("1"), 0o644) }, true},
		{"other content of the same size", func(dir string) error { return os.WriteFile(dir+"/a", []byte("9"), 0o644) }, false},
		{"a new file", func(dir string) error { return os.WriteFile(dir+"/d/new", nil, 0o644) }, false},
		{"a file that is gone", func(dir string) error { return os.Remove(dir + "/d/b") }, false},
		{"a file that moved", func(dir string) error { return os.Rename(dir+"/d/b", dir+"/d/x") }, false},
		{"the executable bit", func(dir string) error { return os.Chmod(dir+"/a", 0o755) }, false},
		{"another link", func(dir string) error {
			return errors.Join(os.Remove(dir+"/link"), os.Symlink("d", dir+"/link"))
		}, false},
		{"a link that became the file", func(dir string) error {
			return errors.Join(os.Remove(dir+"/link"), os.WriteFile(dir+"/link", []byte("a"), 0o644))
		}, false},
		{"a change in prs", func(dir string) error {
			return errors.Join(os.Mkdir(dir+"/prs", 0o755), os.WriteFile(dir+"/prs/x", nil, 0o644))
		}, true},
		{"a folder prs further down", func(dir string) error {
			return errors.Join(os.Mkdir(dir+"/d/prs", 0o755), os.WriteFile(dir+"/d/prs/x", nil, 0o644))
		}, false},
		{"a git directory", func(dir string) error {
			return errors.Join(os.Mkdir(dir+"/.git", 0o755), os.WriteFile(dir+"/.git/HEAD", nil, 0o644))
		}, true},
		{"the file .git of a linked worktree", func(dir string) error { return os.WriteFile(dir+"/.git", nil, 0o644) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, cache := someFolder(t), t.TempDir()
			before := idOf(t, dir, cache)
			if err := tt.edit(dir); err != nil {
				t.Fatal(err)
			}
			cached, fresh := idOf(t, dir, cache), idOf(t, dir, "")
			if cached != fresh || (cached == before) != tt.same {
				t.Errorf("ID = %.8s, with the cache %.8s, before %.8s; want same %v", fresh, cached, before, tt.same)
			}
		})
	}
}

func TestFolderIDDoesNotDependOnPlaceOrTime(t *testing.T) {
	if a, b := idOf(t, someFolder(t), ""), idOf(t, someFolder(t), ""); a != b {
		t.Errorf("two folders with the same files have ids %s and %s", a, b)
	}
}

func TestManifestRemembersWhatHasSettled(t *testing.T) {
	dir, cache := someFolder(t), t.TempDir()
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "a"), long, long); err != nil {
		t.Fatal(err)
	}
	f := &folder{dir: dir}
	files, err := listFiles(t.Context(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i].changed = files[i].modified // which no program can set back
	}
	if err := hashFiles(t.Context(), f, files, nil); err != nil {
		t.Fatal(err)
	}
	if err := writeManifest(cache, dir, files, time.Now()); err != nil {
		t.Fatal(err)
	}
	known := readManifest(cache, dir)
	if len(known) != 1 || known["a"].hash != files[1].hash || files[1].path != "a" {
		t.Errorf("the manifest has %d files, want only a, which is an hour old", len(known))
	}
	if again := readManifest(cache, dir+"x"); again != nil {
		t.Error("another folder has the same manifest")
	}
}

func TestFolderIDTakesRememberedHashes(t *testing.T) {
	dir := someFolder(t)
	f := &folder{dir: dir}
	files, err := listFiles(t.Context(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]remembered{}
	for _, file := range files {
		known[file.path] = remembered{kind: file.kind, stamp: file.stamp, hash: [32]byte{7}}
	}
	if err := hashFiles(t.Context(), f, files, known); err != nil {
		t.Fatal(err)
	}
	if files[0].hash != [32]byte{7} {
		t.Error("a file that is as it was is read again")
	}
	for _, changed := range []func(*remembered){
		func(r *remembered) { r.size++ }, func(r *remembered) { r.modified++ }, func(r *remembered) { r.stamp.changed++ },
		func(r *remembered) { r.inode++ }, func(r *remembered) { r.kind = 'x' },
	} {
		entry := known[files[0].path]
		changed(&entry)
		if err := hashFiles(t.Context(), f, files[:1], map[string]remembered{files[0].path: entry}); err != nil {
			t.Fatal(err)
		}
		if files[0].hash == [32]byte{7} {
			t.Errorf("the hash of %+v is taken for %+v", entry, files[0])
		}
		files[0].hash = [32]byte{7}
	}
}

func TestFolderIDWithABrokenManifest(t *testing.T) {
	dir, cache := someFolder(t), t.TempDir()
	want := idOf(t, dir, cache)
	name := manifestName(cache, dir)
	for _, text := range []string{"", "garbage", manifestHead, manifestHead + string(make([]byte, 64))} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := idOf(t, dir, cache); got != want {
			t.Errorf("ID with the manifest %.20q = %s, want %s", text, got, want)
		}
	}
}

func FuzzDecodeManifest(f *testing.F) {
	whole := encodeManifest([]file{{path: "a/b", kind: 'f', stamp: stamp{1, 2, 3, 4}}}, time.Unix(1000, 0))
	f.Add(whole[len(manifestHead)+32:])
	f.Fuzz(func(t *testing.T, body []byte) {
		files, err := decodeManifest(seal(body)) // a checksum that is right, so that the body is read
		if err == nil && len(files)*(1+4*8+32) > len(body) {
			t.Errorf("%d files from %d bytes", len(files), len(body))
		}
	})
}

func TestFolderIsAFileSystem(t *testing.T) {
	dir := someFolder(t)
	if err := fstest.TestFS(Folder(dir, ""), "a", "d/b", "d/e/c", "link", ".claude/rules/go.md"); err != nil {
		t.Error(err)
	}
	got, err := Folder(dir, "").Folder(t.Context())
	if got != dir || err != nil {
		t.Errorf("Folder = %s, %v, want %s", got, err, dir)
	}
}

func TestFolderDoesNotFollowALinkOutside(t *testing.T) {
	dir, outside := someFolder(t), t.TempDir()
	write(t, outside, map[string]string{"secret": "x"})
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	tree := Folder(dir, "")
	if text, err := fs.ReadFile(tree, "out/secret"); err == nil {
		t.Errorf("ReadFile through a link outside = %q", text)
	}
	if got, err := fs.ReadLink(tree, "out"); got != outside || err != nil {
		t.Errorf("ReadLink = %q, %v", got, err)
	}
	for _, name := range []string{"../x", "/etc/passwd", "", "a/../a"} {
		if _, err := tree.Open(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Open(%q): %v, want fs.ErrInvalid", name, err)
		}
	}
	idOf(t, dir, "") // a link to a folder outside is a link, not a folder
}

func TestFolderThatIsNotThere(t *testing.T) {
	tree := Folder(filepath.Join(t.TempDir(), "nosuch"), "")
	if _, err := tree.ID(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ID: %v", err)
	}
	if _, err := fs.ReadFile(tree, "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile: %v", err)
	}
}

func TestFolderIDStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tree := Folder(someFolder(t), "")
	if _, err := tree.ID(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("ID: %v", err)
	}
	if _, err := tree.ID(t.Context()); err != nil {
		t.Errorf("ID after it: %v", err)
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"fresh": time.Hour, "stale": keepTree + time.Hour, ".part-1": time.Hour, ".part-2": keepPart + time.Hour, ".gone-x": keepPart + time.Hour} {
		write(t, dir, map[string]string{name + "/file": "x"})
		when := now.Add(-age)
		if err := os.Chtimes(filepath.Join(dir, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	prune(dir, now)
	var got []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff([]string{".part-1", "fresh"}, got); diff != "" {
		t.Errorf("prune left (-want +got):\n%s", diff)
	}
}

package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// exportBatch is how many files are asked for at once: enough to keep git busy,
// few enough to notice the end of the context.
const exportBatch = 512

// maxExport is how many names an exported tree may have. A few small objects
// can make a tree of any size by naming each other again and again.
const maxExport = 4_000_000

// Export writes the files of a tree to the folder dir, which must not exist. It
// appears at once and whole, or not at all. The files have exactly the bytes of
// the repository: no line end conversion, smudge filter, LFS download,
// export-ignore or export-subst applies. A submodule is an empty folder.
//
// The files are read through the repository's one git process, so that no
// setting or attribute has a way in.
func (r *Repo) Export(ctx context.Context, treeish, dir string) error {
	tree, err := r.Tree(ctx, treeish)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	part, err := os.MkdirTemp(parent, ".part-")
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	err = r.exportTo(ctx, tree.id, part)
	if err == nil {
		err = os.Chmod(part, 0o755)
	}
	if err == nil {
		err = os.Rename(part, dir)
	}
	if err != nil {
		os.RemoveAll(part)
		return fmt.Errorf("export %s to %s: %w", treeish, dir, err)
	}
	return nil
}

// exportTo fills the empty folder dir.
func (r *Repo) exportTo(ctx context.Context, tree, dir string) error {
	e := &export{repo: r, dir: dir, buffer: make([]byte, 256<<10)}
	if err := e.folder(ctx, "", Entry{Mode: Folder, ID: tree}); err != nil {
		return err
	}
	if err := e.flush(ctx); err != nil {
		return err
	}
	// Links come last: nothing is ever written through one.
	for _, link := range e.links {
		target, err := r.blob(link.Entry)
		if err != nil {
			return fmt.Errorf("%s: %w", link.path, err)
		}
		if err := os.Symlink(string(target), filepath.Join(dir, link.path)); err != nil {
			return err
		}
	}
	return nil
}

// export is a tree being written.
type export struct {
	repo   *Repo
	dir    string
	count  int        // names so far
	files  []exported // asked for with the next flush
	links  []exported
	buffer []byte
}

// exported is an entry and its path in the tree.
type exported struct {
	Entry
	path string
}

func (e *export) folder(ctx context.Context, path string, folder Entry) error {
	entries, err := e.repo.list(folder)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if e.count += len(entries); e.count > maxExport {
		return fmt.Errorf("tree has more than %d files: it is not written out", maxExport)
	}
	for _, entry := range entries {
		at := exported{entry, strings.TrimPrefix(path+"/"+entry.Name, "/")}
		switch entry.Mode {
		case Folder, Submodule:
			if err := os.Mkdir(filepath.Join(e.dir, at.path), 0o755); err != nil {
				return err
			}
			if err := e.folder(ctx, at.path, entry); err != nil {
				return err
			}
		case Symlink:
			e.links = append(e.links, at)
		default:
			e.files = append(e.files, at)
		}
		if len(e.files) >= exportBatch {
			if err := e.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the files that are waiting.
func (e *export) flush(ctx context.Context) error {
	if len(e.files) == 0 {
		return nil
	}
	ids := make([]string, len(e.files))
	for i, file := range e.files {
		ids[i] = file.ID
	}
	err := e.repo.batch.objects(ctx, ids, func(i int, o object, content io.Reader) error {
		if o.kind != "blob" {
			return fmt.Errorf("%s: object %s is a %s", e.files[i].path, o.id, o.kind)
		}
		return e.write(e.files[i], o.size, content)
	})
	e.files = e.files[:0]
	return e.repo.explainMissing(err)
}

// write makes one file. One that exists is an error: on a file system that takes
// two names of the tree for one, the tree cannot be written.
func (e *export) write(file exported, size int64, content io.Reader) error {
	perm := os.FileMode(0o644)
	if file.Mode == Executable {
		perm = 0o755
	}
	out, err := os.OpenFile(filepath.Join(e.dir, file.path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	// Through one buffer for all files: io.Copy would allocate one for each.
	for err == nil && size > 0 {
		chunk := e.buffer[:min(size, int64(len(e.buffer)))]
		if _, err = io.ReadFull(content, chunk); err == nil {
			_, err = out.Write(chunk)
		}
		size -= int64(len(chunk))
	}
	return errors.Join(err, out.Close())
}

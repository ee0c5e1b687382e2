package git

import (
	"bytes"
	"io"
	"io/fs"
	"time"
)

// info describes a file or folder of a tree; size is -1 until it is known.
type info struct {
	repo  *Repo
	name  string
	entry Entry
	size  int64
}

func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.size }
func (i *info) Mode() fs.FileMode  { return i.entry.fileMode() }
func (i *info) ModTime() time.Time { return time.Time{} } // a tree has no times
func (i *info) IsDir() bool        { return i.Mode().IsDir() }
func (i *info) Sys() any           { return i.entry }

// dirEntry is a name in a folder. Its size is only asked for by Info.
type dirEntry struct {
	repo  *Repo
	entry Entry
}

func (d dirEntry) Name() string      { return d.entry.Name }
func (d dirEntry) IsDir() bool       { return d.entry.fileMode().IsDir() }
func (d dirEntry) Type() fs.FileMode { return d.entry.fileMode().Type() }
func (d dirEntry) String() string    { return fs.FormatDirEntry(d) }

func (d dirEntry) Info() (fs.FileInfo, error) {
	size, err := d.repo.size(d.entry)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: d.entry.Name, Err: err}
	}
	return &info{repo: d.repo, name: d.entry.Name, entry: d.entry, size: size}, nil
}

// openFile is a file whose content is read as a whole with the first Read. It
// can also seek.
type openFile struct {
	info   *info
	path   string
	data   *bytes.Reader
	closed bool
}

func (f *openFile) load(op string) error {
	if f.closed {
		return &fs.PathError{Op: op, Path: f.path, Err: fs.ErrClosed}
	}
	if f.data != nil {
		return nil
	}
	data, err := f.info.repo.blob(f.info.entry)
	if err != nil {
		return &fs.PathError{Op: op, Path: f.path, Err: err}
	}
	f.data = bytes.NewReader(data)
	return nil
}

func (f *openFile) Stat() (fs.FileInfo, error) {
	if f.closed {
		return nil, &fs.PathError{Op: "stat", Path: f.path, Err: fs.ErrClosed}
	}
	size, err := f.info.repo.size(f.info.entry)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: f.path, Err: err}
	}
	described := *f.info
	described.size = size
	return &described, nil
}

func (f *openFile) Read(p []byte) (int, error) {
	if err := f.load("read"); err != nil {
		return 0, err
	}
	return f.data.Read(p)
}

func (f *openFile) Seek(offset int64, whence int) (int64, error) {
	if err := f.load("seek"); err != nil {
		return 0, err
	}
	at, err := f.data.Seek(offset, whence)
	if err != nil {
		return 0, &fs.PathError{Op: "seek", Path: f.path, Err: fs.ErrInvalid}
	}
	return at, nil
}

func (f *openFile) ReadAt(p []byte, offset int64) (int, error) {
	if err := f.load("read"); err != nil {
		return 0, err
	}
	if offset < 0 {
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: fs.ErrInvalid}
	}
	return f.data.ReadAt(p, offset)
}

func (f *openFile) Close() error {
	f.closed, f.data = true, nil
	return nil
}

// openFolder is a folder that is listed step by step.
type openFolder struct {
	info *info
	tree *Tree
	path string
	next int
}

func (f *openFolder) Stat() (fs.FileInfo, error) {
	described := *f.info
	described.size = 0
	return &described, nil
}

func (f *openFolder) Close() error { return nil }

func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.path, Err: fs.ErrInvalid}
}

func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	all, err := f.tree.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	rest := all[min(f.next, len(all)):]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	f.next += len(rest)
	return rest, nil
}

package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is a Tree for tests: a folder of the machine.
type folder struct {
	fs.FS
	dir string
}

func testTree(dir string) folder {
	root, err := os.OpenRoot(dir)
	if err != nil {
		panic(err)
	}
	return folder{root.FS(), dir}
}

// ID hashes every file.
func (f folder) ID(context.Context) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(f.FS, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		sum.Write([]byte(p))
		if d.Type().IsRegular() {
			data, err := fs.ReadFile(f.FS, p)
			sum.Write(data)
			return err
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// Folder returns the folder.
func (f folder) Folder(context.Context) (string, error) { return filepath.Abs(f.dir) }

// ReadLink and Lstat implement fs.ReadLinkFS.
func (f folder) ReadLink(name string) (string, error) { return fs.ReadLink(f.FS, name) }

func (f folder) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(f.FS, name) }

package git

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Mode is what kind of thing a tree holds under a name.
type Mode uint32

// The modes that git writes. Old trees also hold 0100664, which reads as File.
const (
	Folder     Mode = 0o040000
	File       Mode = 0o100644
	Executable Mode = 0o100755
	Symlink    Mode = 0o120000
	Submodule  Mode = 0o160000 // a commit of another repository; its files are not here
)

// Entry is one name in a tree. It is what Sys of a tree's [fs.FileInfo]
// returns.
type Entry struct {
	Name string
	Mode Mode
	ID   string
}

// fileMode returns the mode as package fs has it. A submodule is an empty
// folder, as it is in a working copy that did not fetch it.
func (e Entry) fileMode() fs.FileMode {
	switch e.Mode {
	case Folder, Submodule:
		return fs.ModeDir | 0o755
	case Symlink:
		return fs.ModeSymlink | 0o777
	case Executable:
		return 0o755
	}
	return 0o644
}

// maxTree is how many bytes one tree object may have: a folder of about a
// million names.
const maxTree = 64 << 20

// parseTree reads a tree object whose ids have idLen bytes and returns its
// entries sorted by name. A name that could mean something outside the tree is
// an error: git itself never writes one.
func parseTree(data []byte, idLen int) ([]Entry, error) {
	var entries []Entry
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < idLen {
			return nil, errors.New("tree object is cut off")
		}
		entry := Entry{Name: string(name), ID: hex.EncodeToString(rest[:idLen])}
		data = rest[idLen:]
		var err error
		if entry.Mode, err = parseMode(string(mode)); err != nil {
			return nil, err
		}
		if !safeName(entry.Name) {
			return nil, fmt.Errorf("tree holds the name %q, which git refuses to check out", entry.Name)
		}
		entries = append(entries, entry)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(entries); i++ {
		if entries[i].Name == entries[i-1].Name {
			return nil, fmt.Errorf("tree holds the name %q twice", entries[i].Name)
		}
	}
	return entries, nil
}

func parseMode(octal string) (Mode, error) {
	n, err := strconv.ParseUint(octal, 8, 32)
	if err != nil {
		return 0, fmt.Errorf("tree holds the mode %q", octal)
	}
	switch m := Mode(n); {
	case m == Folder, m == Symlink, m == Submodule:
		return m, nil
	case m&0o170000 != 0o100000:
		return 0, fmt.Errorf("tree holds the mode %q", octal)
	case m&0o100 != 0:
		return Executable, nil
	}
	return File, nil
}

// safeName reports whether a name may stand in a tree: one path segment that is
// neither a step upwards nor a git directory under any spelling that a file
// system takes for one.
func safeName(name string) bool {
	switch strings.ToLower(name) {
	case "", ".", "..", ".git", "git~1":
		return false
	}
	return !strings.Contains(name, "/")
}

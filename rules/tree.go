package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// maxLinks is how many symbolic links one path may go through, as on Linux.
const maxLinks = 40

// resolve follows the symbolic links of a path, part by part, and returns where
// it leads and what is there. A link that leaves the tree is an [*Error]: the
// base would lend its name to a file that nobody reviewed. A name that is not
// there is [fs.ErrNotExist].
func resolve(fsys fs.FS, name string) (string, fs.FileInfo, error) {
	real, todo, links := ".", strings.Split(name, "/"), 0
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch {
		case part == "" || part == ".":
			continue
		case part == ".." && real == ".":
			return "", nil, &Error{Source: name, Msg: "a symbolic link that leaves the repository: put the file itself here"}
		case part == "..":
			real = path.Dir(real)
			continue
		}
		next := path.Join(real, part)
		info, err := fs.Lstat(fsys, next)
		if err != nil {
			if links > 0 && errors.Is(err, fs.ErrNotExist) {
				return "", nil, &Error{Source: name, Msg: "a symbolic link to " + next + ", which is not there"}
			}
			return "", nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			real = next
			continue
		}
		target, err := fs.ReadLink(fsys, next)
		switch links++; {
		case err != nil:
			return "", nil, fmt.Errorf("read the symbolic link %s: %w", next, err)
		case links > maxLinks:
			return "", nil, &Error{Source: name, Msg: "a symbolic link that leads back to itself"}
		case strings.HasPrefix(target, "/") || strings.ContainsAny(target, `\:`):
			return "", nil, &Error{Source: name, Msg: "a symbolic link that leaves the repository: put the file itself here"}
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	info, err := fs.Lstat(fsys, real)
	return real, info, err
}

// read returns the text of a file, at most limit bytes of it on whole lines, with
// its line endings made \n, and the size of the file.
func read(fsys fs.FS, f found, limit int) (text string, size int64, err error) {
	file, err := fsys.Open(f.real)
	if err != nil {
		return "", 0, fmt.Errorf("read the rule %s: %w", f.source, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err != nil {
		return "", 0, fmt.Errorf("read the rule %s: %w", f.source, err)
	}
	size = int64(len(data))
	if len(data) > limit {
		if info, err := file.Stat(); err == nil {
			size = max(size, info.Size())
		}
		data = clip(data, limit)
	}
	text = strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(text) {
		return "", 0, &Error{Source: f.source, Msg: "not UTF-8 text: save it as UTF-8"}
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), size, nil
}

// clip cuts text to whole lines, or a single long line to whole characters.
func clip(data []byte, limit int) []byte {
	if end := bytes.LastIndexByte(data[:limit], '\n'); end >= 0 {
		return data[:end+1]
	}
	for limit > 0 && !utf8.RuneStart(data[limit]) {
		limit--
	}
	return data[:limit]
}

// inPlace names the file that an error is about by the name it was found under.
func inPlace(err error, source string) error {
	var e *Error
	if errors.As(err, &e) {
		return &Error{Source: source, Line: e.Line, Msg: e.Msg}
	}
	return fmt.Errorf("%s: %w", source, err)
}

package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// NotFoundError says that a program does not exist on this machine.
type NotFoundError struct {
	Program string
}

func (e *NotFoundError) Error() string {
	if strings.ContainsRune(e.Program, filepath.Separator) {
		return fmt.Sprintf("%s is not an executable file", e.Program)
	}
	return fmt.Sprintf("%s is not on PATH", e.Program)
}

// LookPath returns the file that program names. A name without a slash is looked
// up in PATH of env, where entries that are not absolute are passed over: they
// would run whatever the working directory holds. Any other name is relative to
// dir. The error is a *NotFoundError.
func LookPath(program string, env []string, dir string) (string, error) {
	if strings.ContainsRune(program, filepath.Separator) {
		file := program
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		if executable(file) {
			return filepath.Abs(file)
		}
		return "", &NotFoundError{program}
	}
	for _, folder := range filepath.SplitList(value(env, "PATH")) {
		file := filepath.Join(folder, program)
		if filepath.IsAbs(folder) && executable(file) {
			return file, nil
		}
	}
	return "", &NotFoundError{program}
}

func executable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// value returns the last value of name in env, which is the one that counts.
func value(env []string, name string) string {
	found := ""
	for _, entry := range env {
		if k, v, _ := strings.Cut(entry, "="); k == name {
			found = v
		}
	}
	return found
}

package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// makeScratch makes the folder that everything git must write goes to, and the
// two runners.
//
// The folder is a repository of its own without settings, refs and attributes
// that shares the objects of the user's. Whatever works on objects alone (a
// patch, a merge) runs there: no merge driver, diff driver, -diff attribute or
// replaced object of the user's repository has a say in it, and the answer is
// the same on every machine. What needs refs, the index or the working copy
// runs in the user's repository. New objects go to the scratch folder in both.
func (r *Repo) makeScratch(found runner, objects string) (err error) {
	r.scratch, err = os.MkdirTemp("", "reviewgate-git-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(r.scratch)
		}
	}()
	for _, dir := range []string{"objects", "refs"} {
		if err := os.Mkdir(filepath.Join(r.scratch, dir), 0o700); err != nil {
			return err
		}
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if r.format != "sha1" {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = " + r.format + "\n"
	}
	if err := r.scratchFile("HEAD", "ref: refs/heads/none\n"); err != nil {
		return err
	}
	if err := r.scratchFile("config", config); err != nil {
		return err
	}
	if r.Shallow { // where history is cut off is known to the repository only by this file
		cuts, err := os.ReadFile(filepath.Join(r.Common, "shallow"))
		if err != nil {
			return fmt.Errorf("shallow clone: %w", err)
		}
		if err := r.scratchFile("shallow", string(cuts)); err != nil {
			return err
		}
	}

	shared := found.with(
		"GIT_OBJECT_DIRECTORY="+filepath.Join(r.scratch, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+quotePath(objects),
	)
	r.user = shared.with("GIT_DIR=" + r.Dir)
	r.user.dir = r.Dir
	if r.Work != "" {
		r.user = r.user.with("GIT_WORK_TREE=" + r.Work)
		r.user.dir = r.Work
	}
	r.objects = shared.with("GIT_DIR="+r.scratch, "GIT_CONFIG_GLOBAL="+os.DevNull)
	r.objects.dir = r.scratch
	return nil
}

func (r *Repo) scratchFile(name, text string) error {
	return os.WriteFile(filepath.Join(r.scratch, name), []byte(text), 0o600)
}

func (r *Repo) readScratch(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(r.scratch, name))
	return string(text), err
}

// quotePath writes a path as git reads it in a list of object folders, where a
// colon parts two of them and a leading double quote begins a C string.
func quotePath(path string) string {
	if !strings.ContainsAny(path, ":\"\\\n") {
		return path
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			quoted.WriteByte('\\')
			quoted.WriteByte(c)
		case c < ' ':
			octal := strconv.FormatInt(int64(c), 8)
			quoted.WriteString(`\` + strings.Repeat("0", 3-len(octal)) + octal)
		default:
			quoted.WriteByte(c)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

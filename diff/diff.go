// Package diff reads a git patch: which files it touches and how, its hunks,
// and where each line stands in the old and the new version. It reads whatever
// git diff, git show, git format-patch and a forge's .diff download produce.
//
// Its main function is [Parse]. It applies nothing.
package diff

// Patch is a parsed patch. Its hunks share memory with the bytes that were
// parsed, which must not be modified afterwards.
type Patch struct {
	Files []File // in patch order
}

// Status says what a patch does to a file, in git's letters.
type Status string

// The statuses.
const (
	Added      Status = "A"
	Modified   Status = "M"
	Deleted    Status = "D"
	Renamed    Status = "R"
	Copied     Status = "C"
	TypeChange Status = "T" // a file became a symlink or a submodule, or back
)

// File is what a patch does to one file.
type File struct {
	OldPath string // "" when added
	NewPath string // "" when deleted
	Status  Status
	OldMode string // "100644"; "" when the patch does not say
	NewMode string
	Binary  bool
	Added   int // lines; 0 for a binary file
	Deleted int
	Hunks   []Hunk
}

// Path returns the path that the file is known by: the new one, or the old one
// of a deleted file.
func (f *File) Path() string {
	if f.NewPath == "" {
		return f.OldPath
	}
	return f.NewPath
}

// Hunk is one contiguous piece of a file's change.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Section            string // the text after the second @@
	body               []byte // the lines with their first column
}

// Op is the first column of a hunk's line.
type Op byte

// The three kinds of lines.
const (
	Context Op = ' '
	Insert  Op = '+'
	Delete  Op = '-'
)

// Line is one line of a hunk.
type Line struct {
	Op   Op
	Old  int    // number in the old version; 0 for an inserted line
	New  int    // number in the new version; 0 for a deleted line
	Text []byte // without first column, newline and carriage return
}

// Package diff reads a git patch: which files it touches and how, its hunks,
// and where each line stands in the old and the new version. It reads whatever
// git diff, git show, git log -p, git format-patch, diff -u and a forge's .diff
// download produce.
//
// Its main function is [Parse]. It applies nothing, and it never guesses: a
// patch that is cut short, or that contradicts itself, is an error with the
// line, never a shorter list.
package diff

// Patch is a parsed patch. Its hunks share memory with the bytes that were
// parsed, which must not be modified afterwards. It is safe for concurrent
// reading.
type Patch struct {
	// Files is in patch order. A path occurs more than once when the patch is a
	// series (format-patch, log -p): see [Patch.Introduces].
	Files []File
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
	OldID   string // blob id, as short as the patch has it; "" when it does not say
	NewID   string
	Binary  bool
	Added   int // lines; 0 for a binary file
	Deleted int
	Line    int // line of the patch where this file begins, from 1
	Hunks   []Hunk

	strip int16 // leading folders that are a prefix of the patch, not the path; unknownStrip when no number says it
}

// Path returns the path that the file is known by: the new one, or the old one
// of a deleted file.
func (f *File) Path() string {
	if f.NewPath == "" {
		return f.OldPath
	}
	return f.NewPath
}

// Submodule reports whether the file is a submodule before or after.
func (f *File) Submodule() bool {
	return f.OldMode == modeSubmodule || f.NewMode == modeSubmodule
}

// modeSubmodule is the mode that git gives to a commit of another repository.
const modeSubmodule = "160000"

// Hunk is one contiguous piece of a file's change. In a combined diff, which
// has several old versions, the old side is that of the first parent.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	raw                []byte // the header, and the lines with their first columns
}

// Op is the first column of a hunk's line.
type Op byte

// The three kinds of lines. A line of a combined diff is deleted when any of its
// columns says so, inserted when one is + and none is -, else context.
const (
	Context Op = ' '
	Insert  Op = '+'
	Delete  Op = '-'
)

// Line is one line of a hunk.
type Line struct {
	Op   Op
	Old  int    // number in the old version; 0 for an inserted line, and for one deleted from another parent than the first
	New  int    // number in the new version; 0 for a deleted line
	Text []byte // without first column, newline and carriage return
}

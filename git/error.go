package git

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Error is a git process that refused. Credentials in URLs are blanked in all
// its fields.
type Error struct {
	Args     []string // without the arguments that are the same for every process
	ExitCode int
	Stderr   string // at most 4 MiB of it
}

// stderrLines is how many lines of standard error an error's text shows: git
// says what is wrong first and how to change its settings after that.
const stderrLines = 3

func newError(args []string, code int, stderr string) *Error {
	blank := make([]string, len(args))
	for i, arg := range args {
		blank[i] = redact(arg)
	}
	return &Error{Args: blank, ExitCode: code, Stderr: redact(stderr)}
}

// Error returns the subcommand and the first lines that git wrote.
func (e *Error) Error() string {
	lines := e.Lines()
	if len(lines) == 0 {
		return fmt.Sprintf("git %s: exit status %d", subcommand(e.Args), e.ExitCode)
	}
	text := strings.Join(lines[:min(len(lines), stderrLines)], "; ")
	return fmt.Sprintf("git %s: %s", subcommand(e.Args), text)
}

// Lines returns the lines of Stderr without those that are empty.
func (e *Error) Lines() []string {
	lines := strings.Split(e.Stderr, "\n")
	return slices.DeleteFunc(lines, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// says reports whether git wrote text.
func (e *Error) says(text string) bool { return strings.Contains(e.Stderr, text) }

// startError is the error of a process that ended without an exit code: it
// could not be started, or something killed it.
func startError(args []string, err error) error {
	return fmt.Errorf("git %s: %w", subcommand(args), err)
}

// subcommand returns the first of args that is not an option.
func subcommand(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c" || args[i] == "-C":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return strings.Join(args, " ")
}

// userinfo is the part of a URL that may hold a password or a token.
var userinfo = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^/\s'"]*@`)

// redact blanks the credentials of every URL in text.
func redact(text string) string { return userinfo.ReplaceAllString(text, "${1}***@") }

package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Commit is one commit. Its texts are valid UTF-8.
type Commit struct {
	ID        string
	Tree      string
	Parents   []string
	Author    string // name, without the address
	Email     string
	Authored  time.Time // UTC; zero when the commit does not say
	Committed time.Time
	Subject   string // first paragraph of the message, in one line
	Body      string // the rest, without surrounding blank lines
}

// maxCommit is how many bytes a commit object may have.
const maxCommit = 4 << 20

// commit reads the commit that name stands for. That there is none is
// errMissing in a partial clone too: a name is more often wrong than not fetched.
func (r *Repo) commit(ctx context.Context, name string) (Commit, error) {
	o, err := r.batch.object(ctx, name, maxCommit)
	if errors.Is(err, errMissing) {
		return Commit{}, err
	}
	if err != nil {
		return Commit{}, r.explainMissing(err)
	}
	if o.kind != "commit" || o.data == nil {
		return Commit{}, fmt.Errorf("%s is a %s of %d bytes, not a commit that can be read", name, o.kind, o.size)
	}
	return parseCommit(o.id, string(o.data)), nil
}

// parseCommit reads a commit object. What it does not understand it leaves out.
func parseCommit(id, text string) Commit {
	c := Commit{ID: id}
	header, message, _ := strings.Cut(text, "\n\n")
	encoding := ""
	for line := range strings.Lines(header) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key { // a continued line begins with a space: its key is empty
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			c.Author, c.Email, c.Authored = parsePerson(value)
		case "committer":
			_, _, c.Committed = parsePerson(value)
		case "encoding":
			encoding = strings.ToLower(value)
		}
	}
	c.Author, c.Email = readable(c.Author, encoding), readable(c.Email, encoding)
	c.Subject, c.Body = splitMessage(readable(message, encoding))
	return c
}

// parsePerson reads "Name <address> seconds zone".
func parsePerson(text string) (name, email string, when time.Time) {
	name, rest, ok := strings.Cut(text, "<")
	if !ok {
		return strings.TrimSpace(text), "", time.Time{}
	}
	end := strings.LastIndexByte(rest, '>')
	if end < 0 {
		return strings.TrimSpace(name), strings.TrimSpace(rest), time.Time{}
	}
	fields := strings.Fields(rest[end+1:])
	if len(fields) > 0 {
		seconds, err := strconv.ParseInt(fields[0], 10, 64)
		const year9999 = 253402300799 // the last second that RFC 3339 can write
		if err == nil && seconds >= 0 && seconds <= year9999 {
			when = time.Unix(seconds, 0).UTC()
		}
	}
	return strings.TrimSpace(name), strings.TrimSpace(rest[:end]), when
}

// splitMessage parts a message into its first paragraph and the rest.
func splitMessage(message string) (subject, body string) {
	message = strings.Trim(message, "\n")
	subject, body, _ = strings.Cut(message, "\n\n")
	return strings.Join(strings.Fields(subject), " "), strings.Trim(body, "\n")
}

// readable makes text valid UTF-8. Latin 1 is converted, because it is what old
// histories hold; bytes of other encodings show as replacement characters.
func readable(text, encoding string) string {
	if utf8.ValidString(text) {
		return text
	}
	switch encoding {
	case "iso-8859-1", "iso8859-1", "iso-8859-15", "latin1", "latin-1", "windows-1252", "cp1252":
		runes := make([]rune, len(text))
		for i := range len(text) {
			runes[i] = rune(text[i])
		}
		return string(runes)
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

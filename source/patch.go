package source

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/mail"
	"path/filepath"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/git"
)

// maxPreamble is how many bytes before the first diff are looked at for a mail
// header or a commit message.
const maxPreamble = 256 << 10

// Patch reads a patch alone: the output of git diff, git show or git
// format-patch, or a forge's download. name is where it came from, a file or
// "-"; the id is taken from it. Title, description, author and time come from
// the mail header or the commit before the first diff, when there is one; of
// several, from the first.
func Patch(r io.Reader, name string) (change.Change, error) {
	label, todo := name, "write the change there with git diff"
	if name == "-" || name == "" {
		label, todo = "standard input", "pipe a change into it, as in git diff main..."
	}
	text, err := readAll(r, git.MaxPatch)
	if err != nil {
		return change.Change{}, fmt.Errorf("patch from %s: %w", label, err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return change.Change{}, fmt.Errorf("patch from %s: %w: it is empty: %s", label, ErrEmpty, todo)
	}
	c := change.Change{ID: patchID(name), Approvals: []string{}, Patch: text, Local: true}
	readPreamble(&c, preamble(text))
	for _, words := range []*string{&c.Title, &c.Description, &c.Author} {
		*words = strings.ToValidUTF8(*words, "\uFFFD")
	}
	if c.Title == "" {
		c.Title = "patch from " + label
	}
	return c, nil
}

// patchID is the name of the file without its folder and ending.
func patchID(name string) string {
	base := filepath.Base(name)
	for _, ending := range []string{".patch", ".diff", ".mbox", ".txt", ".eml"} {
		base = strings.TrimSuffix(base, ending)
	}
	if base == "" || base == "-" || base == "." || base == string(filepath.Separator) {
		return "patch"
	}
	return base
}

// preamble returns what stands before the first diff, with plain line ends.
func preamble(text []byte) string {
	head := strings.ReplaceAll(string(text[:min(len(text), maxPreamble)]), "\r\n", "\n")
	at := 0
	for line := range strings.Lines(head) {
		if strings.HasPrefix(line, "diff --") || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "Index: ") {
			return head[:at]
		}
		at += len(line)
	}
	return head
}

// readPreamble fills in what the text before the diff says about the change.
func readPreamble(c *change.Change, text string) {
	if strings.HasPrefix(text, "commit ") {
		readShown(c, text)
		return
	}
	if strings.HasPrefix(text, "From ") { // the line that parts mails in a mailbox
		_, text, _ = strings.Cut(text, "\n")
	}
	readMail(c, text)
}

// readMail reads what git format-patch writes. Text without a mail's header
// says nothing.
func readMail(c *change.Change, text string) {
	message, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil || message.Header.Get("Subject") == "" && message.Header.Get("From") == "" {
		return
	}
	body, _ := io.ReadAll(message.Body)
	words := string(body)
	from := message.Header.Get("From")
	if line, rest, ok := strings.Cut(words, "\n"); ok && strings.HasPrefix(line, "From: ") {
		from, words = strings.TrimPrefix(line, "From: "), rest // who wrote it, where somebody else sent it
	}
	c.Author = person(decodeWords(from))
	c.CreatedAt = parseDate(message.Header.Get("Date"))
	c.Title = subject(decodeWords(message.Header.Get("Subject")))
	if before, _, ok := strings.Cut("\n"+words, "\n---\n"); ok { // what follows is for the mail only
		words = before
	}
	c.Description = strings.TrimSpace(words)
}

// readShown reads what git show and git log write before a diff.
func readShown(c *change.Change, text string) {
	header, message, _ := strings.Cut(text, "\n\n")
	for line := range strings.Lines(header) {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "Author":
			c.Author = person(value)
		case "Date", "AuthorDate":
			c.CreatedAt = parseDate(value)
		}
	}
	var lines []string
	for line := range strings.Lines(message) {
		if !strings.HasPrefix(line, "    ") && strings.TrimSpace(line) != "" {
			break
		}
		lines = append(lines, strings.TrimRight(strings.TrimPrefix(line, "    "), " \n"))
	}
	title, description, _ := strings.Cut(strings.TrimSpace(strings.Join(lines, "\n")), "\n\n")
	c.Title = strings.Join(strings.Fields(title), " ")
	c.Description = strings.TrimSpace(description)
}

// subject takes "[PATCH v2 1/3]" and the like off a mail's subject.
func subject(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if strings.HasPrefix(text, "[") {
		if tag, rest, ok := strings.Cut(text, "]"); ok && strings.Contains(tag, "PATCH") {
			return strings.TrimSpace(rest)
		}
	}
	return text
}

// person takes the address off a name; an address alone stays.
func person(text string) string {
	name, address, ok := strings.Cut(text, "<")
	if name = strings.Trim(strings.TrimSpace(name), `"`); name != "" || !ok {
		return name
	}
	return strings.TrimSuffix(strings.TrimSpace(address), ">")
}

func decodeWords(text string) string {
	decoded, err := new(mime.WordDecoder).DecodeHeader(text)
	if err != nil {
		return text
	}
	return decoded
}

// parseDate reads a mail's date and the ways that git writes one. Anything else
// is no date, a year that RFC 3339 cannot write included.
func parseDate(text string) time.Time {
	when, err := mail.ParseDate(text)
	for _, layout := range []string{"Mon Jan 2 15:04:05 2006 -0700", "2006-01-02 15:04:05 -0700", time.RFC3339} {
		if err != nil {
			when, err = time.Parse(layout, text)
		}
	}
	if when = when.UTC(); err != nil || when.Year() < 1 || when.Year() > 9999 {
		return time.Time{}
	}
	return when
}

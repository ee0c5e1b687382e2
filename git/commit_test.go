package git

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseCommit(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const tree, person = "tree 1111\n", "Ada Lovelace <ada@example.com> 1767323045 +0200\n"
	for _, tt := range []struct {
		name, text string
		want       Commit
	}{
		{name: "a merge with a body", text: tree + "parent 2222\nparent 3333\nauthor " + person + "committer " + person + "\nFix it\n\nBecause.\n\nReally.\n",
			want: Commit{Tree: "1111", Parents: []string{"2222", "3333"}, Author: "Ada Lovelace", Email: "ada@example.com", Authored: when, Committed: when, Subject: "Fix it", Body: "Because.\n\nReally."}},
		{name: "a signature is not a header", text: tree + "author " + person + "committer " + person + "gpgsig -----BEGIN\n tree 9\n parent 9\n -----END\n\nSigned\n",
			want: Commit{Tree: "1111", Author: "Ada Lovelace", Email: "ada@example.com", Authored: when, Committed: when, Subject: "Signed"}},
		{name: "a subject over two lines", text: tree + "author " + person + "\n\nOne\ntwo\n\nBody\n",
			want: Commit{Tree: "1111", Author: "Ada Lovelace", Email: "ada@example.com", Authored: when, Subject: "One two", Body: "Body"}},
		{name: "an empty message", text: tree + "author " + person + "\n", want: Commit{Tree: "1111", Author: "Ada Lovelace", Email: "ada@example.com", Authored: when}},
		{name: "latin 1", text: tree + "author Jos\xe9 <j@x> 1767323045 +0000\nencoding ISO-8859-1\n\nol\xe9\n",
			want: Commit{Tree: "1111", Author: "José", Email: "j@x", Authored: when, Subject: "olé"}},
		{name: "bytes of no known encoding", text: tree + "author J <j@x> 1767323045 +0000\n\nol\xe9\n",
			want: Commit{Tree: "1111", Author: "J", Email: "j@x", Authored: when, Subject: "ol\uFFFD"}},
		{name: "an author without a time", text: tree + "author J <j@x>\n\nx\n", want: Commit{Tree: "1111", Author: "J", Email: "j@x", Subject: "x"}},
		{name: "an author without an address", text: tree + "author nobody\n\nx\n", want: Commit{Tree: "1111", Author: "nobody", Subject: "x"}},
		{name: "a time that no calendar has", text: tree + "author J <j@x> 99999999999999 +0000\n\nx\n", want: Commit{Tree: "1111", Author: "J", Email: "j@x", Subject: "x"}},
		{name: "nothing", text: "", want: Commit{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.ID = "4444"
			if diff := cmp.Diff(tt.want, parseCommit("4444", tt.text)); diff != "" {
				t.Errorf("parseCommit (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzParseCommit(f *testing.F) {
	f.Add("tree 1\nparent 2\nauthor A <a@b> 1 +0000\nencoding latin1\n\nx\xe9\n\ny")
	f.Fuzz(func(t *testing.T, text string) {
		c := parseCommit("id", text)
		for _, s := range []string{c.Author, c.Email, c.Subject, c.Body} {
			if strings.ToValidUTF8(s, "") != s {
				t.Errorf("%q is not UTF-8", s)
			}
		}
		if _, err := c.Authored.MarshalJSON(); err != nil {
			t.Errorf("author date: %v", err)
		}
		if strings.Contains(c.Subject, "\n") {
			t.Errorf("subject %q has a line break", c.Subject)
		}
	})
}

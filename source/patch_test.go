package source

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
)

func TestPatch(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		name, from, text string
		want             change.Change
	}{
		{name: "a diff alone", from: "fix.diff", text: goodPatch, want: change.Change{ID: "fix", Title: "patch from fix.diff"}},
		{name: "standard input", from: "-", text: goodPatch, want: change.Change{ID: "patch", Title: "patch from standard input"}},
		{name: "a path", from: "/a/b/0001-fix.patch", text: goodPatch, want: change.Change{ID: "0001-fix", Title: "patch from /a/b/0001-fix.patch"}},
		{name: "git format-patch", from: "p.patch",
			text: "From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\nFrom: Ada Lovelace <ada@example.com>\nDate: Fri, 2 Jan 2026 05:04:05 +0200\n" +
				"Subject: [PATCH v2 1/3] Fix a very long\n line\n\nBecause.\n\nReally.\n---\n x | 1 +\n 1 file changed\n\n" + goodPatch,
			want: change.Change{ID: "p", Title: "Fix a very long line", Description: "Because.\n\nReally.", Author: "Ada Lovelace", CreatedAt: when}},
		{name: "a message without a body", from: "p.patch", text: "From: Ada <a@b>\nSubject: [PATCH] Fix\n\n---\n x | 1 +\n\n" + goodPatch,
			want: change.Change{ID: "p", Title: "Fix", Author: "Ada"}},
		{name: "encoded words", from: "p.patch", text: "From: =?UTF-8?q?Jos=C3=A9?= <j@b>\nSubject: =?UTF-8?q?[PATCH]_=C3=BCber?=\n\n" + goodPatch,
			want: change.Change{ID: "p", Title: "über", Author: "José"}},
		{name: "an author that is not the sender", from: "p.patch", text: "From: List <list@x>\nSubject: Fix\n\nFrom: Ada <a@b>\n\nBody\n---\n" + goodPatch,
			want: change.Change{ID: "p", Title: "Fix", Author: "Ada", Description: "Body"}},
		{name: "git show", from: "p.diff", text: "commit 1111111111111111111111111111111111111111\nAuthor: Ada Lovelace <ada@example.com>\nDate:   Fri Jan 2 05:04:05 2026 +0200\n\n    Fix it\n    now\n    \n    Because.\n\n" + goodPatch,
			want: change.Change{ID: "p", Title: "Fix it now", Description: "Because.", Author: "Ada Lovelace", CreatedAt: when}},
		{name: "carriage returns", from: "p.patch", text: strings.ReplaceAll("From: Ada <a@b>\nSubject: Fix\n\nBody\n---\n"+goodPatch, "\n", "\r\n"),
			want: change.Change{ID: "p", Title: "Fix", Author: "Ada", Description: "Body"}},
		{name: "a date that is none", from: "p.patch", text: "From: a@b\nSubject: Fix\nDate: yesterday\n\n" + goodPatch, want: change.Change{ID: "p", Title: "Fix", Author: "a@b"}},
		{name: "prose before the diff says nothing", from: "p.patch", text: "Please take this:\n\n" + goodPatch, want: change.Change{ID: "p", Title: "patch from p.patch"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Approvals, tt.want.Local, tt.want.Patch = []string{}, true, []byte(tt.text)
			got, err := Patch(strings.NewReader(tt.text), tt.from)
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("Patch: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestPatchOfWhatGitWrites(t *testing.T) {
	top := t.TempDir()
	sh(t, top, "repo r; c start; echo x >x; c 'Add x\n\nBecause.'; git format-patch -q -1 --stdout >../mail; git show >../show")
	for _, name := range []string{"mail", "show"} {
		text, err := readFile(filepath.Join(top, name), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Patch(strings.NewReader(string(text)), name)
		want := change.Change{ID: name, Title: "Add x", Description: "Because.", Author: "Ada", CreatedAt: time.Date(2026, 1, 2, 3, 2, 0, 0, time.UTC),
			Approvals: []string{}, Local: true, Patch: text}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("Patch of %s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestPatchThatIsEmpty(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"x.diff", "patch from x.diff: nothing to review: it is empty: write the change there with git diff"},
		{"-", "patch from standard input: nothing to review: it is empty: pipe a change into it, as in git diff main..."},
	} {
		if _, err := Patch(strings.NewReader(" \n"), tt.name); !errors.Is(err, ErrEmpty) || err.Error() != tt.want {
			t.Errorf("Patch of an empty %s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add("From 1 Mon\nFrom: A <a@b>\nDate: Fri, 2 Jan 2026 05:04:05 +0200\nSubject: =?UTF-8?q?[PATCH]_=C3=BC?=\n\nbody\n---\n" + goodPatch)
	f.Add("commit 1\nAuthor: A <a@b>\nDate: x\n\n    s\n\n" + goodPatch)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Patch(strings.NewReader(text), "p.diff")
		if err != nil {
			return
		}
		if c.Title == "" || string(c.Patch) != text {
			t.Errorf("title %q, patch of %d bytes from %d", c.Title, len(c.Patch), len(text))
		}
		for _, s := range []string{c.Title, c.Author, c.Description} {
			if !utf8.ValidString(s) {
				t.Errorf("%q is not UTF-8", s)
			}
		}
		if _, err := c.CreatedAt.MarshalJSON(); err != nil {
			t.Error(err)
		}
	})
}

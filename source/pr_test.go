package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
)

const (
	goodMeta  = `{"id": "pr-01", "title": "Add x", "description": "Why.", "author": "ada", "approvals": ["bob", "eve"], "created_at": "2026-10-03T11:00:00+02:00", "labels": ["db"], "extra": 1}`
	goodPatch = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n"
)

func TestReadPR(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pr-01")
	write(t, dir, map[string]string{"meta.json": "\ufeff" + goodMeta, "patch.diff": goodPatch})
	got, err := ReadPR(dir + "/")
	want := change.Change{ID: "pr-01", Title: "Add x", Description: "Why.", Author: "ada", Approvals: []string{"bob", "eve"},
		CreatedAt: time.Date(2026, 10, 3, 9, 0, 0, 0, time.UTC), Labels: []string{"db"}, Patch: []byte(goodPatch)}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("ReadPR: %v (-want +got):\n%s", err, diff)
	}
}

func TestReadPRSaysWhatIsWrong(t *testing.T) {
	without := func(field string) string {
		lines := strings.Split(`"id": "pr-01"|"title": "t"|"description": ""|"approvals": []|"created_at": "2026-10-03T11:00:00Z"`, "|")
		var kept []string
		for _, line := range lines {
			if !strings.HasPrefix(line, `"`+field+`"`) {
				kept = append(kept, line)
			}
		}
		return "{" + strings.Join(kept, ",\n") + "}"
	}
	for _, tt := range []struct {
		name, meta, patch string // "-" leaves the file out
		want              string
	}{
		{"no meta.json", "-", goodPatch, "pr-01/meta.json: no such file or directory: a change needs its id, title and created_at there"},
		{"no id", without("id"), goodPatch, `pr-01/meta.json: field "id" is missing: add it as "pr-01", the name of the folder`},
		{"no title", without("title"), goodPatch, `pr-01/meta.json: field "title" is missing: add one line that says what the change does`},
		{"a blank title", strings.Replace(goodMeta, "Add x", " ", 1), goodPatch, `field "title" is missing`},
		{"all that is missing at once", "{}", goodPatch, `pr-01/meta.json: field "id" is missing: add it as "pr-01", the name of the folder; field "title" is missing: add one line that says what the change does; field "created_at" is missing: add the time as "2026-10-03T09:00:00Z"`},
		{"all that is wrong at once", `{"id": "x", "title": "t", "approvals": [""], "created_at": "now"}`, goodPatch, `give both the same name; field "approvals" holds an empty name: remove it or fill it in; field "created_at" is "now"`},
		{"no created_at", without("created_at"), goodPatch, `pr-01/meta.json: field "created_at" is missing: add the time as "2026-10-03T09:00:00Z"`},
		{"a bad date", strings.Replace(goodMeta, "2026-10-03T11:00:00+02:00", "3 October", 1), goodPatch, `pr-01/meta.json: field "created_at" is "3 October": write the time as "2026-10-03T09:00:00Z"`},
		{"another id than the folder", strings.Replace(goodMeta, "pr-01", "pr-02", 1), goodPatch, `pr-01/meta.json: field "id" is "pr-02", the folder is called "pr-01": give both the same name`},
		{"an empty name among the approvals", strings.Replace(goodMeta, "bob", "", 1), goodPatch, `field "approvals" holds an empty name`},
		{"broken JSON", "{\n\"id\": \"pr-01\",\n}", goodPatch, "pr-01/meta.json:3: is not JSON: invalid character '}'"},
		{"JSON that ends too early", "{\n\"id\": \"pr-01\",\n", goodPatch, "pr-01/meta.json:3: is not JSON: it ends too early"},
		{"an empty meta.json", "", goodPatch, "pr-01/meta.json:1: is not JSON: it ends too early"},
		{"a field of the wrong kind", "{\"id\": \"pr-01\",\n\"approvals\": 2}", goodPatch, `pr-01/meta.json:2: field "approvals" must be a list of texts, not number`},
		{"a list instead of an object", "[]", goodPatch, "pr-01/meta.json:1: the file must be an object, not array"},
		{"two objects", goodMeta + "\n{}", goodPatch, "pr-01/meta.json:2: there is more after the end of the object"},
		{"a huge meta.json", `{"id": "` + strings.Repeat("x", maxMeta) + `"}`, goodPatch, "pr-01/meta.json: is larger than 1 MiB"},
		{"no patch.diff", goodMeta, "-", "pr-01/patch.diff: no such file or directory: write the change there with git diff"},
		{"an empty patch", goodMeta, "\n \n", "pr-01/patch.diff is empty: write the change there with git diff, or remove the folder"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "pr-01")
			files := map[string]string{"meta.json": tt.meta, "patch.diff": tt.patch}
			for name, text := range files {
				if text == "-" {
					delete(files, name)
				}
			}
			write(t, dir, files)
			_, err := ReadPR(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("ReadPR: %v, want one line with %q", err, tt.want)
			}
		})
	}
}

func TestReadPRWithoutDescriptionAndApprovals(t *testing.T) {
	for _, tt := range []struct{ name, more string }{
		{"not there", ""}, {"null", `, "description": null, "approvals": null`}, {"empty", `, "description": "", "approvals": []`},
	} {
		dir := filepath.Join(t.TempDir(), "pr-01")
		write(t, dir, map[string]string{"meta.json": `{"id": "pr-01", "title": "t", "created_at": "2026-10-03T09:00:00Z"` + tt.more + "}", "patch.diff": goodPatch})
		got, err := ReadPR(dir)
		want := change.Change{ID: "pr-01", Title: "t", Approvals: []string{}, CreatedAt: time.Date(2026, 10, 3, 9, 0, 0, 0, time.UTC), Patch: []byte(goodPatch)}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: ReadPR: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

func TestReadPRRefusesWhatIsNoFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pr-01")
	write(t, dir, map[string]string{"meta.json": goodMeta, "patch.diff/x": ""})
	if _, err := ReadPR(dir); err == nil || !strings.Contains(err.Error(), "patch.diff is not a file") {
		t.Errorf("ReadPR: %v", err)
	}
}

func TestPRsComeSortedAndNoneIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"README.md": "not a change", ".git/x": "a hidden folder", ".hidden": "a hidden file"}
	for _, id := range []string{"pr-10", "pr-02", "pr-01", "hotfix"} {
		files[id+"/meta.json"] = strings.Replace(goodMeta, "pr-01", id, 1)
		files[id+"/patch.diff"] = goodPatch
	}
	write(t, dir, files)
	changes, err := PRs(dir)
	var got []string
	for _, c := range changes {
		got = append(got, c.ID)
	}
	if diff := cmp.Diff([]string{"hotfix", "pr-01", "pr-02", "pr-10"}, got); err != nil || diff != "" {
		t.Errorf("PRs: %v (-want +got):\n%s", err, diff)
	}

	if err := os.Remove(filepath.Join(dir, "hotfix", "patch.diff")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"pr-03/readme": "", "notes/x": ""})
	if err := os.Symlink("nowhere", filepath.Join(dir, "pr-04")); err != nil {
		t.Fatal(err)
	}
	_, err = PRs(dir)
	for _, want := range []string{"hotfix/patch.diff: no such file", "pr-03 holds neither", "notes holds neither a meta.json nor a patch.diff: add both, or move the folder away if it is no change", "pr-04: no such file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("PRs with broken changes: %v, want %q", err, want)
		}
	}
}

func TestPRsWithoutAny(t *testing.T) {
	dir := t.TempDir()
	if _, err := PRs(dir); err == nil || !strings.Contains(err.Error(), "holds no changes: a change is a folder pr-NN with a meta.json and a patch.diff") {
		t.Errorf("PRs of an empty folder: %v", err)
	}
	if _, err := PRs(filepath.Join(dir, "prs")); err == nil || !strings.Contains(err.Error(), "prs: no such file or directory: name the folder that holds pr-01, pr-02") {
		t.Errorf("PRs of no folder: %v", err)
	}
}

func FuzzParseMeta(f *testing.F) {
	f.Add([]byte(goodMeta))
	f.Add([]byte("{\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseMeta(text, "pr-01")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error over several lines: %q", err)
			}
			return
		}
		if c.ID != "pr-01" || c.Title == "" || c.CreatedAt.IsZero() && !strings.Contains(string(text), "0001") || c.Approvals == nil {
			t.Errorf("accepted %q as %+v", text, c)
		}
	})
}

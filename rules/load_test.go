package rules

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree makes a file system of paths and texts.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestLoadReadsOneRule(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		paths      []string
		body       string
	}{
		{"no frontmatter applies always", "\nAlways test.\n\n", []string{}, "Always test."},
		{"a list of paths", "---\npaths:\n  - \"src/**/*.ts\"\n  - proto/*\n---\n\nBody.\n", []string{"src/**/*.ts", "proto/*"}, "Body."},
		{"a string with commas, not inside braces", "---\npaths: \"src/**/*.ts, lib/**/*.{ts,tsx}\"\n---\nBody.", []string{"src/**/*.ts", "lib/**/*.{ts,tsx}"}, "Body."},
		{"a string with commas and nested braces", "---\npaths: 'a/{b,{c,d}}, e'\n---\n", []string{"a/{b,{c,d}}", "e"}, ""},
		{"a string without quotes", "---\npaths: src/**/*.ts, proto/**\n---\n", []string{"src/**/*.ts", "proto/**"}, ""},
		{"a string in a block", "---\npaths: |\n  src/**, \n  proto/**\n---\n", []string{"src/**", "proto/**"}, ""},
		{"a list in brackets", "---\npaths: [\"a/**\", 'b']\n---\n", []string{"a/**", "b"}, ""},
		{"other keys are ignored", "---\ndescription: x\nglobs: [y]\n---\nBody.", []string{}, "Body."},
		{"no value applies always", "---\npaths:\n---\nBody.", []string{}, "Body."},
		{"empty frontmatter applies always", "---\n---\nBody.", []string{}, "Body."},
		{"a comment alone in the frontmatter", "---\n# nothing\n---\nBody.", []string{}, "Body."},
		{"a number is a pattern too", "---\npaths: [2024]\n---\n", []string{"2024"}, ""},
		{"an alias", "---\nx: &ts \"*.ts\"\npaths: [*ts]\n---\n", []string{"*.ts"}, ""},
		{"a rule further down is not frontmatter", "# Title\n---\npaths: x\n---\n", []string{}, "# Title\n---\npaths: x\n---"},
		{"only the first pair of lines is frontmatter", "---\npaths: x\n---\nBody.\n---\nMore.\n", []string{"x"}, "Body.\n---\nMore."},
		{"four dashes are text", "----\nBody.", []string{}, "----\nBody."},
		{"CRLF", "---\r\npaths:\r\n  - a/**\r\n---\r\n\r\nOne.\r\nTwo.\r\n", []string{"a/**"}, "One.\nTwo."},
		{"byte order mark", "\ufeff---\npaths: a/**\n---\nBody.", []string{"a/**"}, "Body."},
		{"frontmatter alone", "---\npaths: a/**\n---", []string{"a/**"}, ""},
		{"an empty file", "", []string{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Load(tree(map[string]string{".claude/rules/r.md": tt.text}))
			if err != nil {
				t.Fatal(err)
			}
			want := []Rule{{Name: "r", Paths: tt.paths, Source: ".claude/rules/r.md", Body: tt.body}}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("Load (-want +got):\n%s", d)
			}
		})
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"frontmatter that is never closed", "---\npaths: x\n\nBody.\n", ".claude/rules/r.md:1: the frontmatter that begins here is never closed: add a --- line after it"},
		{"a pattern in a list without quotes", "---\n# where\npaths:\n  - src/*\n  - **/*.ts\n---\n", `.claude/rules/r.md:5: quote the pattern, YAML reads it as something else: "**/*.ts"`},
		{"a pattern without quotes", "---\npaths: *.ts\n---\n", `.claude/rules/r.md:2: quote the pattern, YAML reads it as something else: "*.ts"`},
		{"braces without quotes", "---\npaths:\n- {a,b}/*.ts\n---\n", `.claude/rules/r.md:3: quote the pattern, YAML reads it as something else: "{a,b}/*.ts"`},
		{"a bracket without quotes", "---\npaths:\n- [id]/page.ts\n---\n", `.claude/rules/r.md:3: quote the pattern, YAML reads it as something else: "[id]/page.ts"`},
		{"braces that are a map", "---\npaths:\n- {a,b}\n---\n", `.claude/rules/r.md:3: not a pattern or a list of patterns: quote each pattern, as in - "src/**/*.{ts,tsx}"`},
		{"a map", "---\npaths:\n  a: b\n---\n", `.claude/rules/r.md:3: not a pattern or a list of patterns: quote each pattern, as in - "src/**/*.{ts,tsx}"`},
		{"broken YAML", "---\nok: 1\nx: \"a\npaths: b\n---\n", ".claude/rules/r.md:"},
		{"text instead of keys", "---\njust text\n---\n", `.claude/rules/r.md:2: the frontmatter is not of the form "key: value": write paths: and the patterns`},
		{"paths twice", "---\npaths: a\npaths: b\n---\n", ".claude/rules/r.md:3: paths is there twice: join the two"},
		{"a glob that cannot be compiled", "---\npaths:\n  - a\n  - \"src/{a,b\"\n---\n", `.claude/rules/r.md:4: pattern "src/{a,b": a { that no } closes at character 5`},
		{"a glob in a string that cannot be compiled", "---\npaths: \"src/a}b\"\n---\n", `.claude/rules/r.md:2: pattern "src/a}b": a } that no { opens at character 6`},
		{"bytes that are no text", "\xff\xfea\x00", ".claude/rules/r.md: not UTF-8 text: save it as UTF-8"},
		{"a file that is too large", strings.Repeat("x", MaxRuleBytes+1), ".claude/rules/r.md: 262145 bytes, more than 262144: split the rule"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(tree(map[string]string{".claude/rules/a.md": "fine", ".claude/rules/r.md": tt.text}))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Load = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestLoadFindsAllMarkdownFilesSortedByPath(t *testing.T) {
	got, err := Load(tree(map[string]string{
		".claude/rules/proto.md": "p", ".claude/rules/nested/b.md": "b", ".claude/rules/nested/deep/c.md": "c", ".claude/rules/a.md": "a",
		".claude/rules/.hidden.md": "h", ".claude/rules/notes.txt": "no", ".claude/rules/README": "no", ".claude/settings.md": "no", "web/.claude/rules/x.md": "no",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{".hidden", "a", "nested/b", "nested/deep/c", "proto"}, names(got)); d != "" {
		t.Errorf("Load (-want +got):\n%s", d)
	}
}

func names(rules []Rule) []string {
	list := []string{}
	for _, r := range rules {
		list = append(list, r.Name)
	}
	return list
}

func TestLoadOfARepositoryWithoutTheFolderHasNoRules(t *testing.T) {
	for _, fsys := range []fs.FS{tree(nil), tree(map[string]string{".claude/settings.json": "{}"}), os.DirFS(t.TempDir())} {
		if got, err := Load(fsys); err != nil || len(got) != 0 {
			t.Errorf("Load = %v, %v, want none", got, err)
		}
	}
}

func TestLoadRefusesTooManyRules(t *testing.T) {
	files := map[string]string{}
	for i := range MaxRules + 1 {
		files[fmt.Sprintf(".claude/rules/%d.md", i)] = "x"
	}
	if _, err := Load(tree(files)); err == nil || !strings.Contains(err.Error(), "1001 rules, more than 1000") {
		t.Errorf("Load = %v, want an error that counts", err)
	}
}

func TestLoadFollowsLinksOnlyWithinTheRepository(t *testing.T) {
	for _, tt := range []struct{ name, link, target, want string }{
		{"to a file of the repository", ".claude/rules/r.md", "../../docs/style.md", ""},
		{"to a folder of the repository", ".claude/rules/shared", "../../docs", ""},
		{"to a link", ".claude/rules/r.md", "../../docs/link.md", ""},
		{"the folder of rules itself", ".claude/rules", "../docs", ""},
		{"out of the repository", ".claude/rules/r.md", "../../../outside.md", ".claude/rules/r.md: a symbolic link that leaves the repository"},
		{"absolute", ".claude/rules/r.md", "/etc/hostname", ".claude/rules/r.md: a symbolic link that leaves the repository"},
		{"out of the repository, a folder", ".claude/rules/shared", "../../..", ".claude/rules/shared: a symbolic link that leaves the repository"},
		{"the folder of rules itself, out of the repository", ".claude/rules", "../../", ".claude/rules: a symbolic link that leaves the repository"},
		{"to nothing", ".claude/rules/r.md", "gone.md", ".claude/rules/r.md: a symbolic link to .claude/rules/gone.md, which is not there"},
		{"to itself", ".claude/rules/r.md", "r.md", ".claude/rules/r.md: a symbolic link that leads back to itself"},
		{"to a folder above", ".claude/rules/loop", "..", ".claude/rules/loop"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "repo")
			for _, folder := range []string{"docs", ".claude"} {
				if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range map[string]string{"docs/style.md": "style", "../outside.md": "secret"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink("style.md", filepath.Join(dir, "docs/link.md")); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, tt.link)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(tt.target, filepath.Join(dir, tt.link)); err != nil {
				t.Fatal(err)
			}
			got, err := Load(os.DirFS(dir))
			if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
				t.Fatalf("Load = %v, %v, want %q", got, err, tt.want)
			}
			for _, r := range got {
				if r.Body != "style" || !strings.HasPrefix(r.Source, ".claude/rules/") {
					t.Errorf("Load = %+v, want the text of docs/style.md", r)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"---\npaths: \"a,b{c,d}\"\n---\nx", "---\r\npaths:\r\n - *.ts\r\n---", "---\nx: &a [*a]\npaths: *a\n---", "\ufeff---\n? a\n---\n", "---\nalwaysApply: true\nglobs: *.ts,*.tsx\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if keys, body := looseFrontmatter(text); len(body) > len(text) || keys == nil {
			t.Errorf("looseFrontmatter of %d bytes has a body of %d", len(text), len(body))
		}
		r, err := parse("r.md", text)
		if err == nil && r.Paths == nil {
			t.Error("paths are nil")
		}
		if err != nil && !strings.HasPrefix(err.Error(), "r.md:") {
			t.Errorf("error without a place: %v", err)
		}
	})
}

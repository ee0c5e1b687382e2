package rules

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestLoadForeignReadsWhatTeamsAlreadyHave(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		paths            []string
		nearest          bool
	}{
		{"REVIEW.md", "REVIEW.md", "Body.", []string{}, true},
		{"AGENTS.md in the root", "AGENTS.md", "Body.", []string{}, true},
		{"CLAUDE.md in a folder", "web/CLAUDE.md", "Body.", []string{"web/**"}, true},
		{"GEMINI.md in a folder further up", "web/src/GEMINI.md", "Body.", []string{"web/src/**"}, true},
		{"Bugbot in the root", ".cursor/BUGBOT.md", "Body.", []string{}, false},
		{"Bugbot in a folder", "web/.cursor/BUGBOT.md", "Body.", []string{"web/**"}, false},
		{"Copilot for all", ".github/copilot-instructions.md", "Body.", []string{}, false},
		{"Copilot for some", ".github/instructions/ts/ts.instructions.md", "---\napplyTo: \"**/*.ts,**/*.{tsx,jsx}\"\n---\n\nBody.\n", []string{"**/*.ts", "**/*.{tsx,jsx}"}, false},
		{"Copilot, not for another agent", ".github/instructions/ts.instructions.md", "---\napplyTo: '**'\nexcludeAgent: \"cloud-agent\"\n---\nBody.", []string{"**"}, false},
		{"Cursor always", ".cursor/rules/a.mdc", "---\ndescription: x: y\nglobs:\nalwaysApply: true\n---\nBody.", []string{}, false},
		{"Cursor globs without quotes", ".cursor/rules/a.mdc", "---\ndescription:\nglobs: *.ts,src/**/*.tsx\nalwaysApply: false\n---\nBody.", []string{"**/*.ts", "src/**/*.tsx"}, false},
		{"Cursor globs in brackets", ".cursor/rules/a.mdc", "---\nglobs: [\"a/*.ts\", 'b/{c,d}'] # why\n---\nBody.", []string{"a/*.ts", "b/{c,d}"}, false},
		{"Cursor globs in a list", ".cursor/rules/sub/a.mdc", "---\nglobs:\n  - a/*.ts\n  - \"b/*\"\n---\nBody.", []string{"a/*.ts", "b/*"}, false},
		{"Cursor, one file", ".cursorrules", "Body.", []string{}, false},
		{"a file for code review", ".codereview.md", "Body.", []string{}, false},
		{"Windsurf", ".windsurfrules", "Body.", []string{}, false},
		{"Cline, a folder", ".clinerules/01-style.md", "Body.", []string{}, false},
		{"Cline, one file", ".clinerules", "Body.", []string{}, false},
		{"Zed and others", ".rules/style", "Body.", []string{}, false},
		{"CRLF and a byte order mark", "AGENTS.md", "\ufeff\r\nBody.\r\n", []string{}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, notes, err := LoadForeign(tree(map[string]string{tt.file: tt.text, "web/src/x/api.ts": ""}), []string{"web/src/x/api.ts", "web/src/x/gone/../../y"})
			if err != nil || len(notes) > 0 {
				t.Fatalf("LoadForeign: %v, %q", err, notes)
			}
			want := []Rule{{Name: tt.file, Paths: tt.paths, Source: tt.file, Body: "Body.", Nearest: tt.nearest}}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("LoadForeign (-want +got):\n%s", d)
			}
		})
	}
}

func TestLoadForeignTellsWhatItLeavesOut(t *testing.T) {
	link := func(target string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink}
	}
	long := strings.Repeat("0123456789\n", MaxForeignBytes/10)
	for _, tt := range []struct {
		name string
		fsys fstest.MapFS
		want []string // rules
		note string
	}{
		{"excluded from reviews", tree(map[string]string{".github/instructions/a.instructions.md": "---\napplyTo: '**'\nexcludeAgent: code-review\n---\nx"}), nil, ".github/instructions/a.instructions.md: left out: its excludeAgent says code-review"},
		{"excluded from reviews, in a list", tree(map[string]string{".github/instructions/a.instructions.md": "---\napplyTo: '**'\nexcludeAgent: [\"x\", \"code-review\"]\n---\nx"}), nil, ".github/instructions/a.instructions.md: left out: its excludeAgent says code-review"},
		{"applied nowhere", tree(map[string]string{".github/instructions/a.instructions.md": "x"}), nil, ".github/instructions/a.instructions.md: left out: it has no applyTo"},
		{"asked for by hand", tree(map[string]string{".cursor/rules/a.mdc": "---\ndescription: x\nalwaysApply: false\n---\nx"}), nil, ".cursor/rules/a.mdc: left out: it has neither alwaysApply nor globs"},
		{"a pattern that cannot be compiled", tree(map[string]string{".cursor/rules/a.mdc": "---\nglobs: {a\n---\nx"}), []string{".cursor/rules/a.mdc"}, `.cursor/rules/a.mdc: applied to every file: pattern "**/{a": a { that no } closes at character 4`},
		{"clipped", tree(map[string]string{"AGENTS.md": long}), []string{"AGENTS.md"}, "AGENTS.md: clipped: the first 65527 of 72083 bytes are used"},
		{"clipped within its only line", tree(map[string]string{"AGENTS.md": strings.Repeat("é", MaxForeignBytes)}), []string{"AGENTS.md"}, "AGENTS.md: clipped: the first 65536 of 131072 bytes are used"},
		{"no text", tree(map[string]string{"AGENTS.md": "\xff"}), nil, "AGENTS.md: left out: not UTF-8 text: save it as UTF-8"},
		{"a link out of the repository", fstest.MapFS{"AGENTS.md": link("../secret")}, nil, "AGENTS.md: left out: a symbolic link that leaves the repository: put the file itself here"},
		{"a link to nothing", fstest.MapFS{"AGENTS.md": link("gone.md")}, nil, "AGENTS.md: left out: a symbolic link to gone.md, which is not there"},
		{"a folder of rules out of the repository", fstest.MapFS{".rules": link("/etc")}, nil, ".rules: left out with all below it: .rules: a symbolic link that leaves the repository: put the file itself here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, notes, err := LoadForeign(tt.fsys, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]string{tt.note}, notes); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
			if d := cmp.Diff(append([]string{}, tt.want...), names(got)); d != "" {
				t.Errorf("rules (-want +got):\n%s", d)
			}
		})
	}
}

func TestLoadForeignLooksOnlyAboveTheFiles(t *testing.T) {
	got, _, err := LoadForeign(tree(map[string]string{"web/AGENTS.md": "web", "web/test/AGENTS.md": "test", "api/AGENTS.md": "api", "AGENTS.md": "root", "web/src/x.ts": ""}), []string{"web/src/x.ts"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"AGENTS.md", "web/AGENTS.md"}, names(got)); d != "" {
		t.Errorf("LoadForeign (-want +got):\n%s", d)
	}
}

func TestLoadForeignDoesNotRepeatALinkedFile(t *testing.T) {
	fsys := tree(map[string]string{"AGENTS.md": "x"})
	fsys["CLAUDE.md"] = &fstest.MapFile{Data: []byte("AGENTS.md"), Mode: fs.ModeSymlink}
	got, notes, err := LoadForeign(fsys, []string{"a"})
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if d := cmp.Diff([]string{"AGENTS.md"}, names(got)); d != "" {
		t.Errorf("LoadForeign (-want +got):\n%s", d)
	}
}

func TestLoadForeignScopesAFolderWhoseNameLooksLikeAPattern(t *testing.T) {
	got, _, err := LoadForeign(tree(map[string]string{"a{b,c}*/AGENTS.md": "x", "a{b,c}*/x": ""}), []string{"a{b,c}*/x"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a{b,c}*/AGENTS.md"}, names(For(got, []string{"a{b,c}*/x"}))); d != "" {
		t.Errorf("For (-want +got):\n%s", d)
	}
	if n := len(For(got, []string{"other/x"})); n != 0 {
		t.Errorf("For of another folder has %d rules", n)
	}
}

// brokenFS fails to open one file, as a tree whose objects are missing.
type brokenFS struct {
	fstest.MapFS
	broken string
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if name == b.broken {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("object is missing")}
	}
	return b.MapFS.Open(name)
}

func TestATreeThatCannotBeReadIsAnError(t *testing.T) {
	own := brokenFS{tree(map[string]string{".claude/rules/a.md": "x"}), ".claude/rules/a.md"}
	if _, err := Load(own); err == nil || !strings.Contains(err.Error(), "object is missing") {
		t.Errorf("Load = %v, want the cause", err)
	}
	foreign := brokenFS{tree(map[string]string{"AGENTS.md": "x"}), "AGENTS.md"}
	if _, _, err := LoadForeign(foreign, []string{"a"}); err == nil || !strings.Contains(err.Error(), "object is missing") {
		t.Errorf("LoadForeign = %v, want the cause", err)
	}
}

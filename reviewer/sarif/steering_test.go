package sarif

import (
	"testing"
)

func TestSettles(t *testing.T) {
	for _, tt := range []struct {
		name    string
		command []string
		file    string
		want    bool
	}{
		{"its own settings", []string{"golangci-lint", "run"}, ".golangci.yml", true},
		{"its own settings, by a beginning", []string{"npx", "eslint", "."}, "eslint.config.mjs", true},
		{"the settings of another tool", []string{"npx", "eslint", "."}, ".golangci.yml", false},
		{"a command that does not tell its tool", []string{"npm", "run", "lint"}, ".eslintrc.json", true},
		{"an ordinary file", []string{"npm", "run", "lint"}, "package.json", false},
		{"a name that only begins like one", []string{"golangci-lint", "run"}, ".golangci.yml.md", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &Reviewer{opts: Options{Command: tt.command}}
			if got := r.settles(tt.file); got != tt.want {
				t.Errorf("settles(%q) with %q = %v, want %v", tt.file, tt.command, got, tt.want)
			}
		})
	}
}

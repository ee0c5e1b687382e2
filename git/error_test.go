package git

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestErrorShowsNoCredentials(t *testing.T) {
	err := newError([]string{"ls-remote", "https://user:s3cret@host/x"}, 128,
		"fatal: unable to access 'https://user:s3cret@host/x/': https://t0ken@other failed\nssh://git@host is fine\n")
	text := err.Error() + err.Stderr + strings.Join(err.Args, " ")
	for _, secret := range []string{"s3cret", "t0ken", "user:"} {
		if strings.Contains(text, secret) {
			t.Errorf("error shows %q: %s", secret, text)
		}
	}
	if want := "git ls-remote: fatal: unable to access 'https://***@host/x/': https://***@other failed; ssh://***@host is fine"; err.Error() != want {
		t.Errorf("Error() = %q, want %q", err.Error(), want)
	}
}

func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		stderr string
		want   string
	}{
		{"nothing was written", []string{"-c", "a=b", "write-tree"}, "\n", "git write-tree: exit status 1"},
		{"only the first lines are shown", []string{"apply"}, "1\n\n2\n3\n4\n", "git apply: 1; 2; 3"},
	} {
		if got := newError(tt.args, 1, tt.stderr).Error(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRunnerBoundsTheAnswer(t *testing.T) {
	path := wrapGit(t, "exec yes")
	r, err := newRunner(t.TempDir(), []string{"PATH=" + path})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = r.run(t.Context(), call{args: []string{"status"}, max: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "git status: answer is longer than 1 MiB") {
		t.Errorf("run: %v, want that the answer is too long", err)
	}
}

func TestRunnerPassesNoSecretsOn(t *testing.T) {
	path := wrapGit(t, "env; exit 0")
	r, err := newRunner(t.TempDir(), []string{"PATH=" + path, "API_KEY=s3cret", "GIT_DIR=/elsewhere", "GIT_CONFIG_COUNT=1", "HOME=/home/ada", "LANG=de_DE"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.read(t.Context(), "status")
	if err != nil {
		t.Fatal(err)
	}
	for _, absent := range []string{"s3cret", "/elsewhere", "GIT_CONFIG_COUNT", "de_DE"} {
		if strings.Contains(string(out), absent) {
			t.Errorf("git is given %s:\n%s", absent, out)
		}
	}
	for _, present := range []string{"HOME=/home/ada", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1"} {
		if !strings.Contains(string(out), present+"\n") {
			t.Errorf("git is not given %s:\n%s", present, out)
		}
	}
}

func TestRunnerNeverTakesGitFromARelativeFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"git": "#!/bin/sh\n"})
	if err := os.Chmod(dir+"/git", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if _, err := newRunner(dir, []string{"PATH=.:"}); !errors.Is(err, ErrNoGit) {
		t.Errorf("newRunner: %v, want ErrNoGit", err)
	}
}

func TestRunnerEndsTheWholeGroupWithItsContext(t *testing.T) {
	pipe := t.TempDir() + "/pipe"
	sh(t, t.TempDir(), "mkfifo "+pipe)
	// A child that would hold the output open for long after git is gone.
	path := wrapGit(t, "sleep 1000 & echo started >"+pipe+"; wait")
	r, err := newRunner(t.TempDir(), []string{"PATH=" + path})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the user had enough")
	go func() {
		os.ReadFile(pipe) // returns when the child runs
		cancel(why)
	}()
	if _, err := r.read(ctx, "status"); !errors.Is(err, why) {
		t.Errorf("read: %v, want the context's cause", err)
	}
}

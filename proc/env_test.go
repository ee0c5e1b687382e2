package proc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/proc"
)

func TestCleanEnv(t *testing.T) {
	for _, tt := range []struct {
		name    string
		environ []string
		allow   []string
		want    []string
	}{
		{"tools and language pass", []string{"PATH=/bin", "LC_ALL=C", "GOFLAGS=-tags=x", "JAVA_HOME=/jdk"}, nil,
			[]string{"GOFLAGS=-tags=x", "HOME=/nonexistent", "JAVA_HOME=/jdk", "LC_ALL=C", "PATH=/bin"}},
		{"home is replaced", []string{"HOME=/home/mia"}, nil, []string{"HOME=/nonexistent"}},
		{"home passes when it is asked for", []string{"HOME=/home/mia"}, []string{"HOME"}, []string{"HOME=/home/mia"}},
		{"tokens and keys do not pass", []string{"GITHUB_TOKEN=a", "AWS_SECRET_ACCESS_KEY=b", "NPM_TOKEN=c", "ANTHROPIC_API_KEY=d", "GOAUTH=e", "PGPASSWORD=f"}, nil,
			[]string{"HOME=/nonexistent"}},
		{"a secret under an allowed prefix does not pass", []string{"CGO_TOKEN=a", "CGO_ENABLED=1"}, nil, []string{"CGO_ENABLED=1", "HOME=/nonexistent"}},
		{"a secret passes when it is named in full", []string{"MY_TOKEN=a", "MY_TOKEN_2=b"}, []string{"MY_TOKEN"}, []string{"HOME=/nonexistent", "MY_TOKEN=a"}},
		{"agents, git and the gate itself never pass", []string{"SSH_AUTH_SOCK=/s", "GIT_DIR=/g", "REVIEWGATE_KEY=k"}, []string{"SSH_AUTH_SOCK", "GIT_DIR", "REVIEWGATE_KEY"},
			[]string{"HOME=/nonexistent"}},
		{"a proxy with a password does not pass", []string{"GOPROXY=https://user:pw@proxy.example,direct"}, nil, []string{"HOME=/nonexistent"}},
		{"a proxy without one does", []string{"GOPROXY=https://proxy.example,direct"}, nil, []string{"GOPROXY=https://proxy.example,direct", "HOME=/nonexistent"}},
		{"the last value counts", []string{"TZ=a", "TZ=b"}, nil, []string{"HOME=/nonexistent", "TZ=b"}},
		{"entries without a name are dropped", []string{"=x", "PATH", "TZ=UTC"}, nil, []string{"HOME=/nonexistent", "TZ=UTC"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, proc.CleanEnv(tt.environ, tt.allow...)); diff != "" {
				t.Errorf("CleanEnv(%q, %q) (-want +got):\n%s", tt.environ, tt.allow, diff)
			}
		})
	}
}

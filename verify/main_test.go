package verify

import (
	"os"
	"testing"

	"github.com/reviewgate/reviewgate/proc"
)

func TestMain(m *testing.M) {
	if code, handled := proc.Child(os.Args[1:]); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

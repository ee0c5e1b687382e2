package main

import (
	"os/exec"
	"strings"
)

// goEnv holds where this machine's Go keeps what it compiled and fetched.
var goEnv = func() map[string]string {
	values := map[string]string{}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		if out, err := exec.Command("go", "env", name).Output(); err == nil {
			values[name] = strings.TrimSpace(string(out))
		}
	}
	return values
}()

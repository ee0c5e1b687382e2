package verify

import (
	"path"
	"slices"
	"strings"
	"time"
)

// Spec is one check: a command that tests the project.
type Spec struct {
	Name    string        `json:"name"`              // "go test", "npm test (web)"
	Run     []string      `json:"run"`               // program and arguments
	Or      [][]string    `json:"or,omitempty"`      // what to run when Run's program is not installed, in order
	Dir     string        `json:"dir,omitempty"`     // folder of the tree to run in, with slashes; "" is the top
	Kind    Kind          `json:"kind,omitempty"`    // what reads the output; "" is told from Run
	Timeout time.Duration `json:"timeout,omitempty"` // 0 means the gate's
	From    string        `json:"from,omitempty"`    // the file that it was detected from; "" when configured
}

// Kind is a test runner, as far as its output is concerned.
type Kind string

// The test runners whose output is understood.
const (
	Go      Kind = "go"
	Node    Kind = "node" // node --test
	Script  Kind = "npm"  // a package's own test script: jest, vitest, mocha, …
	Pytest  Kind = "pytest"
	Cargo   Kind = "cargo"
	Maven   Kind = "maven"
	Gradle  Kind = "gradle"
	DotNet  Kind = "dotnet"
	RSpec   Kind = "rspec"
	Rake    Kind = "rake"
	PHPUnit Kind = "phpunit"
	Swift   Kind = "swift"
	CTest   Kind = "ctest"
	Command Kind = "command" // anything else: its exit code is all there is
)

// kindOf tells what reads the output of a command.
func kindOf(run []string) Kind {
	if len(run) == 0 {
		return Command
	}
	program := path.Base(strings.ReplaceAll(run[0], `\`, "/"))
	has := func(arg string) bool { return slices.Contains(run[1:], arg) }
	switch program {
	case "go":
		if has("test") {
			return Go
		}
	case "node":
		if has("--test") {
			return Node
		}
	case "npm", "pnpm", "yarn", "bun", "npx", "jest", "vitest", "mocha", "ava", "tap", "deno":
		return Script
	case "pytest", "py.test", "tox", "nox":
		return Pytest
	case "python", "python3", "uv", "poetry", "pipenv", "hatch", "pdm":
		if has("pytest") || has("-mpytest") {
			return Pytest
		}
	case "cargo":
		if has("test") {
			return Cargo
		}
	case "mvn", "mvnw":
		return Maven
	case "gradle", "gradlew":
		return Gradle
	case "dotnet":
		if has("test") {
			return DotNet
		}
	case "rspec":
		return RSpec
	case "rake":
		return Rake
	case "bundle":
		if has("rspec") {
			return RSpec
		}
		if has("rake") {
			return Rake
		}
	case "phpunit":
		return PHPUnit
	case "swift":
		if has("test") {
			return Swift
		}
	case "ctest":
		return CTest
	}
	return Command
}

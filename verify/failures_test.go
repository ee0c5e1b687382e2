package verify

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/change"
)

func TestAFailureNamesItsTests(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, tt := range []struct {
		name   string
		kind   Kind
		output string
		want   string
	}{
		{"two of go's, each once, without subtests", Go, "--- FAIL: TestPop (0.00s)\n    --- FAIL: TestPop/a (0.00s)\n--- FAIL: TestPush (0.00s)\n--- FAIL: TestPop (0.00s)\nFAIL\tx\t0.1s\n", "exit status 1: TestPop, TestPush"},
		{"at most three", Go, "--- FAIL: A (0s)\n--- FAIL: B (0s)\n--- FAIL: C (0s)\n--- FAIL: D (0s)\n--- FAIL: E (0s)\n", "exit status 1: A, B, C and 2 more"},
		{"a package that does not compile", Go, "FAIL\texample.com/x [build failed]\n", "exit status 1: example.com/x [build failed]"},
		{"node as TAP", Node, "ok 1 - a\nnot ok 2 - adds up\nnot ok 3 - later # TODO\n# fail 1\n", "exit status 1: adds up"},
		{"node for people", Node, "✖ adds up (1.2ms)\nℹ fail 1\n\n✖ failing tests:\n\ntest at x.js:1:1\n✖ adds up (1.2ms)\n", "exit status 1: adds up"},
		{"jest", Script, "  ● Console\n\n  ● sum › adds up\n\nTests:  1 failed, 1 total\n", "exit status 1: sum › adds up"},
		{"mocha", Script, "  sum\n    1) adds up\n\n  0 passing\n  1 failing\n\n  1) sum\n       adds up:\n", "exit status 1: adds up"},
		{"pytest", Pytest, "FAILED tests/test_a.py::test_a - assert 1 == 2\nERROR tests/test_b.py - SyntaxError\n2 failed in 0.1s\n", "exit status 1: tests/test_a.py::test_a, tests/test_b.py"},
		{"cargo", Cargo, "running 2 tests\ntest a::adds ... FAILED\ntest b ... ok\n", "exit status 1: a::adds"},
		{"gradle", Gradle, "AppTest > adds() FAILED\n2 tests completed, 1 failed\n> Task :test FAILED\n", "exit status 1: AppTest > adds()"},
		{"rspec", RSpec, "1 example, 1 failure\n\nrspec ./spec/a_spec.rb:2 # A adds\n", "exit status 1: A adds"},
		{"rake", Rake, "  1) Failure:\nTestA#test_a [a.rb:3]:\n1 runs, 1 assertions, 1 failures\n", "exit status 1: TestA#test_a"},
		{"phpunit", PHPUnit, "1) ATest::testA\nFailed\nTests: 1, Assertions: 1, Failures: 1.\n", "exit status 1: ATest::testA"},
		{"a runner that nobody knows", Command, "--- FAIL: A (0s)\n", "exit status 1"},
		{"control characters are taken out", Node, "not ok 1 - a\x07b\u202ec\x1b[31md\n# fail 1\n", "exit status 1: abcd"},
		{"a long name is cut", Go, "--- FAIL: " + long + " (0s)\n", "exit status 1: " + strings.Repeat("x", 184) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := judge(ending{kind: tt.kind, exit: 1, output: tt.output})
			if got.status != change.Fail || got.reason != tt.want || utf8.RuneCountInString(got.reason) > maxReason {
				t.Errorf("judge = %s %q, want %q", got.status, got.reason, tt.want)
			}
		})
	}
}

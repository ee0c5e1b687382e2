package verify

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const npmInit = `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name    string
		files   map[string]string
		changed string
		want    []string // "name: command"
	}{
		{"a Go service with a TypeScript client, as in the specification", map[string]string{"go.mod": "", "package.json": `{"type": "module"}`, "web/src/api.test.ts": ""}, "web/src/api.ts",
			[]string{"go test: go test ./...", "node --test: node --test"}},
		{"a script that is node's runner runs as what it is", map[string]string{"package.json": `{"scripts": {"test": "node --test"}}`}, "", []string{"node --test: node --test"}},
		{"with arguments", map[string]string{"package.json": `{"scripts": {"test": "node --import=tsx --test test/"}}`}, "", []string{"node --test: node --import=tsx --test test/"}},
		{"a script that does more goes through the package manager", map[string]string{"package.json": `{"scripts": {"test": "tsc && node --test"}}`}, "", []string{"npm test: npm test"}},
		{"the default of npm init is no test", map[string]string{"package.json": npmInit}, "", nil},
		{"the default of npm init, but node finds tests", map[string]string{"package.json": npmInit, "test/a.js": ""}, "", []string{"node --test: node --test"}},
		{"a script that does nothing is no test", map[string]string{"package.json": `{"scripts": {"test": "exit 0"}}`}, "", nil},
		{"a script that only speaks is no test", map[string]string{"package.json": `{"scripts": {"test": "echo ok; true"}}`}, "", nil},
		{"tests in node_modules are not the project's", map[string]string{"package.json": "{}", "node_modules/x/a.test.js": ""}, "", nil},
		{"declarations are no tests", map[string]string{"package.json": "{}", "test/types.d.ts": ""}, "", nil},
		{"pnpm", map[string]string{"package.json": `{"scripts": {"test": "vitest"}}`, "pnpm-lock.yaml": ""}, "", []string{"pnpm test: pnpm test"}},
		{"yarn", map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "yarn.lock": ""}, "", []string{"yarn test: yarn test"}},
		{"bun", map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "bun.lock": ""}, "", []string{"bun test: bun run test"}},
		{"the package manager that a package names", map[string]string{"package.json": `{"packageManager": "yarn@4.1.0", "scripts": {"test": "jest"}}`, "package-lock.json": ""}, "", []string{"yarn test: yarn test"}},
		{"a package.json that is no JSON", map[string]string{"package.json": `{`}, "", nil},
		{"pytest by its configuration", map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\n"}, "", []string{"pytest: venv/bin/pytest"}},
		{"pytest by its tests", map[string]string{"setup.py": "", "tests/unit/test_a.py": ""}, "", []string{"pytest: venv/bin/pytest"}},
		{"Python without tests", map[string]string{"pyproject.toml": "[project]\n", "a.py": ""}, "", nil},
		{"cargo", map[string]string{"Cargo.toml": "[package]\n"}, "", []string{"cargo test: cargo test"}},
		{"a cargo workspace", map[string]string{"Cargo.toml": "[workspace]\n"}, "", []string{"cargo test: cargo test --workspace"}},
		{"maven", map[string]string{"pom.xml": ""}, "", []string{"mvn test: mvn -B test"}},
		{"gradle with its wrapper", map[string]string{"build.gradle.kts": "", "gradlew": ""}, "", []string{"gradle test: sh ./gradlew --no-daemon --console=plain test"}},
		{"gradle without", map[string]string{"settings.gradle": ""}, "", []string{"gradle test: gradle --no-daemon --console=plain test"}},
		{"dotnet", map[string]string{"App.sln": ""}, "", []string{"dotnet test: dotnet test"}},
		{"rspec", map[string]string{"Gemfile": "", "spec/a_spec.rb": ""}, "", []string{"rspec: bundle exec rspec"}},
		{"rake", map[string]string{"Rakefile": "", "test/a_test.rb": ""}, "", []string{"rake test: rake test"}},
		{"phpunit", map[string]string{"phpunit.xml.dist": ""}, "", []string{"phpunit: vendor/bin/phpunit"}},
		{"swift", map[string]string{"Package.swift": ""}, "", []string{"swift test: swift test"}},
		{"ctest", map[string]string{"CMakeLists.txt": "project(x)\nenable_testing()\n"}, "", []string{"ctest: sh -c " + ctestScript(t)}},
		{"CMake without tests", map[string]string{"CMakeLists.txt": "project(x)\n# enable_testing()\n"}, "", nil},

		{"a project inside that the change touches", map[string]string{"services/api/go.mod": "", "services/web/package.json": `{"scripts": {"test": "jest"}}`}, "services/api/main.go",
			[]string{"go test (services/api): go test ./..."}},
		{"two of them", map[string]string{"services/api/go.mod": "", "services/web/package.json": `{"scripts": {"test": "jest"}}`}, "services/web/a.ts services/api/x/main.go",
			[]string{"go test (services/api): go test ./...", "npm test (services/web): npm test"}},
		{"the nearest project stands for the change", map[string]string{"a/package.json": `{"scripts": {"test": "jest"}}`, "a/b/package.json": `{"scripts": {"test": "jest"}}`}, "a/b/c.ts",
			[]string{"npm test (a/b): npm test"}},
		{"what is at the top speaks for its language", map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "a/package.json": `{"scripts": {"test": "jest"}}`, "b/Cargo.toml": ""}, "a/b.ts b/src/lib.rs",
			[]string{"npm test: npm test", "cargo test (b): cargo test"}},
		{"a Go module inside another is a project of its own", map[string]string{"go.mod": "", "tools/go.mod": ""}, "tools/main.go", []string{"go test: go test ./...", "go test (tools): go test ./..."}},
		{"test data is no project", map[string]string{"a/testdata/m/go.mod": "", "vendor/x/go.mod": ""}, "a/testdata/m/x.go vendor/x/x.go", nil},
		{"nothing that is known", map[string]string{"README.md": ""}, "README.md", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for name, content := range tt.files {
				tree[name] = &fstest.MapFile{Data: []byte(content)}
			}
			var got []string
			for _, s := range Detect(tree, strings.Fields(tt.changed)) {
				got = append(got, s.Name+": "+strings.Join(s.Run, " "))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Detect (-want +got):\n%s", diff)
			}
		})
	}
}

// ctestScript is the command of a project with CMake: three steps in a shell.
func ctestScript(t *testing.T) string {
	t.Helper()
	spec, _ := detectCTest(fstest.MapFS{}, ".")
	for _, step := range []string{"cmake -S . -B ", "cmake --build ", "ctest --test-dir "} {
		if !strings.Contains(spec.Run[2], step) {
			t.Errorf("ctest script %q lacks %q", spec.Run[2], step)
		}
	}
	return spec.Run[2]
}

func TestDetectLooksForPytestWhereItMayBe(t *testing.T) {
	spec, _ := detectPytest(fstest.MapFS{"pytest.ini": {}}, ".")
	got := append([][]string{spec.Run}, spec.Or...)
	want := [][]string{{"venv/bin/pytest"}, {".venv/bin/pytest"}, {"pytest"}, {"python3", "-m", "pytest"}, {"python", "-m", "pytest"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEveryDetectedCheckHasAReader(t *testing.T) {
	kinds := []Kind{Go, Node, Script, Pytest, Cargo, Maven, Gradle, DotNet, RSpec, Rake, PHPUnit, Swift, CTest}
	for kind := range readers() {
		if !slices.Contains(kinds, kind) {
			t.Errorf("reader of %s is never used", kind)
		}
	}
	for _, kind := range kinds {
		if _, ok := readers()[kind]; !ok {
			t.Errorf("%s has no reader", kind)
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		run  string
		want Kind
	}{
		{"go test ./...", Go}, {"go vet ./...", Command}, {"node --test", Node}, {"node build.js", Command}, {"npm test", Script}, {"npx vitest run", Script}, {"pytest -q", Pytest},
		{"python3 -m pytest", Pytest}, {"uv run pytest", Pytest}, {"cargo test", Cargo}, {"cargo clippy", Command}, {"./mvnw test", Maven}, {"./gradlew test", Gradle}, {"dotnet test", DotNet},
		{"bundle exec rspec", RSpec}, {"bundle exec rake test", Rake}, {"vendor/bin/phpunit", PHPUnit}, {"swift test", Swift}, {"ctest", CTest}, {"make test", Command}, {"", Command},
	} {
		if got := kindOf(strings.Fields(tt.run)); got != tt.want {
			t.Errorf("kindOf(%q) = %s, want %s", tt.run, got, tt.want)
		}
	}
}

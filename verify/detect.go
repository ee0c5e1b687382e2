package verify

import (
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Detect returns the checks of a tree: for each language the one at the top, or,
// where the top has none, those of the projects inside it that hold a changed
// path. Several languages side by side are a check each, in a fixed order. A Go
// module inside another one is a project of its own, because ./... stops there.
func Detect(tree fs.FS, changed []string) []Spec {
	var specs []Spec
	inner := innerFolders(changed)
	for _, detect := range detectors {
		top, ok := detect(tree, ".")
		if ok {
			specs = append(specs, top)
		}
		if ok && top.Kind != Go {
			continue
		}
		specs = append(specs, detectInside(tree, inner, detect)...)
	}
	return specs
}

// detector returns the check of one language in a folder of a tree.
type detector func(tree fs.FS, dir string) (Spec, bool)

// detectors are all of them, in the order in which their checks are listed.
var detectors = []detector{detectGo, detectNode, detectPytest, detectCargo, detectMaven, detectGradle, detectDotNet, detectRuby, detectPHPUnit, detectSwift, detectCTest}

// maxInside bounds how many projects inside a tree one change has tested.
const maxInside = 20

// innerFolders returns the folders above the changed paths, without the top,
// deepest first, each once. What tests only use is no project.
func innerFolders(changed []string) []string {
	seen := map[string]bool{}
	var folders []string
	for _, p := range changed {
		for dir := path.Dir(p); dir != "." && dir != "/" && fs.ValidPath(dir); dir = path.Dir(dir) {
			if !seen[dir] {
				seen[dir] = true
				folders = append(folders, dir)
			}
		}
	}
	folders = slices.DeleteFunc(folders, func(dir string) bool {
		return slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool {
			return part == "testdata" || part == "node_modules" || part == "vendor" || part == "fixtures" || strings.HasPrefix(part, ".")
		})
	})
	slices.SortFunc(folders, func(a, b string) int {
		if d := strings.Count(b, "/") - strings.Count(a, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return folders
}

// detectInside returns the checks of the projects nearest to the changed paths: a
// project inside another one stands for it.
func detectInside(tree fs.FS, folders []string, detect detector) []Spec {
	var found []Spec
	for _, dir := range folders {
		if len(found) == maxInside {
			break
		}
		spec, ok := detect(tree, dir)
		inner := slices.ContainsFunc(found, func(s Spec) bool { return strings.HasPrefix(s.Dir, dir+"/") })
		if ok && (!inner || spec.Kind == Go) {
			spec.Dir = dir
			spec.Name += " (" + dir + ")"
			spec.From = path.Join(dir, spec.From)
			found = append(found, spec)
		}
	}
	slices.SortFunc(found, func(a, b Spec) int { return strings.Compare(a.Dir, b.Dir) })
	return found
}

func detectGo(tree fs.FS, dir string) (Spec, bool) {
	return Spec{Name: "go test", Run: []string{"go", "test", "./..."}, Kind: Go, From: "go.mod"}, isFile(tree, dir, "go.mod")
}

func detectCargo(tree fs.FS, dir string) (Spec, bool) {
	run := []string{"cargo", "test"}
	if strings.Contains(read(tree, dir, "Cargo.toml"), "[workspace]") {
		run = append(run, "--workspace")
	}
	return Spec{Name: "cargo test", Run: run, Kind: Cargo, From: "Cargo.toml"}, isFile(tree, dir, "Cargo.toml")
}

func detectMaven(tree fs.FS, dir string) (Spec, bool) {
	spec := Spec{Name: "mvn test", Run: []string{"mvn", "-B", "test"}, Kind: Maven, From: "pom.xml"}
	if isFile(tree, dir, "mvnw") && isFile(tree, dir, ".mvn/wrapper/maven-wrapper.properties") {
		spec.Or = [][]string{{"sh", "./mvnw", "-B", "test"}} // the wrapper fetches what an installed mvn is already
	}
	return spec, isFile(tree, dir, "pom.xml")
}

func detectGradle(tree fs.FS, dir string) (Spec, bool) {
	from := firstFile(tree, dir, "settings.gradle.kts", "settings.gradle", "build.gradle.kts", "build.gradle")
	spec := Spec{Name: "gradle test", Run: []string{"gradle", "--no-daemon", "--console=plain", "test"}, Kind: Gradle, From: from}
	if isFile(tree, dir, "gradlew") {
		spec.Run, spec.Or = []string{"sh", "./gradlew", "--no-daemon", "--console=plain", "test"}, [][]string{spec.Run}
	}
	return spec, from != ""
}

func detectDotNet(tree fs.FS, dir string) (Spec, bool) {
	from := firstMatch(tree, dir, "*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj")
	return Spec{Name: "dotnet test", Run: []string{"dotnet", "test"}, Kind: DotNet, From: from}, from != ""
}

func detectRuby(tree fs.FS, dir string) (Spec, bool) {
	bundle := isFile(tree, dir, "Gemfile")
	with := func(run ...string) ([]string, [][]string) {
		if bundle {
			return append([]string{"bundle", "exec"}, run...), [][]string{run}
		}
		return run, nil
	}
	if (isFile(tree, dir, ".rspec") || bundle) && isFolder(tree, dir, "spec") {
		run, or := with("rspec")
		return Spec{Name: "rspec", Run: run, Or: or, Kind: RSpec, From: firstFile(tree, dir, ".rspec", "Gemfile")}, true
	}
	if isFile(tree, dir, "Rakefile") && isFolder(tree, dir, "test") {
		run, or := with("rake", "test")
		return Spec{Name: "rake test", Run: run, Or: or, Kind: Rake, From: "Rakefile"}, true
	}
	return Spec{}, false
}

func detectPHPUnit(tree fs.FS, dir string) (Spec, bool) {
	from := firstFile(tree, dir, "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
	return Spec{Name: "phpunit", Run: []string{"vendor/bin/phpunit"}, Or: [][]string{{"phpunit"}}, Kind: PHPUnit, From: from}, from != ""
}

func detectSwift(tree fs.FS, dir string) (Spec, bool) {
	return Spec{Name: "swift test", Run: []string{"swift", "test"}, Kind: Swift, From: "Package.swift"}, isFile(tree, dir, "Package.swift")
}

var enablesTests = regexp.MustCompile(`(?im)^\s*(enable_testing\s*\(|include\s*\(\s*CTest\s*\))`)

func detectCTest(tree fs.FS, dir string) (Spec, bool) {
	const build = "${TMPDIR:-/tmp}/build"
	script := "cmake -S . -B " + build + " && cmake --build " + build + " --parallel 2 && ctest --test-dir " + build + " --output-on-failure"
	spec := Spec{Name: "ctest", Run: []string{"sh", "-c", script}, Kind: CTest, From: "CMakeLists.txt"}
	return spec, enablesTests.MatchString(read(tree, dir, "CMakeLists.txt"))
}

// detectPytest looks for a configuration of pytest, or for files that it would
// find by their names in the usual places.
func detectPytest(tree fs.FS, dir string) (Spec, bool) {
	from := firstFile(tree, dir, "pytest.ini", ".pytest.ini", "pytest.toml", "conftest.py")
	for _, config := range []struct{ file, section string }{{"pyproject.toml", "[tool.pytest"}, {"setup.cfg", "[tool:pytest]"}, {"tox.ini", "[pytest]"}} {
		if from == "" && strings.Contains(read(tree, dir, config.file), config.section) {
			from = config.file
		}
	}
	if from == "" {
		from = firstMatch(tree, dir, "tests/test_*.py", "tests/*_test.py", "test/test_*.py", "tests/*/test_*.py", "test_*.py", "*_test.py")
	}
	if from == "" && isFile(tree, dir, "tests/conftest.py") {
		from = "tests/conftest.py"
	}
	spec := Spec{Name: "pytest", Run: []string{"pytest"}, Or: [][]string{{"python3", "-m", "pytest"}, {"python", "-m", "pytest"}}, Kind: Pytest, From: from}
	for _, venv := range []string{".venv", "venv"} { // the checkout's own, when it is borrowed
		spec.Run, spec.Or = []string{venv + "/bin/pytest"}, append([][]string{spec.Run}, spec.Or...)
	}
	return spec, from != ""
}

func isFile(tree fs.FS, dir, name string) bool {
	info, err := fs.Stat(tree, path.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}

func isFolder(tree fs.FS, dir, name string) bool {
	info, err := fs.Stat(tree, path.Join(dir, name))
	return err == nil && info.IsDir()
}

// firstFile returns the first of names that is a file in dir, "" when none is.
func firstFile(tree fs.FS, dir string, names ...string) string {
	for _, name := range names {
		if isFile(tree, dir, name) {
			return name
		}
	}
	return ""
}

// firstMatch returns the first file in dir that one of the patterns matches.
func firstMatch(tree fs.FS, dir string, patterns ...string) string {
	sub, err := fs.Sub(tree, dir)
	if err != nil {
		return ""
	}
	for _, pattern := range patterns {
		if found, err := fs.Glob(sub, pattern); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// maxManifest bounds how much is read of a file that describes a project.
const maxManifest = 1 << 20

// read returns the content of a small file, "" when there is none or it is large.
func read(tree fs.FS, dir, name string) string {
	info, err := fs.Stat(tree, path.Join(dir, name))
	if err != nil || info.Size() > maxManifest {
		return ""
	}
	data, err := fs.ReadFile(tree, path.Join(dir, name))
	if err != nil {
		return ""
	}
	return string(data)
}

// manifest is what is read of a package.json.
type manifest struct {
	Scripts        map[string]string `json:"scripts"`
	PackageManager string            `json:"packageManager"`
}

func readManifest(tree fs.FS, dir string) (m manifest, ok bool) {
	text := strings.TrimPrefix(read(tree, dir, "package.json"), "\ufeff")
	return m, json.Unmarshal([]byte(text), &m) == nil
}

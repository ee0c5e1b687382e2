package verify

import (
	"regexp"
	"sync"
)

// forms compiles patterns that match anywhere, line by line.
func forms(patterns ...string) []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, p := range patterns {
		all = append(all, form(p))
	}
	return all
}

func form(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?m)` + pattern) }

// readers knows the runners by their output, each from the versions that
// testdata/output holds samples of. It is made when it is needed first: the
// program starts often, and seldom to judge.
var readers = sync.OnceValue(func() map[Kind]reader {
	return map[Kind]reader{
		Go: {
			ran:    forms(`^ok  \t\S+\t(?:[\d.]+s|\(cached\))(?:\tcoverage: .*)?$`, `^FAIL\t\S+\t[\d.]+s$`),
			failed: forms(`^\s*--- FAIL: `, `^FAIL\t\S+\t[\d.]+s$`, `^FAIL\t\S+ \[build failed\]$`, `^panic: `),
			none:   forms(`\[no test files\]$`, `\[no tests to run\]$`, `matched no packages$`, `^no packages to test$`, `^go: no modules? `),
			strict: true,
			blocked: []blocker{
				{form: form(`^go: downloading (\S+ v\S+)\n(?:.*\n)*?.*module lookup disabled by GOPROXY=off$`), reason: "%s is not in the module cache and the network is off: run go mod download, or allow the network"},
				{form: form(`module lookup disabled by GOPROXY=off$`), reason: "modules are not in the module cache and the network is off: run go mod download, or allow the network"},
				{form: form(`dial tcp.*(?:no such host|network is unreachable|connection refused|i/o timeout)`), reason: "modules could not be fetched: run go mod download"},
				{form: form(`go\.mod requires go >= (\S+) \(running go`), reason: "the project needs go %s, which is not installed"},
				{form: form(`download go(\S+) for .*: (?:toolchain not available|module lookup disabled)`), reason: "the project needs go %s, which is not installed"},
				{form: form(`cgo: C compiler "([^"]+)" not found`), reason: "the C compiler %s is not installed"},
			},
		},
		Node: {
			ran:     forms(`^(?:#|ℹ) pass (\d+)$`, `^(?:#|ℹ) fail (\d+)$`),
			failed:  forms(`^(?:#|ℹ) fail (\d+)$`, `^(?:#|ℹ) cancelled (\d+)$`),
			none:    forms(`^(?:#|ℹ) tests 0$`, `^Could not find '`),
			strict:  true,
			blocked: nodeMissing(),
		},
		Script: {
			ran: forms(
				`^Tests:\s.*?(\d+) (?:passed|failed)`, `^\s*Tests\s+.*?(\d+) (?:passed|failed)`, // jest, vitest
				`^\s*(\d+) passing`, `^\s*(\d+) failing`, // mocha
				`^(?:#|ℹ) pass +(\d+)$`, `^(?:#|ℹ) fail +(\d+)$`, `^ok \d+ `, `^not ok \d+ `, // node, tape, tap
				`^\s*(\d+) tests? passed`, `^\s*(\d+) tests? failed`, // ava
				`^\s*(\d+) passed`, `^\s*(\d+) failed`, // playwright, cypress, lab
				`^(\d+) specs?, `, `^Executed (\d+) of `, // jasmine, karma
				`^\s*(\d+) pass$`, `^\s*(\d+) fail$`, // bun
				`^Total:\s+(\d+)`, // uvu
			),
			failed: forms(`^Tests:\s.*?(\d+) failed`, `^\s*Tests\s+.*?(\d+) failed`, `^\s*(\d+) failing`, `^(?:#|ℹ) fail +(\d+)$`, `^\s*(\d+) tests? failed`, `^\s*(\d+) failed`,
				`^\d+ specs?, (\d+) failure`, `^\s*(\d+) fail$`),
			none: forms(`No tests found`, `No test files? found`, `no tests? (?:specified|found)`, `^\s*0 passing`, `^(?:#|ℹ) tests 0$`, `^1\.\.0`, `Tests:\s+(?:\d+ (?:skipped|todo), )*\d+ total`, `^\s*Tests\s+(?:\d+ (?:skipped|todo)(?: \| )?)+ \(`, `Executed 0 of `,
				`^0 specs`, `^\s*0 pass$`, `Couldn't find any files to test`, `Incomplete: No specs found`),
			blocked: append([]blocker{
				{form: form(`[Mm]issing script: "?test`), reason: "package.json has no test script"},
				{form: form(`^(?:sh|/bin/sh|bash): (?:line )?\d*:? ?([\w.@/-]+): (?:command )?not found$`), reason: "%s is not installed: install the dependencies in the checkout (npm install)"},
				{form: form(`ERR_PNPM_|node_modules missing|The lockfile would have been`), reason: "the dependencies are not installed: install them in the checkout", uninstalled: true},
				{form: form(`Couldn't find the node_modules state file|Usage Error: The project in .* doesn't seem to have been installed`), reason: "the dependencies are not installed: run yarn install in the checkout"},
			}, nodeMissing()...),
		},
		Pytest: {
			ran:    forms(`\b(\d+) passed\b.* in [\d.]+`, `\b(\d+) failed\b.* in [\d.]+`, `\b(\d+) xfailed\b.* in [\d.]+`, `\b(\d+) xpassed\b.* in [\d.]+`),
			failed: forms(`\b(\d+) failed\b.* in [\d.]+`),
			none:   forms(`no tests ran in `, `^collected 0 items$`, `no tests collected`, `\b\d+ (?:skipped|deselected)\b[^\n]* in [\d.]+`),
			strict: true,
			blocked: []blocker{
				{form: form(`No module named '?pytest'?$`), reason: "pytest is not installed", noTool: true},
				{form: form(`Error importing plugin "([^"]+)": No module named`), reason: "the pytest plugin %s is not installed: install the dependencies in the checkout's .venv"},
				{form: form(`unrecognized arguments: (--\S+)`), reason: "pytest does not know %s: a plugin of it is not installed", uninstalled: true},
			},
		},
		Cargo: {
			ran:    forms(`^running (\d+) tests?$`),
			failed: forms(`^test .* \.\.\. FAILED$`, `^test result: FAILED`, `^error\[E\d+\]`, `^error: could not compile`),
			none:   forms(`^running 0 tests$`),
			strict: true,
			blocked: []blocker{
				{form: form(`no matching package named .(\S+?). found`), reason: "the crate %s is not in the registry's cache and the network is off: run cargo fetch"},
				{form: form(`(?:failed to get|failed to download|unable to update registry|failed to query replaced source).*?[` + "`" + `']([\w-]+)`), reason: "the crate %s is not in the registry's cache and the network is off: run cargo fetch"},
				{form: form(`attempting to make an HTTP request, but --offline was specified`), reason: "crates are not in the registry's cache and the network is off: run cargo fetch"},
				{form: form(`error: linker .(\S+?). not found`), reason: "the linker %s is not installed"},
				{form: form(`requires rustc (\S+) or newer`), reason: "the project needs rustc %s, which is not installed"},
				{form: form(`toolchain '([^']+)' is not installed`), reason: "the Rust toolchain %s is not installed"},
			},
		},
		Maven: {
			ran:    forms(`Tests run: (\d+)`),
			failed: forms(`Tests run: \d+, Failures: ([1-9]\d*)`, `Tests run: \d+, Failures: \d+, Errors: ([1-9]\d*)`, `COMPILATION ERROR`),
			none:   forms(`No tests to run`, `Tests are skipped`, `BUILD SUCCESS`),
			strict: true,
			blocked: []blocker{
				{form: form(`Cannot access \S+ \(.*?\) in offline mode and the artifact (\S+) has not been downloaded`), reason: "%s is not in the local repository and the network is off: run mvn dependency:go-offline"},
				{form: form(`Could not (?:resolve|transfer|find) (?:dependencies|artifact|parent)`), reason: "dependencies are not in the local repository and the network is off: run mvn dependency:go-offline"},
				{form: form(`Plugin (\S+) or one of its dependencies could not be resolved`), reason: "the plugin %s is not in the local repository and the network is off: run mvn dependency:go-offline"},
				{form: form(`(?:release|source|target) version (\S+) not supported`), reason: "the project needs Java %s, which is not installed"},
			},
		},
		Gradle: {
			ran:    forms(`^> Task :(?:\S+:)?test(?: (?:UP-TO-DATE|FROM-CACHE|FAILED))?$`, `(\d+) tests? completed`),
			failed: forms(`^> Task :\S*[tT]est FAILED`, `tests? completed, (\d+) failed`, `Compilation failed`),
			none:   forms(`NO-SOURCE`, `SKIPPED`, `BUILD SUCCESSFUL`),
			strict: true,
			blocked: []blocker{
				{form: form(`No cached version of (\S+) available for offline mode`), reason: "%s is not in gradle's cache and the network is off: run the tests once with the network"},
				{form: form(`Could not (?:resolve|GET|download)|UnknownHostException|Could not install Gradle distribution`), reason: "gradle or dependencies are not in its cache and the network is off: run the tests once with the network"},
				{form: form(`Unsupported class file major version|incompatible with (Java \d+)`), reason: "this gradle does not run on the Java that is installed"},
			},
		},
		DotNet: {
			ran:    forms(`Total(?: tests)?:\s+(\d+)`, `Passed:\s+(\d+)`),
			failed: forms(`Failed:\s+([1-9]\d*)`, `error CS\d+`),
			none:   forms(`No test is available`, `No test matches`, `Total(?: tests)?:\s+0\b`),
			strict: true,
			blocked: []blocker{
				{form: form(`error (NU1\d+|NETSDK1004)`), reason: "packages could not be restored (%s): run dotnet restore in the checkout"},
				{form: form(`A compatible \.NET SDK was not found|error NETSDK1045`), reason: "the project needs another .NET SDK than is installed"},
			},
		},
		RSpec: {
			ran:     forms(`^(\d+) examples?, `),
			failed:  forms(`^\d+ examples?, (\d+) failures?`),
			none:    forms(`^0 examples, `, `^No examples found`),
			strict:  true,
			blocked: rubyMissing(),
		},
		Rake: {
			ran:     forms(`(\d+) (?:runs|tests|examples), `),
			failed:  forms(`(?:runs|tests), \d+ assertions, (\d+) failures`, `assertions, \d+ failures, (\d+) errors`),
			none:    forms(`\b0 (?:runs|tests|examples), `),
			blocked: rubyMissing(),
		},
		PHPUnit: {
			ran:    forms(`^OK \((\d+) tests?`, `^Tests: (\d+), `, `^OK, but .*\nTests: (\d+), `),
			failed: forms(`^Tests: \d+, .*Failures: (\d+)`, `^Tests: \d+, .*Errors: (\d+)`),
			none:   forms(`No tests executed!`),
			strict: true,
			blocked: []blocker{
				{form: form(`Failed to open stream: No such file or directory.*vendor/autoload\.php|vendor/autoload\.php.*(?:No such file|Failed opening)`), reason: "the dependencies are not installed: run composer install in the checkout"},
				{form: form(`Class "(PHPUnit\\\S+)" not found`), reason: "%s is not installed: run composer install in the checkout"},
			},
		},
		Swift: {
			ran:    forms(`Executed (\d+) tests?`, `Test run with (\d+) tests?`),
			failed: forms(`Executed \d+ tests?, with (\d+) failures?`, `Test run with \d+ tests? failed`, `^.*: error: .*$`),
			none:   forms(`Executed 0 tests`, `no tests found`, `Test run with 0 tests`),
			strict: true,
			blocked: []blocker{
				{form: form(`error: Failed to clone repository (\S+)`), reason: "the package %s is not in the cache and the network is off: run swift package resolve"},
			},
		},
		CTest: {
			ran:    forms(`tests passed, \d+ tests? failed out of (\d+)`),
			failed: forms(`tests passed, (\d+) tests? failed out of`, `: error: `, `^make.*\*\*\* `),
			none:   forms(`No tests were found`),
			strict: true,
			blocked: []blocker{
				{form: form(`Could NOT find (\S+)`), reason: "the library %s is not installed"},
				{form: form(`Could not find a package configuration file provided by "([^"]+)"`), reason: "the library %s is not installed"},
				{form: form(`No CMAKE_(\w+)_COMPILER could be found`), reason: "no %s compiler is installed"},
			},
		},
	}
})

// nodeMissing is what node says when a package is not there, told by a bare name:
// a path that is not there is the change's doing.
func nodeMissing() []blocker {
	return []blocker{
		{form: form(`Cannot find (?:package|module) '(@?[\w-][\w./-]*)'`), reason: "the package %s is not installed: install the dependencies in the checkout (npm install)", uninstalled: true, first: true},
		{form: form(`Unknown file extension "(\.[cm]?tsx?)"`), reason: "this node cannot run %s files: Node 22.18 or later does", first: true},
	}
}

func rubyMissing() []blocker {
	return []blocker{
		{form: form(`bundler: command not found: (\S+)`), reason: "%s is not installed: run bundle install in the checkout"},
		{form: form(`Could not find (?:gem ')?(\S+?)'? .*(?:in locally installed gems|in any of the sources|in rubygems)`), reason: "the gem %s is not installed: run bundle install in the checkout"},
		{form: form(`cannot load such file -- ([\w/-]+)`), reason: "the library %s is not installed: run bundle install in the checkout", uninstalled: true},
	}
}

// missing is what a shell says about a program that is not there; env and sh
// exit with 127.
var missing = sync.OnceValue(func() []blocker {
	return []blocker{
		{form: form(`^(?:sh|/bin/sh|bash|/usr/bin/env)(?:: line \d+|: \d+)?: ['‘]?([\w.+@/-]+?)['’]?: (?:command not found|not found|No such file or directory)$`), reason: "%s is not installed", noTool: true},
	}
})

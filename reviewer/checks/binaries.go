package checks

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var binaryCheck = check{
	Info: Info{
		ID:       prefix + "binary",
		What:     "A compiled program or library, or a large binary file, that the change adds.",
		Why:      "Nobody can review compiled code, and a large file stays in every clone for good.",
		Severity: finding.Major,
		Category: finding.Security,
	},
	needs: patchOnly,
	run:   findBinaries,
}

// largeBinary is the size from which a binary file is mentioned, in bytes.
// Empirical: pictures of documentation stay below it.
const largeBinary = 1 << 20

var (
	programNames = set(".exe", ".dll", ".so", ".dylib", ".o", ".obj", ".a", ".lib", ".class", ".jar", ".war", ".ear", ".pyc", ".pyo", ".pyd", ".node", ".msi", ".deb", ".rpm", ".apk", ".ipa", ".com", ".scr", ".ko", ".elf")
	// wrapperNames are the programs that build tools ask everybody to commit.
	wrapperNames = set("gradle-wrapper.jar", "maven-wrapper.jar")
)

func findBinaries(_ context.Context, s *subject, out *sink) {
	unknown := 0
	for _, f := range s.files {
		if !f.Binary || f.Status != diff.Added || f.kind.fixture || f.kind.test || wrapperNames[path.Base(f.path)] {
			continue
		}
		what := program(s.tree, f.path)
		switch size, known := sizeOf(s.tree, f.path); {
		case what != "":
			out.report(f.path, 1, 0.9, fmt.Sprintf("%s is added to the repository. Nobody can review what it does, and it goes stale: build it from source, or fetch it by its checksum.", what))
		case size >= largeBinary:
			out.add(finding.Finding{
				File: f.path, Severity: finding.Minor, Category: finding.BestPractices, Confidence: 0.8,
				Message: fmt.Sprintf("A binary file of %.1f MiB is added. It stays in every clone for good, also when it is deleted later: keep it in a release, a package or Git LFS.", float64(size)/(1<<20)),
			})
		case !known:
			unknown++
		}
	}
	if unknown > 0 {
		out.note("the sizes of %s are not known without the tree", plural(unknown, "added binary file"))
	}
}

// magic is how compiled files begin.
var magic = []struct{ head, what string }{
	{"\x7fELF", "A compiled program for Linux"},
	{"MZ", "A compiled program for Windows"},
	{"\xcf\xfa\xed\xfe", "A compiled program for macOS"},
	{"\xce\xfa\xed\xfe", "A compiled program for macOS"},
	{"\xca\xfe\xba\xbe", "Compiled code"},
	{"!<arch>\n", "A compiled library"},
	{"\x00asm", "A compiled WebAssembly module"},
}

// program says which kind of compiled code a file holds; "" when it holds none,
// as far as its name and first bytes tell.
func program(tree fs.FS, name string) string {
	head := firstBytes(tree, name, 8)
	for _, m := range magic {
		if bytes.HasPrefix(head, []byte(m.head)) {
			return m.what
		}
	}
	if ext := strings.ToLower(path.Ext(name)); programNames[ext] {
		return "A compiled file (" + ext + ")"
	}
	return ""
}

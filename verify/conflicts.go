package verify

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// refusals are the forms in which git apply names a file that it refuses, as of
// git 2.50. The name is the first group; it may hold colons, so that a line
// number is taken off only where git writes one.
var refusals = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^patch failed: (.+):\d+$`),
		regexp.MustCompile(`^(.+): patch does not apply$`),
		regexp.MustCompile(`^(.+): No such file or directory$`),
		regexp.MustCompile(`^(.+): already exists in working directory$`),
		regexp.MustCompile(`^(.+): already exists in index$`),
		regexp.MustCompile(`^(.+): does not exist in index$`),
		regexp.MustCompile(`^(.+): does not match index$`),
		regexp.MustCompile(`^path (.+) has been renamed/deleted$`),
		regexp.MustCompile(`^(.+): wrong type$`),
		regexp.MustCompile(`^(.+): Is a directory$`),
		regexp.MustCompile(`^(.+): Not a directory$`),
		regexp.MustCompile(`^affected file '(.+)' is beyond a symbolic link$`),
		regexp.MustCompile(`^(.+): read of .+ failed$`),
		regexp.MustCompile(`^cannot apply binary patch to '(.+)' without full index line$`),
		regexp.MustCompile(`^the patch applies to '(.+)' \([0-9a-f]+\), which does not match the current contents\.$`),
		regexp.MustCompile(`^binary patch does not apply to '(.+)'$`),
		regexp.MustCompile(`^the patch applies to an empty '(.+)' but it is not empty$`),
		regexp.MustCompile(`^binary patch to '(.+)' creates incorrect result \(expecting .+\)$`),
		regexp.MustCompile(`^cannot read the current contents of '(.+)'$`),
		regexp.MustCompile(`^new mode \(\d+\) of (.+?) does not match old mode \(\d+\)(?: of .+)?$`),
		regexp.MustCompile(`^unable to (?:write|create) file '(.+)' mode \d+: (?:` + inTheWay + `)$`),
		regexp.MustCompile(`^the necessary postimage [0-9a-f]+ for '(.+)' cannot be read$`),
	}
})

// inTheWay is why a file cannot be written when the tree has something else in
// its place.
const inTheWay = "Directory not empty|Is a directory|Not a directory|File exists"

// conflicts returns the files that git names in the errors it wrote, each once,
// in order.
func conflicts(stderr string) []string {
	found := []string{}
	for line := range strings.Lines(stderr) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "error: ")
		if !ok {
			continue
		}
		if name := refused(line); name != "" && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// refused returns the file that one error names, "" when it names none.
func refused(line string) string {
	for _, form := range refusals() {
		if m := form.FindStringSubmatch(line); len(m) > 1 {
			return unquote(m[1])
		}
	}
	return ""
}

// unquote undoes git's C quoting of a name with unusual bytes. Its escapes are
// those of Go, octal numbers included.
func unquote(name string) string {
	if plain, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		return plain
	}
	return name
}

// writeFailures begin or end the errors of a machine that cannot write.
var writeFailures = regexp.MustCompile(`unable to (?:write|create|open|remove)|failed to write|No space left|Disk quota|Read-only file system|File too large|Cannot allocate memory`)

// failedToWrite reports whether git could not write what it had found to apply:
// that is no conflict, it says nothing about the change.
func failedToWrite(stderr string) bool {
	for line := range strings.Lines(stderr) {
		if writeFailures.MatchString(line) && refused(strings.TrimPrefix(strings.TrimSpace(line), "error: ")) == "" {
			return true
		}
	}
	return false
}

package finding

import (
	"math"
	"path"
	"strings"
)

// Normalise returns findings as the rest of the program expects them: File
// spelt as in changed, Confidence a number from 0 to 1, EndLine never before
// Line. It drops nothing.
//
// A path is left alone when changed holds it. Otherwise backslashes, "./",
// doubled slashes, a leading slash and git's b/ are tried, and for an absolute
// path the longest changed path that it ends with, because reviewers that read
// a copy name files by where the copy stood. A path that still hits nothing
// only gets cleaned.
//
// A confidence that is no number counts as 1: what is unknown is not dropped.
func Normalise(findings []Finding, changed []string) []Finding {
	known := set(changed)
	out := make([]Finding, len(findings))
	for i, f := range findings {
		f.File = normalisePath(f.File, known)
		f.Confidence = normaliseConfidence(f.Confidence)
		if f.EndLine < f.Line {
			f.EndLine = 0
		}
		out[i] = f
	}
	return out
}

func normaliseConfidence(c float64) float64 {
	if math.IsNaN(c) {
		return 1
	}
	return max(0, min(c, 1))
}

func normalisePath(file string, known map[string]bool) string {
	if known[file] {
		return file
	}
	slashed := strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	if slashed == "" {
		return ""
	}
	cleaned := path.Clean(slashed)
	for _, candidate := range []string{
		cleaned,
		strings.TrimPrefix(cleaned, "/"),
		strings.TrimPrefix(cleaned, "b/"),
	} {
		if known[candidate] {
			return candidate
		}
	}
	if absolute(cleaned) {
		if end := longestEnd(cleaned, known); end != "" {
			return end
		}
	}
	return cleaned
}

// absolute reports whether a cleaned path starts at a root, Windows drives
// included.
func absolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}

// longestEnd returns the longest known path that p ends with, whole segments
// only, or "".
func longestEnd(p string, known map[string]bool) string {
	for {
		_, rest, ok := strings.Cut(p, "/")
		if !ok || known[rest] {
			return rest
		}
		p = rest
	}
}

func set(paths []string) map[string]bool {
	m := make(map[string]bool, len(paths))
	for _, p := range paths {
		m[p] = true
	}
	return m
}

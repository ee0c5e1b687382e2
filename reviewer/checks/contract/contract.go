// Package contract compares two versions of an interface description, protobuf
// or OpenAPI, and lists what breaks the programs that were written against the
// old one.
//
// Its main functions are [Proto] and [OpenAPI]. It reads no files and judges no
// change: it takes texts and gives breaks.
package contract

import (
	"cmp"
	"slices"
)

// Weight says how hard a break hits.
type Weight int

// The weights, heaviest first.
const (
	Hard     Weight = iota // programs built against the old version misread data or fail
	Soft                   // they have to be changed when they are built again, or read JSON
	Unstable               // the interface calls itself alpha, beta or 0.x
)

// Break is one thing that breaks those who use the old version.
type Break struct {
	File   string
	Line   int    // in the new version of File, from 1; 1 when File is gone
	Text   string // what changed, why that breaks, what to do; two or three sentences
	Weight Weight
}

// Source is one file of a version.
type Source struct {
	Path string
	Text []byte
}

// Problem is a file that could not be compared, and why.
type Problem struct {
	File string
	Err  error
}

// Limits of what is compared; beyond them a file is a Problem.
const (
	maxNesting  = 100     // brackets inside brackets
	maxCompared = 50_000  // schemas of one OpenAPI document
	maxParts    = 500_000 // parts of schemas that are put together
)

// ordered sorts breaks by file and line and drops repetitions.
func ordered(breaks []Break) []Break {
	slices.SortStableFunc(breaks, func(a, b Break) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Weight, b.Weight))
	})
	return slices.Compact(breaks)
}

// nesting returns the depth of brackets in a text, quoted ones included: an
// upper bound that costs nothing.
func nesting(text []byte) int {
	depth, deepest := 0, 0
	for _, c := range text {
		switch c {
		case '{', '[', '(', '<':
			depth++
			deepest = max(deepest, depth)
		case '}', ']', ')', '>':
			depth = max(0, depth-1)
		}
	}
	return deepest
}

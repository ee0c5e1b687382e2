// Package git is the only package that runs git. It reads repositories: their
// refs, history, trees and working copies; it computes patches, merges and
// tree ids, and it applies patches to copies. It never changes the user's
// refs, index, working copy or object store: whatever it must write goes to a
// scratch folder of its own.
//
// Its main type is [Repo]. Every git process runs without a shell, prompt,
// pager, hook, external diff, textconv, file system monitor or network, with a
// pinned locale and a short list of environment variables.
package git

package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/git"
)

// noteSubmodules says which submodules the patch moves: their commits are in
// another repository.
func (c *checkout) noteSubmodules() error {
	if !bytes.Contains(c.out.Patch, []byte("160000")) { // the mode of a submodule
		return nil
	}
	patch, err := diff.Parse(c.out.Patch)
	if err != nil {
		return fmt.Errorf("patch that git wrote: %w", err)
	}
	for i := range patch.Files {
		if file := &patch.Files[i]; file.Submodule() {
			c.note("%s is a submodule: the change of its commit is shown, what changes inside it is not looked at", file.Path())
		}
	}
	return nil
}

// describe fills in who, when and what from the head and its commits.
func (c *checkout) describe(head side, h *git.History) {
	c.out.ID = head.String()
	commits := slices.Clone(h.Commits)
	if len(commits) == 0 {
		commits = []git.Commit{head.commit}
	}
	slices.Reverse(commits) // oldest first
	first := commits[0]
	c.out.Title, c.out.Description, c.out.Author = first.Subject, first.Body, first.Author
	for _, commit := range commits {
		if t := commit.Authored; !t.IsZero() && (c.out.CreatedAt.IsZero() || t.Before(c.out.CreatedAt)) {
			c.out.CreatedAt = t
		}
	}
	if len(commits) > 1 {
		c.out.Description = strings.TrimSpace(first.Body + "\n\n" + listOf(commits))
	}
	if c.out.Title == "" {
		c.out.Title = c.out.ID
	}
	if h.Far {
		c.note("%s is too many commits ahead to list them: title and date are its last commit's", head)
	}
}

// maxListed is how many commits a description lists.
const maxListed = 50

// listOf lists the subjects of commits for a description.
func listOf(commits []git.Commit) string {
	lines := []string{fmt.Sprintf("%d commits:", len(commits))}
	for _, commit := range commits[:min(len(commits), maxListed)] {
		lines = append(lines, "- "+commit.Subject)
	}
	if more := len(commits) - maxListed; more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", more))
	}
	return strings.Join(lines, "\n")
}

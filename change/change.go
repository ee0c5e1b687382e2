// Package change holds the change under review and what happened to it when it
// was applied and tested. It is values only: nothing here reads, runs or judges.
//
// Its main type is [Change].
package change

import "time"

// Change is what is under review: a pull request, a folder with a patch, a
// branch, or a held push.
type Change struct {
	ID          string    `json:"id"` // pr-07, a branch name, a commit id
	Title       string    `json:"title"`
	Description string    `json:"description,omitempty"`
	Author      string    `json:"author,omitempty"`
	CreatedAt   time.Time `json:"created_at,omitzero"` // zero when unknown
	Approvals   []string  `json:"approvals"`           // names as given; distinct ones count
	Draft       bool      `json:"draft,omitempty"`
	Labels      []string  `json:"labels,omitempty"`
	Base        string    `json:"base,omitempty"` // commit or tree id the patch applies to
	Head        string    `json:"head,omitempty"` // commit or tree id after the patch
	Patch       []byte    `json:"-"`              // unified diff, as git writes it
	Local       bool      `json:"local,omitempty"`
}

package gate

import (
	"fmt"
	"slices"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/rules"
	"github.com/reviewgate/reviewgate/source"
)

// candidate is a change that was read and found fit to go through the gate.
type candidate struct {
	source.Change
	patch   *diff.Patch
	changed []string     // paths, as the specification counts them
	rules   []rules.Rule // every rule of the base
	notes   []string     // what a reader must know about the reading
}

// read parses the patch of src and collects the rules it is judged by.
func (g *Gate) read(src source.Change, specified []rules.Rule) (*candidate, error) {
	patch, err := diff.Parse(src.Patch)
	if err != nil {
		return nil, fmt.Errorf("%s: read the patch: %w", src.ID, err)
	}
	if err := patch.Unsafe(); err != nil {
		return nil, fmt.Errorf("%s: refused: %w", src.ID, err)
	}
	c := &candidate{Change: src, patch: patch, changed: patch.ChangedPaths(), rules: specified, notes: slices.Clone(src.Notes)}
	if src.Base == nil || !g.ForeignRules {
		return c, nil
	}
	foreign, notes, err := rules.LoadForeign(src.Base, c.changed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.ID, err)
	}
	c.rules = slices.Concat(specified, foreign)
	c.notes = append(c.notes, notes...)
	return c, nil
}

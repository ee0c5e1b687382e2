package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/rules"
)

// key returns the digest of everything that the evidence about a change depends
// on: the base, the patch, what the reviewer is told, the rules, and settings.
// The date, the thresholds and the labels are left out: they are applied anew.
func (c *candidate) key(ctx context.Context, settings string) (string, error) {
	base := ""
	if c.Base != nil {
		var err error
		if base, err = c.Base.ID(ctx); err != nil {
			return "", fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	text, err := json.Marshal(struct {
		Base, Settings string
		Change         change.Change
		Patch          [sha256.Size]byte
		Rules          []rules.Rule
	}{base, settings, c.Change.Change, sha256.Sum256(c.Patch), c.rules})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

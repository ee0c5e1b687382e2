package git

import "sync"

// treeCache keeps the folders that were read and the sizes of files. Zero is
// ready to use; safe for concurrent use.
type treeCache struct {
	mu      sync.Mutex
	folders map[string][]Entry
	sizes   map[string]int64
	held    int // entries of all folders
}

// maxHeld is how many names and sizes are remembered before starting over:
// about 200 MB of them.
const maxHeld = 1 << 20

func (c *treeCache) entries(id string) ([]Entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, ok := c.folders[id]
	return entries, ok
}

func (c *treeCache) keep(id string, entries []Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folders == nil || c.held+len(entries) > maxHeld {
		c.folders, c.held = map[string][]Entry{}, 0
	}
	c.folders[id] = entries
	c.held += len(entries) + 1
}

func (c *treeCache) size(id string) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size, ok := c.sizes[id]
	return size, ok
}

func (c *treeCache) keepSize(id string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sizes == nil || len(c.sizes) >= maxHeld {
		c.sizes = map[string]int64{}
	}
	c.sizes[id] = size
}

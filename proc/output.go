package proc

import (
	"bytes"
	"fmt"
)

// DefaultMaxOutput is how many bytes of a stream are kept when Cmd does not say:
// enough for the failures of a large test run, small enough to be stored.
const DefaultMaxOutput = 1 << 20

// capped keeps the first and the last half of limit bytes of what is written to
// it, in constant memory. It is written by one goroutine.
type capped struct {
	limit int
	head  []byte
	tail  []byte // a ring once it is full
	next  int    // where the ring continues
	total int64
}

func newCapped(limit int) *capped {
	if limit <= 0 {
		limit = DefaultMaxOutput
	}
	return &capped{limit: limit}
}

// Write never fails and never keeps p.
func (c *capped) Write(p []byte) (int, error) {
	n := len(p)
	c.total += int64(n)
	if room := c.headSize() - len(c.head); room > 0 {
		take := min(room, len(p))
		c.head = append(c.head, p[:take]...)
		p = p[take:]
	}
	size := c.limit - c.headSize()
	if len(p) > size {
		p = p[len(p)-size:] // the rest would be overwritten by it
	}
	if room := size - len(c.tail); room > 0 {
		take := min(room, len(p))
		c.tail = append(c.tail, p[:take]...)
		p = p[take:]
	}
	for len(p) > 0 {
		took := copy(c.tail[c.next:], p)
		c.next = (c.next + took) % size
		p = p[took:]
	}
	return n, nil
}

func (c *capped) headSize() int { return c.limit - c.limit/2 }

// Truncated reports whether something was cut.
func (c *capped) Truncated() bool { return c.total > int64(c.limit) }

// Bytes returns what was kept. When something was cut, head and tail end and
// begin with a whole line where they have one, and a line between them says how
// many bytes are missing.
func (c *capped) Bytes() []byte {
	tail := append(c.tail[c.next:len(c.tail):len(c.tail)], c.tail[:c.next]...)
	if !c.Truncated() {
		return append(c.head[:len(c.head):len(c.head)], tail...)
	}
	head := c.head
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i+1 < len(tail) {
		tail = tail[i+1:]
	}
	var b bytes.Buffer
	b.Write(head)
	if len(head) > 0 && head[len(head)-1] != '\n' {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "[… %d bytes cut …]\n", c.total-int64(len(head)+len(tail)))
	b.Write(tail)
	return b.Bytes()
}

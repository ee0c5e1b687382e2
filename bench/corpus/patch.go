package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// Patch returns a patch of about size bytes over the given number of files, as
// git diff would write it: of a hundred files 82 are changed, 8 added, 6 deleted,
// 3 renamed, and one is binary.
func Patch(seed uint64, files, size int) []byte {
	r := New(seed)
	var b bytes.Buffer
	b.Grow(size + size/8)
	for i, path := range Paths(r, files) {
		begin := b.Len()
		budget := max(0, (size-begin)/(files-i))
		switch kind := r.IntN(100); {
		case kind < 82:
			header(&b, r, path, path, "index %07x..%07x 100644\n")
			hunks(&b, r, budget)
		case kind < 90:
			whole(&b, r, path, true, budget)
		case kind < 96:
			whole(&b, r, path, false, budget)
		case kind < 99:
			to := "moved/" + path
			fmt.Fprintf(&b, "diff --git a/%s b/%s\nsimilarity index 100%%\nrename from %s\nrename to %s\n", path, to, path, to)
		default:
			fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\nindex %07[2]x..%07[3]x 100644\nBinary files a/%[1]s and b/%[1]s differ\n", path, id(r), id(r))
		}
	}
	return b.Bytes()
}

func id(r *rand.Rand) uint32 { return r.Uint32() >> 4 }

func header(b *bytes.Buffer, r *rand.Rand, old, new, index string) {
	fmt.Fprintf(b, "diff --git a/%s b/%s\n", old, new)
	fmt.Fprintf(b, index, id(r), id(r))
	fmt.Fprintf(b, "--- a/%s\n+++ b/%s\n", old, new)
}

// hunks writes hunks with three lines of context until the budget is spent, at
// least one.
func hunks(b *bytes.Buffer, r *rand.Rand, budget int) {
	end := b.Len() + budget
	oldLine, newLine := 1, 1
	for first := true; first || b.Len() < end; first = false {
		skip := 10 + r.IntN(200)
		oldLine, newLine = oldLine+skip, newLine+skip
		var body bytes.Buffer
		olds, news := 0, 0
		line := func(op byte) {
			body.WriteByte(op)
			body.WriteString(Line(r))
			body.WriteByte('\n')
			if op != '+' {
				olds++
			}
			if op != '-' {
				news++
			}
		}
		for range 3 {
			line(' ')
		}
		for range 1 + r.IntN(12) {
			line("++- "[r.IntN(4)])
		}
		line('+')
		for range 3 {
			line(' ')
		}
		fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@ func %s(%s)\n", oldLine, olds, newLine, news, pick(r, verbs), pick(r, nouns))
		b.Write(body.Bytes())
		oldLine, newLine = oldLine+olds, newLine+news
	}
}

// whole writes a file that is added or deleted.
func whole(b *bytes.Buffer, r *rand.Rand, path string, added bool, budget int) {
	var body bytes.Buffer
	op, lines := byte('-'), 0
	if added {
		op = '+'
	}
	for lines == 0 || body.Len() < budget-200 {
		body.WriteByte(op)
		body.WriteString(Line(r))
		body.WriteByte('\n')
		lines++
	}
	fmt.Fprintf(b, "diff --git a/%s b/%s\n", path, path)
	if added {
		fmt.Fprintf(b, "new file mode 100644\nindex 0000000..%07x\n--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n", id(r), path, lines)
	} else {
		fmt.Fprintf(b, "deleted file mode 100644\nindex %07x..0000000\n--- a/%s\n+++ /dev/null\n@@ -1,%d +0,0 @@\n", id(r), path, lines)
	}
	b.Write(body.Bytes())
}

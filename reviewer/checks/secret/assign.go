package secret

// maxGap is how far the sign may stand from a keyword: the twenty characters
// that gitleaks' rules allow, and the rest of a name such as
// snyk_oauth_token.
const maxGap = 64

// nameStart returns where the name that holds the keyword at start begins, at
// most the fifty bytes before it that gitleaks' rules look at.
func nameStart(low []byte, start int) int {
	for limit := max(0, start-50); start > limit && named[low[start-1]]; {
		start--
	}
	return start
}

// assigns reports whether an assignment may follow the name that holds the
// keyword ending at end: a sign, and a value of some length. It returns where
// the value ends. With mixed, the value must hold more than letters, dots and
// dashes.
func assigns(low []byte, end int, mixed bool) (int, bool) {
	i := end
	for limit := min(len(low), end+maxGap); i < limit && gap[low[i]]; {
		i++
	}
	if i >= len(low) || !sign[low[i]] {
		return 0, false
	}
	i++
	for limit := min(len(low), i+12); i < limit && (sign[low[i]] || lead[low[i]]); {
		i++
	}
	start := i
	plain := true
	for limit := min(len(low), i+400); i < limit && !ends[low[i]]; i++ {
		plain = plain && letters[low[i]]
	}
	return i, i-start >= 8 && !(mixed && plain)
}

var (
	gap     = bytesOf(" \t\n\v\f\r'\"_.-", word, high)
	sign    = bytesOf("=>:|?,")
	lead    = bytesOf("`'\" \t\n\v\f\r=")
	ends    = bytesOf("`'\" \t\n\v\f\r;")
	named   = bytesOf("_.-", word, high)
	letters = bytesOf("_.-", letter)
)

const (
	letter = "abcdefghijklmnopqrstuvwxyz"
	word   = letter + "0123456789"
)

// high is every byte beyond ASCII: some letters fold to one there.
var high = func() string {
	var all []byte
	for c := 0x80; c < 0x100; c++ {
		all = append(all, byte(c))
	}
	return string(all)
}()

func bytesOf(sets ...string) (table [256]bool) {
	for _, set := range sets {
		for i := range len(set) {
			table[set[i]] = true
		}
	}
	return table
}

package eval

import "strings"

// suggestion words what to write instead of an unknown key: the nearest known
// one when it is near, all of them when none is.
func suggestion(word string, known []string) string {
	nearest, least := "", len(word)/2+1
	for _, k := range known {
		if d := distance(word, k); d < least {
			nearest, least = k, d
		}
	}
	if nearest != "" {
		return "did you mean " + nearest + "?"
	}
	return "known are " + strings.Join(known, ", ")
}

// distance counts the insertions, deletions and replacements of bytes that turn
// a into b. Words longer than any key of ours are simply far.
func distance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

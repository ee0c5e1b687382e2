package config

// Nearest returns the word of known that is closest to word by edit distance,
// or "" when none is close enough to be a slip of the hand: more than a third
// of the letters differ.
func Nearest(word string, known []string) string {
	best, bestDistance := "", len(word)/3+2
	for _, k := range known {
		if d := editDistance(word, k); d < bestDistance || d == bestDistance && best != "" && k < best {
			best, bestDistance = k, d
		}
	}
	return best
}

// editDistance is Levenshtein's, one row at a time.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

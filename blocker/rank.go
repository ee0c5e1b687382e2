package blocker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Item is one change with its blockers, to be ranked.
type Item struct {
	ID       string
	Blockers []Blocker
}

// Score is the sum of the weights of blockers.
func Score(blockers []Blocker) int {
	sum := 0
	for _, b := range blockers {
		sum += b.Weight
	}
	return sum
}

// Rank returns one Ranked per item, those without blockers included, by score,
// highest first, and then by id. Never nil.
func Rank(items []Item) []Ranked {
	ranked := make([]Ranked, 0, len(items))
	for _, item := range items {
		ranked = append(ranked, Ranked{ID: item.ID, Score: Score(item.Blockers), Kinds: kinds(item.Blockers)})
	}
	slices.SortStableFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return ranked
}

// kinds returns the kinds of blockers, heaviest first.
func kinds(blockers []Blocker) []Kind {
	sorted := slices.Clone(blockers)
	slices.SortStableFunc(sorted, func(a, b Blocker) int { return cmp.Compare(b.Weight, a.Weight) })
	list := make([]Kind, 0, len(sorted))
	for _, b := range sorted {
		list = append(list, b.Kind)
	}
	return list
}

// Table is ranked as a Markdown table, one row per change in the given order;
// a change without blockers has "none".
func Table(ranked []Ranked) string {
	var table strings.Builder
	table.WriteString("| pr | score | blockers |\n| --- | --- | --- |\n")
	for _, r := range ranked {
		words := make([]string, len(r.Kinds))
		for i, k := range r.Kinds {
			words[i] = string(k)
		}
		fmt.Fprintf(&table, "| %s | %d | %s |\n", cell.Replace(r.ID), r.Score, cmp.Or(strings.Join(words, ", "), "none"))
	}
	return table.String()
}

// cell keeps a name inside its cell: an id may be a branch, and a branch may
// hold almost anything.
var cell = strings.NewReplacer("\\", "\\\\", "|", "\\|", "`", "\\`", "<", "&lt;", "\r", " ", "\n", " ")

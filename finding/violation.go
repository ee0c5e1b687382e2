package finding

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// check validates doc against the review schema and returns the first
// violation in document order, worded for people, with its place.
func check(doc any) error {
	all := reviewRule().violations(doc, nil, nil)
	if len(all) == 0 {
		return nil
	}
	first := slices.MinFunc(all, func(a, b violation) int { return comparePlaces(a.path, b.path) })
	if len(all) > 1 {
		return at(first.place(), fmt.Errorf("%s (and %d more)", first.text, len(all)-1))
	}
	return at(first.place(), errors.New(first.text))
}

// violation is one broken rule of the schema.
type violation struct {
	path []string // from the root: "findings", "3", "severity"
	text string
}

func (v violation) place() string {
	place := ""
	for _, step := range v.path {
		if i, err := strconv.Atoi(step); err == nil && place != "" {
			place = index(place, i)
			continue
		}
		place = member(place, step)
	}
	return place
}

// article puts a or an before the name of a JSON type.
func article(name string) string {
	if strings.ContainsAny(name[:1], "aio") {
		return "an " + name
	}
	return "a " + name
}

// comparePlaces orders places as a reader meets them: by index, then by name.
func comparePlaces(a, b []string) int {
	return slices.CompareFunc(a, b, func(x, y string) int {
		i, errX := strconv.Atoi(x)
		j, errY := strconv.Atoi(y)
		if errX == nil && errY == nil {
			return i - j
		}
		return strings.Compare(x, y)
	})
}

package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/reviewgate/reviewgate/schema"
)

// reviewSchema is schema.Review, compiled when the first document is read:
// compiling takes 7 ms, too much for a command that reads none.
var reviewSchema = sync.OnceValue(func() *jsonschema.Schema { return compile("review", schema.Review) })

// compile panics when a schema of the program itself is broken, which a test
// would have shown.
func compile(name string, text []byte) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("schema %s: %v", name, err))
	}
	c := jsonschema.NewCompiler()
	url := "reviewgate:" + name
	if err := c.AddResource(url, doc); err != nil {
		panic(fmt.Sprintf("schema %s: %v", name, err))
	}
	return c.MustCompile(url)
}

// check validates doc against the review schema and returns the first
// violation in document order, worded for people, with its place.
func check(doc any) error {
	err := reviewSchema().Validate(doc)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	all := leaves(invalid, nil)
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

// leaves collects the violations at the ends of a validator's error tree.
func leaves(e *jsonschema.ValidationError, into []violation) []violation {
	for _, cause := range e.Causes {
		into = leaves(cause, into)
	}
	if len(e.Causes) > 0 {
		return into
	}
	below := func(key string) []string { return append(slices.Clone(e.InstanceLocation), key) }
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, key := range k.Missing {
			into = append(into, violation{below(key), "is missing"})
		}
	case *kind.AdditionalProperties:
		for _, key := range k.Properties {
			into = append(into, violation{below(key), "is not a key of the schema"})
		}
	default:
		into = append(into, violation{e.InstanceLocation, wording(e.ErrorKind)})
	}
	return into
}

// wording says in words what one keyword of our schemas asked for.
func wording(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("is %s, not %s", article(k.Got), article(k.Want[0]))
	case *kind.Enum:
		words := make([]string, len(k.Want))
		for i, w := range k.Want {
			words[i] = fmt.Sprint(w)
		}
		return fmt.Sprintf("%s is not one of %s", shown(k.Got), strings.Join(words, ", "))
	case *kind.MinLength:
		return tooShort(k.Got, k.Want)
	case *kind.Minimum:
		return fmt.Sprintf("%s is less than %s", k.Got.RatString(), k.Want.RatString())
	case *kind.Maximum:
		return fmt.Sprintf("%s is more than %s", k.Got.RatString(), k.Want.RatString())
	}
	return fmt.Sprintf("breaks the schema at %s", strings.Join(k.KeywordPath(), "/"))
}

// article puts a or an before the name of a JSON type.
func article(name string) string {
	if strings.ContainsAny(name[:1], "aio") {
		return "an " + name
	}
	return "a " + name
}

func shown(v any) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.Trim(quote(string(text)), `"`)
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

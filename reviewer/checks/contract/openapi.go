package contract

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// errNotOpenAPI says that a text is some other YAML or JSON.
var errNotOpenAPI = errors.New("no OpenAPI document")

// IsOpenAPI reports whether a text begins like an OpenAPI or Swagger document.
// It looks at the first keys only and does not parse.
func IsOpenAPI(text []byte) bool { return openAPIStart().Match(text[:min(len(text), 64<<10)]) }

var openAPIStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:\s*\{)?\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.`)
})

// OpenAPI compares one document before and after a change: OpenAPI 3.0 and 3.1,
// and Swagger 2.0, in YAML or JSON. References to other files are not followed:
// what is behind them counts as equal when the reference is.
func OpenAPI(base, head Source) ([]Break, error) {
	old, err := parseOpenAPI(base)
	if errors.Is(err, errNotOpenAPI) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the version on the base: %w", err)
	}
	now, err := parseOpenAPI(head)
	if errors.Is(err, errNotOpenAPI) {
		return []Break{{File: head.Path, Line: 1, Weight: old.weight, Text: "The file was an OpenAPI document and is none any more. Whoever generates clients from it gets nothing: keep it, or say where the description is now."}}, nil
	}
	if err != nil {
		return nil, err
	}
	c := &apiComparison{old: old, now: now, file: head.Path, seen: map[schemaPair]bool{}}
	c.paths()
	if c.compared > maxCompared || old.parts > maxParts || now.parts > maxParts {
		return nil, fmt.Errorf("it has more than %d schemas to compare", maxCompared)
	}
	return ordered(c.breaks), nil
}

// apiDocument is one version of a document.
type apiDocument struct {
	root   *yaml.Node
	parts  int // schemas that were read so far
	weight Weight
}

func parseOpenAPI(s Source) (*apiDocument, error) {
	if deep := nesting(s.Text); deep > maxNesting {
		return nil, fmt.Errorf("its brackets are nested %d deep, more than %d", deep, maxNesting)
	}
	text := s.Text
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		text = bytes.ReplaceAll(text, []byte("\t"), []byte(" ")) // JSON allows tabs between its words only, YAML does not
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil, errNotOpenAPI
	}
	d := &apiDocument{root: document.Content[0]}
	version := cmpNode(d.get(d.root, "openapi"), d.get(d.root, "swagger"))
	if version == nil || version.Kind != yaml.ScalarNode {
		return nil, errNotOpenAPI
	}
	if info := d.get(d.get(d.root, "info"), "version"); info != nil && unstableVersion().MatchString(info.Value) {
		d.weight = Unstable
	}
	return d, nil
}

var unstableVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^v?0(?:\.|$)|alpha|beta|preview|draft|snapshot`)
})

func cmpNode(a, b *yaml.Node) *yaml.Node {
	if a != nil {
		return a
	}
	return b
}

// maxRefs is how many references in a row are followed.
const maxRefs = 20

// follow resolves aliases and references inside the document. A reference to
// elsewhere is returned as it is.
func (d *apiDocument) follow(n *yaml.Node) *yaml.Node {
	for range maxRefs {
		if n != nil && n.Kind == yaml.AliasNode {
			n = n.Alias
			continue
		}
		ref := entry(n, "$ref")
		if ref == nil {
			return n
		}
		target := d.pointer(ref.Value)
		if target == nil {
			return n
		}
		n = target
	}
	return nil
}

// pointer finds the node of a JSON pointer such as #/components/schemas/Job.
func (d *apiDocument) pointer(ref string) *yaml.Node {
	rest, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	n := d.root
	for part := range strings.SplitSeq(rest, "/") {
		if n = entry(n, unescape(part)); n == nil {
			return nil
		}
	}
	return n
}

func unescape(part string) string {
	return strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}", "%20", " ").Replace(part)
}

// get returns the entry of a mapping, references followed.
func (d *apiDocument) get(n *yaml.Node, key string) *yaml.Node {
	return d.follow(entry(d.follow(n), key))
}

// entry returns the entry of a mapping as it is written.
func entry(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// member is an entry of a mapping.
type member struct {
	key  string
	at   int // line of the key
	node *yaml.Node
}

// members returns the entries of a mapping in order, references followed.
func (d *apiDocument) members(n *yaml.Node) []member {
	n = d.follow(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []member
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, member{n.Content[i].Value, n.Content[i].Line, d.follow(n.Content[i+1])})
	}
	return all
}

// elements returns the entries of a sequence, references followed.
func (d *apiDocument) elements(n *yaml.Node) []*yaml.Node {
	n = d.follow(n)
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	all := make([]*yaml.Node, 0, len(n.Content))
	for _, item := range n.Content {
		if item = d.follow(item); item != nil {
			all = append(all, item)
		}
	}
	return all
}

// words returns the scalars of a sequence, or the one scalar.
func (d *apiDocument) words(n *yaml.Node) []string {
	n = d.follow(n)
	if n != nil && n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var all []string
	for _, item := range d.elements(n) {
		if item.Kind == yaml.ScalarNode {
			all = append(all, item.Value)
		}
	}
	return all
}

func isTrue(n *yaml.Node) bool { return n != nil && n.Kind == yaml.ScalarNode && n.Value == "true" }

func lineOf(n *yaml.Node) int {
	if n == nil {
		return 1
	}
	return max(1, n.Line)
}

func find(all []member, key string) *member {
	if i := slices.IndexFunc(all, func(m member) bool { return m.key == key }); i >= 0 {
		return &all[i]
	}
	return nil
}

package contract

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// apiComparison walks both versions of a document together.
type apiComparison struct {
	old, now *apiDocument
	file     string
	breaks   []Break
	seen     map[schemaPair]bool // schema pairs that were compared
	compared int
	where    string // the operation that is looked at: "GET /jobs/{id}"
}

func (c *apiComparison) add(at int, format string, args ...any) {
	c.breaks = append(c.breaks, Break{File: c.file, Line: max(1, at), Weight: max(c.old.weight, c.now.weight), Text: fmt.Sprintf(format, args...)})
}

var pathParameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^}]*\}`) })

// shape is a path without the names of its parameters, which callers do not see.
func shapeOf(path string) string { return pathParameter().ReplaceAllString(path, "{}") }

func (c *apiComparison) paths() {
	node := c.now.get(c.now.root, "paths")
	now := c.now.members(node)
	byShape, byPath := map[string]member{}, map[string]member{}
	for _, m := range now {
		byShape[shapeOf(m.key)], byPath[m.key] = m, m
	}
	for _, before := range c.old.members(c.old.get(c.old.root, "paths")) {
		after, ok := byShape[shapeOf(before.key)]
		if exact, same := byPath[before.key]; same {
			after, ok = exact, true
		}
		if !ok {
			c.add(lineOf(node), "Path `%s` is gone. Its callers get 404: keep it and mark it deprecated until nobody calls it.", before.key)
			continue
		}
		c.operations(before, after)
	}
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

func (c *apiComparison) operations(before, after member) {
	for _, method := range methods {
		was, is := c.old.get(before.node, method), c.now.get(after.node, method)
		if was == nil {
			continue
		}
		c.where = strings.ToUpper(method) + " " + after.key
		if is == nil {
			c.add(after.at, "`%s` is gone. Its callers get 405: keep it and mark it deprecated until nobody calls it.", c.where)
			continue
		}
		at := lineOf(is)
		c.parameters(at, c.params(c.old, before.node, was), c.params(c.now, after.node, is))
		c.body(at, was, is)
		c.responses(at, was, is)
	}
}

// parameter is what a caller sends beside the body.
type parameter struct {
	node, schema *yaml.Node
	required     bool
}

// params returns the parameters of an operation by place and name, those of its
// path included. Names of path parameters are their position: callers do not
// see them.
func (c *apiComparison) params(d *apiDocument, path, operation *yaml.Node) map[string]parameter {
	all := map[string]parameter{}
	inPath := 0
	for _, list := range []*yaml.Node{d.get(path, "parameters"), d.get(operation, "parameters")} {
		for _, p := range d.elements(list) {
			in, name := d.get(p, "in"), d.get(p, "name")
			if in == nil || name == nil || in.Value == "body" {
				continue
			}
			key := in.Value + " parameter `" + name.Value + "`"
			if in.Value == "path" {
				inPath++
				key = fmt.Sprintf("path parameter %d", inPath)
			}
			schema := d.get(p, "schema")
			if schema == nil {
				schema = p // Swagger 2.0 has the type in the parameter itself
			}
			all[key] = parameter{p, schema, isTrue(d.get(p, "required"))}
		}
	}
	return all
}

func (c *apiComparison) parameters(at int, was, is map[string]parameter) {
	for _, key := range slices.Sorted(maps.Keys(is)) {
		after := is[key]
		before, ok := was[key]
		switch {
		case strings.HasPrefix(key, "path parameter"):
			if ok {
				c.sent(key, before.schema, after.schema, 0)
			}
		case !ok && after.required:
			c.add(cmp.Or(lineOf(after.node), at), "`%s` has a new required %s. Callers that do not send it are refused: make it optional, with a default.", c.where, key)
		case ok && after.required && !before.required:
			c.add(cmp.Or(lineOf(after.node), at), "The %s of `%s` is required now. Callers that leave it out are refused: keep it optional.", key, c.where)
		case ok:
			c.sent(key, before.schema, after.schema, 0)
		}
	}
}

// body compares what is sent in the body.
func (c *apiComparison) body(at int, was, is *yaml.Node) {
	before, after := c.bodies(c.old, was), c.bodies(c.now, is)
	if after.required && !before.required {
		c.add(cmp.Or(after.at, at), "`%s` requires a body now. Callers that send none are refused: keep it optional.", c.where)
	}
	c.media("request body", at, before.content, after.content, c.sent)
}

// payload is a body and its forms by media type.
type payload struct {
	required bool
	at       int
	content  []member
}

func (c *apiComparison) bodies(d *apiDocument, operation *yaml.Node) payload {
	if body := d.get(operation, "requestBody"); body != nil {
		return payload{isTrue(d.get(body, "required")), lineOf(body), c.content(d, body)}
	}
	for _, p := range d.elements(d.get(operation, "parameters")) {
		if in := d.get(p, "in"); in != nil && in.Value == "body" {
			return payload{isTrue(d.get(p, "required")), lineOf(p), []member{{"any", lineOf(p), d.get(p, "schema")}}}
		}
	}
	return payload{}
}

// content returns the schemas of a body or a response by media type.
func (c *apiComparison) content(d *apiDocument, node *yaml.Node) []member {
	var all []member
	for _, m := range d.members(d.get(node, "content")) {
		all = append(all, member{m.key, m.at, d.get(m.node, "schema")})
	}
	if schema := d.get(node, "schema"); schema != nil {
		all = append(all, member{"any", lineOf(schema), schema})
	}
	return all
}

func (c *apiComparison) media(what string, at int, was, is []member, compare func(string, *yaml.Node, *yaml.Node, int)) {
	for _, before := range was {
		after := find(is, before.key)
		if after == nil {
			if len(is) > 0 {
				at = is[0].at
			}
			c.add(at, "The %s of `%s` is no longer offered as %s. Callers that use it fail: keep it beside the new one.", what, c.where, before.key)
			continue
		}
		compare(what, before.node, after.node, 0)
	}
}

func (c *apiComparison) responses(at int, was, is *yaml.Node) {
	node := c.now.get(is, "responses")
	after := c.now.members(node)
	if node != nil {
		at = lineOf(node)
	}
	for _, before := range c.old.members(c.old.get(was, "responses")) {
		if !strings.HasPrefix(before.key, "2") && before.key != "default" {
			continue // callers live with other errors
		}
		response := find(after, before.key)
		if response == nil {
			if before.key != "default" {
				c.add(at, "`%s` no longer answers %s. Callers that wait for it take the answer for an error: keep it.", c.where, before.key)
			}
			continue
		}
		c.media("response "+before.key, response.at, c.content(c.old, before.node), c.content(c.now, response.node), c.received)
	}
}

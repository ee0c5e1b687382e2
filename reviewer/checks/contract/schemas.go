package contract

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// maxSchemaDepth is how deep schemas inside schemas are compared.
const maxSchemaDepth = 40

// schemaPair is two versions of one schema, seen by those who send or by those
// who receive.
type schemaPair struct {
	was, is *yaml.Node
	sent    bool
}

// visit reports whether a pair of schemas is to be compared: each pair once.
func (c *apiComparison) visit(was, is *yaml.Node, sent bool, depth int) bool {
	pair := schemaPair{was, is, sent}
	if was == nil || is == nil || depth > maxSchemaDepth || c.seen[pair] || c.compared > maxCompared {
		return false
	}
	if entry(was, "$ref") != nil || entry(is, "$ref") != nil {
		return false // in another file
	}
	c.seen[pair] = true
	c.compared++
	return true
}

// object is a schema with the parts of its allOf put together.
type object struct {
	properties []member
	required   map[string]bool
}

func (d *apiDocument) object(schema *yaml.Node, depth int) object {
	o := object{properties: d.members(d.get(schema, "properties")), required: map[string]bool{}}
	for _, name := range d.words(d.get(schema, "required")) {
		o.required[name] = true
	}
	if depth > 10 {
		return o
	}
	for _, part := range d.elements(d.get(schema, "allOf")) {
		p := d.object(part, depth+1)
		o.properties = append(o.properties, p.properties...)
		for name := range p.required {
			o.required[name] = true
		}
	}
	return o
}

// received compares a schema of an answer: callers read it, so nothing may
// disappear or change its type.
func (c *apiComparison) received(place string, was, is *yaml.Node, depth int) {
	if !c.visit(was, is, false, depth) {
		return
	}
	if before, after := c.old.types(was), c.now.types(is); len(before) > 0 && len(after) > 0 && !within(after, before) {
		c.add(lineOf(is), "The %s of `%s` was %s and is now %s. Callers cannot read it: add it under another name.", place, c.where, anyOf(before), anyOf(after))
		return
	}
	before, after := c.old.object(was, 0), c.now.object(is, 0)
	for _, p := range before.properties {
		inside := fmt.Sprintf("property `%s` in the %s", p.key, place)
		now := find(after.properties, p.key)
		if now == nil {
			c.add(propertiesLine(c.now, is), "The %s of `%s` is gone. Callers that read it fail or find nothing: keep it and mark it deprecated.", inside, c.where)
			continue
		}
		if before.required[p.key] && !after.required[p.key] {
			c.add(now.at, "The %s of `%s` may be missing now. Callers rely on it: keep it required.", inside, c.where)
		}
		c.received(inside, p.node, now.node, depth+1)
	}
	c.received("items of the "+place, c.old.get(was, "items"), c.now.get(is, "items"), depth+1)
	c.received("values of the "+place, c.old.get(was, "additionalProperties"), c.now.get(is, "additionalProperties"), depth+1)
}

// sent compares a schema of what callers send: nothing may be asked for that
// they do not send, and nothing refused that they do.
func (c *apiComparison) sent(place string, was, is *yaml.Node, depth int) {
	if !c.visit(was, is, true, depth) {
		return
	}
	if before, after := c.old.types(was), c.now.types(is); len(before) > 0 && len(after) > 0 && !within(before, after) {
		c.add(lineOf(is), "The %s of `%s` was %s and has to be %s now. What callers send is refused: accept both.", place, c.where, anyOf(before), anyOf(after))
		return
	}
	if before, after := c.old.words(c.old.get(was, "enum")), c.now.words(c.now.get(is, "enum")); len(before) > 0 && len(after) > 0 {
		for _, value := range before {
			if !slices.Contains(after, value) {
				c.add(lineOf(c.now.get(is, "enum")), "The %s of `%s` may no longer be `%s`. Callers that send it are refused: keep accepting it.", place, c.where, value)
			}
		}
	}
	before, after := c.old.object(was, 0), c.now.object(is, 0)
	for _, p := range after.properties {
		inside := fmt.Sprintf("property `%s` in the %s", p.key, place)
		old := find(before.properties, p.key)
		hasDefault := c.now.get(p.node, "default") != nil || isTrue(c.now.get(p.node, "readOnly"))
		switch {
		case after.required[p.key] && !hasDefault && (old == nil || !before.required[p.key]):
			c.add(p.at, "The %s of `%s` is required now. Callers that do not send it are refused: make it optional, with a default.", inside, c.where)
		case old != nil:
			c.sent(inside, old.node, p.node, depth+1)
		}
	}
	c.sent("items of the "+place, c.old.get(was, "items"), c.now.get(is, "items"), depth+1)
	c.sent("values of the "+place, c.old.get(was, "additionalProperties"), c.now.get(is, "additionalProperties"), depth+1)
}

// types returns the types that a schema allows; none when it does not say.
// Integers are numbers too.
func (d *apiDocument) types(schema *yaml.Node) []string {
	types := d.words(d.get(schema, "type"))
	if len(types) > 0 && isTrue(d.get(schema, "nullable")) {
		types = append(types, "null")
	}
	return types
}

// within reports whether every type of some is one of all.
func within(some, all []string) bool {
	for _, t := range some {
		if !slices.Contains(all, t) && !(t == "integer" && slices.Contains(all, "number")) && t != "null" {
			return false
		}
	}
	return true
}

func anyOf(types []string) string {
	text := "`" + types[0] + "`"
	for _, t := range types[1:] {
		text += " or `" + t + "`"
	}
	return text
}

func propertiesLine(d *apiDocument, schema *yaml.Node) int {
	if p := entry(d.follow(schema), "properties"); p != nil {
		return lineOf(p)
	}
	return lineOf(schema)
}

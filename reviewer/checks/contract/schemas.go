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
	byName     map[string]*member
	required   map[string]bool
}

// object reads a schema. A part that several others contain is read once.
func (d *apiDocument) object(schema *yaml.Node) object {
	o := object{required: map[string]bool{}, byName: map[string]*member{}}
	d.gather(&o, schema, map[*yaml.Node]bool{})
	for i := range o.properties {
		o.byName[o.properties[i].key] = &o.properties[i]
	}
	return o
}

func (d *apiDocument) gather(o *object, schema *yaml.Node, read map[*yaml.Node]bool) {
	if schema == nil || read[schema] || d.parts > maxParts {
		return
	}
	read[schema] = true
	d.parts++
	o.properties = append(o.properties, d.members(d.get(schema, "properties"))...)
	for _, name := range d.words(d.get(schema, "required")) {
		o.required[name] = true
	}
	for _, part := range d.elements(d.get(schema, "allOf")) {
		d.gather(o, part, read)
	}
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
	before, after := c.old.object(was), c.now.object(is)
	for _, p := range before.properties {
		inside := fmt.Sprintf("property `%s` in the %s", p.key, place)
		now := after.byName[p.key]
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
		accepted := map[string]bool{}
		for _, value := range after {
			accepted[value] = true
		}
		for _, value := range before {
			if !accepted[value] {
				c.add(lineOf(c.now.get(is, "enum")), "The %s of `%s` may no longer be `%s`. Callers that send it are refused: keep accepting it.", place, c.where, value)
			}
		}
	}
	before, after := c.old.object(was), c.now.object(is)
	for _, p := range after.properties {
		inside := fmt.Sprintf("property `%s` in the %s", p.key, place)
		old := before.byName[p.key]
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

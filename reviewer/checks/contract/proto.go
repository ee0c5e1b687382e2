package contract

import (
	"fmt"
	"strings"

	"github.com/bufbuild/protocompile/ast"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Proto compares the .proto files of a change before and after it. A type that
// moved from one of the files to another is the same type. Problems are files
// that could not be parsed; what they declare is not compared.
func Proto(base, head []Source) ([]Break, []Problem) {
	old, oldProblems := parseProto(base)
	now, nowProblems := parseProto(head)
	if len(oldProblems)+len(nowProblems) > 0 {
		return nil, append(oldProblems, nowProblems...) // a type could have moved into a file that is not known
	}
	c := &protoComparison{old: old, now: now, repackaged: map[string]bool{}, gone: map[string]bool{}, used: old.used()}
	c.packages()
	for _, name := range old.order {
		switch {
		case old.messages[name] != nil:
			c.message(old.messages[name])
		case old.enums[name] != nil:
			c.enum(old.enums[name])
		default:
			c.service(old.services[name])
		}
	}
	return ordered(c.breaks), nil
}

type protoComparison struct {
	old, now   *protoIndex
	breaks     []Break
	repackaged map[string]bool // files whose package changed: said once
	used       map[string]bool // types that others of the old version name: their removal follows from that of a user
	gone       map[string]bool // messages that are gone: what is inside is not listed
}

func (c *protoComparison) add(from, at *protoFile, node ast.Node, w Weight, format string, args ...any) {
	b := Break{File: from.path, Line: 1, Weight: from.weigh(w), Text: fmt.Sprintf(format, args...)}
	if at != nil {
		b.File, b.Line = at.path, at.line(node)
	}
	c.breaks = append(c.breaks, b)
}

// packages reports files whose package changed: every name in them did.
func (c *protoComparison) packages() {
	for path, was := range c.old.files {
		is := c.now.files[path]
		if is == nil || is.pkg == was.pkg {
			continue
		}
		c.repackaged[path] = true
		var node ast.Node
		for _, d := range is.result.AST().Decls {
			if p, ok := d.(*ast.PackageNode); ok {
				node = p
			}
		}
		c.add(was, is, node, Hard, "The package was %s and is now %s, so every type and method has another name. Callers of the old one reach nothing: keep the package, or add the new one beside it.", named(was.pkg), named(is.pkg))
	}
}

func named(pkg string) string {
	if pkg == "" {
		return "not set"
	}
	return "`" + pkg + "`"
}

// place returns where a removal is shown: the new version of the file, or the
// file that is gone.
func (c *protoComparison) place(f *protoFile) *protoFile { return c.now.files[f.path] }

// hidden reports whether a removal follows from one that is listed already.
func (c *protoComparison) hidden(name string, f *protoFile) bool {
	if c.repackaged[f.path] {
		return true
	}
	for {
		cut := strings.LastIndexByte(name, '.')
		if cut < 0 {
			return false
		}
		if name = name[:cut]; c.gone[name] {
			return true
		}
	}
}

func (c *protoComparison) message(was *protoMessage) {
	if was.desc.GetOptions().GetMapEntry() {
		return // compared as the type of its field
	}
	is := c.now.messages[was.name]
	if is == nil {
		if !c.hidden(was.name, was.file) && !c.used[was.name] {
			c.add(was.file, c.place(was.file), nil, Soft, "Message `%s` is gone. Programs that use it no longer build, and Any values of it cannot be read: keep it until nobody does, and mark it deprecated.", was.name)
		}
		c.gone[was.name] = true
		return
	}
	c.fields(was, is)
	c.reused(is, was.desc.GetReservedRange())
}

func (c *protoComparison) enum(was *protoEnum) {
	is := c.now.enums[was.name]
	if is == nil {
		if !c.hidden(was.name, was.file) && !c.used[was.name] {
			c.add(was.file, c.place(was.file), nil, Soft, "Enum `%s` is gone. Programs that use it no longer build: keep it until nobody does, and mark it deprecated.", was.name)
		}
		c.gone[was.name] = true
		return
	}
	c.values(was, is)
}

func (c *protoComparison) service(was *protoService) {
	is := c.now.services[was.name]
	if is == nil {
		if !c.hidden(was.name, was.file) {
			c.add(was.file, c.place(was.file), nil, Hard, "Service `%s` is gone. Callers get UNIMPLEMENTED: keep it until nobody calls it.", was.name)
		}
		return
	}
	methods := map[string]*descriptorpb.MethodDescriptorProto{}
	for _, m := range is.desc.GetMethod() {
		methods[m.GetName()] = m
	}
	for _, before := range was.desc.GetMethod() {
		after := methods[before.GetName()]
		if after == nil {
			c.add(was.file, is.file, is.file.result.ServiceNode(is.desc), Hard, "Method `%s` of %s is gone. Callers get UNIMPLEMENTED: keep it until nobody calls it, and mark it deprecated.", before.GetName(), was.name)
			continue
		}
		c.method(was, is, before, after)
	}
}

func (c *protoComparison) method(was, is *protoService, before, after *descriptorpb.MethodDescriptorProto) {
	node := is.file.result.MethodNode(after)
	for _, part := range []struct{ what, before, after string }{
		{"takes", before.GetInputType(), after.GetInputType()},
		{"returns", before.GetOutputType(), after.GetOutputType()},
	} {
		old, now := c.old.resolve(was.name, part.before), c.now.resolve(is.name, part.after)
		if !sameType(old, now) {
			c.add(was.file, is.file, node, Hard, "Method `%s` %s `%s` now and not `%s`. Callers and servers of different versions misread each other: add a new method.", before.GetName(), part.what, now, old)
		}
	}
	if before.GetClientStreaming() != after.GetClientStreaming() || before.GetServerStreaming() != after.GetServerStreaming() {
		c.add(was.file, is.file, node, Hard, "Method `%s` streams differently than before. Callers and servers of different versions cannot talk: add a new method.", before.GetName())
	}
}

package contract

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/types/descriptorpb"
)

// protoFile is one parsed .proto file.
type protoFile struct {
	path   string
	result parser.Result
	pkg    string
}

// line returns where a node of the file begins.
func (f *protoFile) line(node ast.Node) int {
	if node == nil {
		return 1
	}
	return max(1, f.result.AST().NodeInfo(node).Start().Line)
}

type protoMessage struct {
	name string // with its package
	file *protoFile
	desc *descriptorpb.DescriptorProto
}

type protoEnum struct {
	name string
	file *protoFile
	desc *descriptorpb.EnumDescriptorProto
}

type protoService struct {
	name string
	file *protoFile
	desc *descriptorpb.ServiceDescriptorProto
}

// protoIndex is everything that the files of one version declare, by full name
// and in the order of declaration.
type protoIndex struct {
	files    map[string]*protoFile
	messages map[string]*protoMessage
	enums    map[string]*protoEnum
	services map[string]*protoService
	order    []string // names of messages, enums and services
}

// parseProto indexes the files that can be parsed.
func parseProto(sources []Source) (*protoIndex, []Problem) {
	x := &protoIndex{
		files: map[string]*protoFile{}, messages: map[string]*protoMessage{},
		enums: map[string]*protoEnum{}, services: map[string]*protoService{},
	}
	var problems []Problem
	for _, s := range sources {
		f, err := parseProtoFile(s)
		if err != nil {
			problems = append(problems, Problem{s.Path, err})
			continue
		}
		x.add(f)
	}
	return x, problems
}

func parseProtoFile(s Source) (*protoFile, error) {
	if deep := nesting(s.Text); deep > maxNesting {
		return nil, fmt.Errorf("its brackets are nested %d deep, more than %d", deep, maxNesting)
	}
	handler := reporter.NewHandler(reporter.NewReporter(nil, nil))
	tree, err := parser.Parse(s.Path, bytes.NewReader(s.Text), handler)
	if err != nil {
		return nil, err
	}
	result, err := parser.ResultFromAST(tree, false, handler)
	if err != nil {
		return nil, err
	}
	return &protoFile{path: s.Path, result: result, pkg: result.FileDescriptorProto().GetPackage()}, nil
}

func (x *protoIndex) add(f *protoFile) {
	x.files[f.path] = f
	d := f.result.FileDescriptorProto()
	x.addMessages(f, f.pkg, d.GetMessageType())
	x.addEnums(f, f.pkg, d.GetEnumType())
	for _, s := range d.GetService() {
		name := join(f.pkg, s.GetName())
		x.services[name] = &protoService{name, f, s}
		x.order = append(x.order, name)
	}
}

func (x *protoIndex) addMessages(f *protoFile, scope string, messages []*descriptorpb.DescriptorProto) {
	for _, m := range messages {
		name := join(scope, m.GetName())
		x.messages[name] = &protoMessage{name, f, m}
		x.order = append(x.order, name)
		x.addMessages(f, name, m.GetNestedType())
		x.addEnums(f, name, m.GetEnumType())
	}
}

func (x *protoIndex) addEnums(f *protoFile, scope string, enums []*descriptorpb.EnumDescriptorProto) {
	for _, e := range enums {
		name := join(scope, e.GetName())
		x.enums[name] = &protoEnum{name, f, e}
		x.order = append(x.order, name)
	}
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}

// resolve returns the full name of a type as it is written inside scope, or the
// written name when the files do not declare it.
func (x *protoIndex) resolve(scope, written string) string {
	if full, ok := strings.CutPrefix(written, "."); ok {
		return full
	}
	for {
		name := join(scope, written)
		if x.messages[name] != nil || x.enums[name] != nil {
			return name
		}
		if scope == "" {
			return written
		}
		scope = scope[:max(0, strings.LastIndexByte(scope, '.'))]
	}
}

// used returns the types that fields and methods of the files name.
func (x *protoIndex) used() map[string]bool {
	all := map[string]bool{}
	for _, m := range x.messages {
		for _, f := range m.desc.GetField() {
			if name := x.resolve(m.name, f.GetTypeName()); name != m.name {
				all[name] = true
			}
		}
	}
	for _, s := range x.services {
		for _, m := range s.desc.GetMethod() {
			all[x.resolve(s.name, m.GetInputType())] = true
			all[x.resolve(s.name, m.GetOutputType())] = true
		}
	}
	return all
}

// sameType reports whether two resolved names can be the same type: one may be
// written with less of its package when it is declared in a file that was not
// compared.
func sameType(a, b string) bool {
	return a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}

var unstablePackage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\.)v\d+(?:p\d+)?(?:alpha|beta|test)\d*(?:\.|$)`)
})

// weigh makes a break lighter where the package says that it is not stable.
func (f *protoFile) weigh(w Weight) Weight {
	if unstablePackage().MatchString(f.pkg) {
		return Unstable
	}
	return w
}

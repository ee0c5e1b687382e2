package contract

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/descriptorpb"
)

type field = descriptorpb.FieldDescriptorProto

// fields compares the fields of a message by number.
func (c *protoComparison) fields(was, is *protoMessage) {
	byNumber, byName := map[int32]*field{}, map[string]*field{}
	for _, f := range is.desc.GetField() {
		byNumber[f.GetNumber()], byName[f.GetName()] = f, f
	}
	old := map[int32]bool{}
	for _, before := range was.desc.GetField() {
		old[before.GetNumber()] = true
		switch after, moved := byNumber[before.GetNumber()], byName[before.GetName()]; {
		case moved != nil && moved.GetNumber() != before.GetNumber():
			c.add(was.file, is.file, is.file.result.FieldNode(moved), Hard, "Field `%s` of %s had number %d and has %d now. Old programs look for it under the old number and find nothing, or something else: keep the number.", before.GetName(), was.name, before.GetNumber(), moved.GetNumber())
		case after != nil:
			c.field(was, is, before, after)
		case !reserves(is.desc, before.GetNumber()):
			c.add(was.file, is.file, is.file.result.MessageNode(is.desc), Hard, "Field %d `%s` of %s is gone and its number is free. Whoever takes it next is misread by old programs: write `reserved %d;` and reserve the name.", before.GetNumber(), before.GetName(), was.name, before.GetNumber())
		}
	}
	for _, f := range is.desc.GetField() {
		if f.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REQUIRED && !old[f.GetNumber()] {
			c.add(was.file, is.file, is.file.result.FieldNode(f), Hard, "Field `%s` of %s is new and required. Messages of old programs do not have it and are refused: make it optional.", f.GetName(), was.name)
		}
	}
}

// field compares two fields of one number.
func (c *protoComparison) field(was, is *protoMessage, before, after *field) {
	node := is.file.result.FieldNode(after)
	old, now := c.old.typeOf(was, before), c.now.typeOf(is, after)
	sameKind := old == now || sameType(old, now)
	renamed := before.GetName() != after.GetName()
	switch {
	case !sameKind && renamed:
		c.add(was.file, is.file, node, Hard, "Field %d of %s was `%s %s` and is now `%s %s`. Old programs read the bytes of one as the other: give the new field a number of its own, and keep or reserve %d.", before.GetNumber(), was.name, old, before.GetName(), now, after.GetName(), before.GetNumber())
	case !sameKind && compatible(old, now):
		c.add(was.file, is.file, node, Soft, "Field `%s` of %s was `%s` and is now `%s`. The bytes are the same, but values can be cut off and generated code changes its types: add a new field instead.", before.GetName(), was.name, old, now)
	case !sameKind:
		c.add(was.file, is.file, node, Hard, "Field `%s` of %s was `%s` and is now `%s`. Old programs cannot read its bytes: add a new field with a number of its own.", before.GetName(), was.name, old, now)
	case renamed:
		c.add(was.file, is.file, node, Soft, "Field %d of %s was called `%s` and is now `%s`. The bytes are the same, but JSON and generated code have another name: keep the name, or add a field.", before.GetNumber(), was.name, before.GetName(), after.GetName())
	}
	if repeated(before) != repeated(after) {
		c.add(was.file, is.file, node, Hard, "Field `%s` of %s %s. Old programs read one value or fail: add a new field.", after.GetName(), was.name, map[bool]string{true: "holds many values now and not one", false: "holds one value now and not many"}[repeated(after)])
	}
	if a, b := oneofOf(was, before), oneofOf(is, after); a != b && (a == "" || b == "" || !renamed) {
		c.add(was.file, is.file, node, Soft, "Field `%s` of %s %s. Setting one field of a oneof clears the others, and generated code changes: add a new field.", after.GetName(), was.name, movedOneof(a, b))
	}
}

func movedOneof(a, b string) string {
	switch {
	case a == "":
		return fmt.Sprintf("moves into the oneof `%s`", b)
	case b == "":
		return fmt.Sprintf("leaves the oneof `%s`", a)
	}
	return fmt.Sprintf("moves from the oneof `%s` to `%s`", a, b)
}

func repeated(f *field) bool {
	return f.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED
}

// oneofOf returns the oneof that a field is written in; "" for none. The one
// that proto3's optional makes up does not count.
func oneofOf(m *protoMessage, f *field) string {
	if f.OneofIndex == nil || f.GetProto3Optional() || int(f.GetOneofIndex()) >= len(m.desc.GetOneofDecl()) {
		return ""
	}
	return m.desc.GetOneofDecl()[f.GetOneofIndex()].GetName()
}

// typeOf returns a field's type as it is written, with names in full.
func (x *protoIndex) typeOf(m *protoMessage, f *field) string {
	if f.GetTypeName() == "" {
		return strings.ToLower(strings.TrimPrefix(f.GetType().String(), "TYPE_"))
	}
	name := x.resolve(m.name, f.GetTypeName())
	entry := x.messages[name]
	if entry == nil || !entry.desc.GetOptions().GetMapEntry() || len(entry.desc.GetField()) != 2 {
		return name
	}
	return fmt.Sprintf("map<%s, %s>", x.typeOf(entry, entry.desc.GetField()[0]), x.typeOf(entry, entry.desc.GetField()[1]))
}

// wireGroups are the scalar types whose bytes read alike, after the protobuf
// language guide, "Updating a message type".
var wireGroups = [][]string{
	{"int32", "uint32", "int64", "uint64", "bool"}, {"sint32", "sint64"}, {"string", "bytes"},
	{"fixed32", "sfixed32"}, {"fixed64", "sfixed64"},
}

func compatible(a, b string) bool {
	for _, group := range wireGroups {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return true
		}
	}
	return false
}

// reserves reports whether a message keeps a number from being used again.
func reserves(m *descriptorpb.DescriptorProto, number int32) bool {
	for _, r := range m.GetReservedRange() {
		if r.GetStart() <= number && number < r.GetEnd() {
			return true
		}
	}
	return false
}

// reused reports fields that take a number which the old version reserved.
func (c *protoComparison) reused(is *protoMessage, reserved []*descriptorpb.DescriptorProto_ReservedRange) {
	old := &descriptorpb.DescriptorProto{ReservedRange: reserved}
	for _, f := range is.desc.GetField() {
		if reserves(old, f.GetNumber()) {
			c.add(is.file, is.file, is.file.result.FieldNode(f), Hard, "Field `%s` of %s takes number %d, which was reserved because an old field had it. Programs that still know that field misread this one: take a new number.", f.GetName(), is.name, f.GetNumber())
		}
	}
}

// values compares the values of an enum by number.
func (c *protoComparison) values(was, is *protoEnum) {
	byNumber, byName := map[int32][]string{}, map[string]*descriptorpb.EnumValueDescriptorProto{}
	for _, v := range is.desc.GetValue() {
		byNumber[v.GetNumber()] = append(byNumber[v.GetNumber()], v.GetName())
		byName[v.GetName()] = v
	}
	enumNode := is.file.result.EnumNode(is.desc)
	for _, before := range was.desc.GetValue() {
		after, names := byName[before.GetName()], byNumber[before.GetNumber()]
		switch {
		case after != nil && after.GetNumber() == before.GetNumber():
		case after != nil:
			c.add(was.file, is.file, is.file.result.EnumValueNode(after), Hard, "Value `%s` of %s was %d and is now %d. Old programs read it as another value: keep the number.", before.GetName(), was.name, before.GetNumber(), after.GetNumber())
		case len(names) > 0:
			c.add(was.file, is.file, is.file.result.EnumValueNode(byName[names[0]]), Soft, "Value %d of %s was called `%s` and is now `%s`. JSON and generated code have another name: keep the name, or add the new one with allow_alias.", before.GetNumber(), was.name, before.GetName(), names[0])
		case !enumReserves(is.desc, before.GetNumber()):
			c.add(was.file, is.file, enumNode, Hard, "Value `%s` = %d of %s is gone and its number is free. Programs that still send it are misread by whoever takes the number: write `reserved %d;`.", before.GetName(), before.GetNumber(), was.name, before.GetNumber())
		}
	}
}

func enumReserves(e *descriptorpb.EnumDescriptorProto, number int32) bool {
	for _, r := range e.GetReservedRange() {
		if r.GetStart() <= number && number <= r.GetEnd() {
			return true
		}
	}
	return false
}

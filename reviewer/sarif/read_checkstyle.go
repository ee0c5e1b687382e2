package sarif

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readCheckstyle reads Checkstyle's XML, which many tools write:
// checkstyle > file[name] > error[line, severity, message, source].
func readCheckstyle(in io.Reader, r *report) error {
	x := checkstyle{dec: xml.NewDecoder(in), report: r}
	x.dec.CharsetReader = charset
	for {
		token, err := x.dec.Token()
		if errors.Is(err, io.EOF) && x.closed {
			return nil
		}
		if err != nil {
			return x.wording(err)
		}
		if err := x.token(token); err != nil {
			line, _ := x.dec.InputPos()
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// checkstyle is where the reader stands in a document.
type checkstyle struct {
	dec    *xml.Decoder
	report *report
	depth  int
	file   string // name of the file element that is open
	closed bool   // the document is complete
}

func (x *checkstyle) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		x.depth++
		return x.start(t)
	case xml.EndElement:
		x.depth--
		x.closed = x.depth == 0
	case xml.CharData:
		if x.depth > 0 {
			return nil
		}
		if !x.closed && len(bytes.TrimSpace(t)) > 0 {
			return errors.New("text before the document")
		}
		return afterwards(bytes.NewReader(t))
	}
	return nil
}

func (x *checkstyle) start(t xml.StartElement) error {
	name := t.Name.Local
	switch {
	case x.closed:
		return fmt.Errorf("a second document begins with <%s>", short(name))
	case x.depth == 1 && name != "checkstyle":
		return fmt.Errorf("<%s> is not <checkstyle>", short(name))
	case x.depth == 2 && name == "file":
		x.file = attribute(t, "name")
	case x.depth == 3 && name == "error":
		return x.problem(t)
	case name == "exception":
		return x.report.add(result{path: x.file, level: "error", message: "the analyzer could not read this file", fatal: true, rank: -1}, false)
	}
	return nil
}

func (x *checkstyle) problem(t xml.StartElement) error {
	line := 0
	if text := attribute(t, "line"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("line %q is not a number", short(text))
		}
		line = n
	}
	severity := attribute(t, "severity")
	if severity == "ignore" {
		x.report.ignored++
		return x.report.count()
	}
	return x.report.add(result{
		rule: strings.TrimPrefix(attribute(t, "source"), "eslint.rules."), path: x.file, line: line,
		level: severity, message: attribute(t, "message"), rank: -1,
	}, false)
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (x *checkstyle) wording(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, errTooLarge):
		return errTooLarge
	case errors.Is(err, io.EOF), errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		return errors.New("ends in the middle of the document")
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: not XML: %s", syntax.Line, syntax.Msg)
	}
	return err
}

// charset returns a reader of UTF-8 for the encodings whose bytes are code
// points; anything else is refused.
func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii", "iso-8859-1", "latin1":
		return &latin1{in: in}, nil
	}
	return nil, fmt.Errorf("encoding %q is not read here: write UTF-8", short(label))
}

// latin1 turns ISO 8859-1 into UTF-8.
type latin1 struct {
	in   io.Reader
	rest []byte
}

func (l *latin1) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		buf := make([]byte, 4096)
		n, err := l.in.Read(buf)
		for _, b := range buf[:n] {
			l.rest = append(l.rest, string(rune(b))...)
		}
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

package sarif

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// eachLine calls use for every line of in that holds JSON. Such formats carry
// the reports of whole repositories, and most of a report has nothing to do with
// the change: a line is checked once, and only what is asked for is decoded.
func eachLine(in *bufio.Reader, use func(value raw) error) error {
	var long []byte
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, line...)
			line, err = in.ReadSlice('\n')
		}
		if len(long) > 0 {
			line, long = append(long, line...), long[:0]
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := useLine(line, use); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if err != nil {
			return nil
		}
	}
}

func useLine(line []byte, use func(value raw) error) error {
	if !json.Valid(line) {
		return wording(json.Unmarshal(line, new(ignored))) // says what is wrong
	}
	if line[0] != '{' {
		return errors.New("is not an object")
	}
	return use(line)
}

// raw is one JSON value that is known to be valid. What does not have the type
// that is asked for reads as its zero value.
type raw []byte

// member returns the value of a key of an object, nil when there is none. A key
// that is written with escapes is not found; of one that is written twice, the
// first counts.
func (v raw) member(key string) raw {
	if len(v) == 0 || v[0] != '{' {
		return nil
	}
	for i := space(v, 1); v[i] == '"'; i = space(v, i) {
		end := past(v, i)
		found := string(v[i+1:end-1]) == key
		i = space(v, space(v, end)+1) // after the colon
		end = past(v, i)
		if found {
			return v[i:end]
		}
		if i = space(v, end); v[i] == ',' {
			i = space(v, i+1)
		}
	}
	return nil
}

// text returns a string.
func (v raw) text() string {
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	if bytes.IndexByte(v, '\\') < 0 && utf8.Valid(v) {
		return string(v[1 : len(v)-1])
	}
	var s string
	_ = json.Unmarshal(v, &s) // it is a valid string
	return s
}

// number returns an integer.
func (v raw) number() int {
	if len(v) == 0 {
		return 0
	}
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return 0
	}
	return n
}

// space returns the index of the first byte from i on that is no white space.
func space(v raw, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\t' || v[i] == '\n' || v[i] == '\r') {
		i++
	}
	return i
}

// past returns the index after the value that begins at i.
func past(v raw, i int) int {
	depth := 0
	for {
		switch v[i] {
		case '"':
			i = pastString(v, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default:
			i = pastWord(v, i)
		}
		if depth == 0 {
			return i
		}
	}
}

// pastString returns the index after the string that begins at i: after the
// first quote that an even number of backslashes stands before.
func pastString(v raw, i int) int {
	for end := i + 1; ; end++ {
		end += bytes.IndexByte(v[end:], '"')
		slashes := end
		for v[slashes-1] == '\\' {
			slashes--
		}
		if (end-slashes)%2 == 0 {
			return end + 1
		}
	}
}

// pastWord returns the index after a number, true, false or null.
func pastWord(v raw, i int) int {
	for i < len(v) && v[i] > ' ' && v[i] != ',' && v[i] != '}' && v[i] != ']' {
		i++
	}
	return i
}

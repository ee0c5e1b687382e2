package sarif

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// object reads the object that comes next in dec and calls field for each key;
// field must consume the value. It reports false for a null.
func object(dec *json.Decoder, field func(key string) error) (present bool, err error) {
	if present, err := opens(dec, '{', "an object"); !present || err != nil {
		return present, err
	}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return true, err
		}
		key, _ := token.(string)
		if err := field(key); err != nil {
			return true, in(named(key), err)
		}
	}
	_, err = dec.Token()
	return true, err
}

// array reads the array that comes next in dec and calls element for each
// index; element must consume the value. It reports false for a null.
func array(dec *json.Decoder, element func(i int) error) (present bool, err error) {
	if present, err := opens(dec, '[', "an array"); !present || err != nil {
		return present, err
	}
	for i := 0; dec.More(); i++ {
		if err := element(i); err != nil {
			return true, in(fmt.Sprintf("[%d]", i), err)
		}
	}
	_, err = dec.Token()
	return true, err
}

func opens(dec *json.Decoder, delim json.Delim, name string) (present bool, err error) {
	token, err := dec.Token()
	if err != nil {
		return false, err
	}
	if token == nil {
		return false, nil
	}
	if token != delim {
		return false, fmt.Errorf("is not %s", name)
	}
	return true, nil
}

// ignored is a value of any type that is read and not kept.
type ignored struct{}

// UnmarshalJSON keeps nothing.
func (*ignored) UnmarshalJSON([]byte) error { return nil }

func skip(dec *json.Decoder) error { return dec.Decode(new(ignored)) }

// placed is an error with the place in the document where it lies.
type placed struct {
	place string // "runs[0].results"
	err   error
}

func (p *placed) Error() string { return p.place + ": " + p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

// in puts step before the place of err. An end of input is left alone: it is
// about the document, not about a place.
func in(step string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errTooLarge) {
		return err
	}
	var inner *placed
	if !errors.As(err, &inner) {
		return &placed{step, err}
	}
	if inner.place[0] != '[' {
		step += "."
	}
	return &placed{step + inner.place, inner.err}
}

// named returns key as a step of a place.
func named(key string) string {
	if key == "" || strings.ContainsAny(key, ".[] ") {
		key = strconv.Quote(key)
	}
	return short(key)
}

// wording says in words what encoding/json says for programmers.
func wording(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at byte %d: %v", syntax.Offset, syntax)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s is a JSON %s, which does not belong there", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("is a JSON %s, which does not belong there", kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("ends in the middle of the document")
	}
	return err
}

package sarif

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Format is the form in which an analyzer reports.
type Format string

// The formats. Auto tells the others by how a report begins.
const (
	Auto         Format = "auto"
	SARIF        Format = "sarif"       // SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/
	Checkstyle   Format = "checkstyle"  // Checkstyle's XML
	RDJSON       Format = "rdjson"      // reviewdog's diagnostics, as one document or one per line
	RDJSONL      Format = "rdjsonl"     // the same, one per line; an empty report has no diagnostics
	GolangCILint Format = "golangci"    // golangci-lint --output.json.path
	ESLint       Format = "eslint"      // eslint --format json
	Staticcheck  Format = "staticcheck" // staticcheck -f json: one object per line
)

// Formats lists the formats that a configuration may name.
var Formats = []Format{Auto, SARIF, Checkstyle, RDJSON, RDJSONL, GolangCILint, ESLint, Staticcheck}

var (
	errTooLarge = fmt.Errorf("larger than %d MiB: analyse fewer folders at once", MaxBytes>>20)
	errEmpty    = errors.New("empty: the analyzer has to write its report even when it finds nothing")
)

// read reads a whole report of the given format from in and adds what it holds
// to r. An error says what is wrong with the report and where, that the analyzer
// could not read the code, or that its results are about other code than this.
func read(in io.Reader, format Format, r *report) error {
	if err := readFormat(in, format, r); err != nil {
		return err
	}
	switch {
	case r.unread != "":
		return errors.New("the analyzer could not read the code: " + r.unread)
	case r.lost && r.located == 0:
		return fmt.Errorf("none of %s is in a file of the repository (%s): say where the paths begin", count(r.seen), r.notes[0])
	}
	return nil
}

func readFormat(in io.Reader, format Format, r *report) error {
	buffered := bufio.NewReaderSize(&bounded{in: in, left: MaxBytes}, peeked)
	start, err := buffered.Peek(peeked)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bom := []byte("\xef\xbb\xbf"); bytes.HasPrefix(start, bom) {
		start = start[len(bom):]
		_, _ = buffered.Discard(len(bom)) // they are in the buffer
	}
	if bytes.HasPrefix(start, []byte{0xff, 0xfe}) || bytes.HasPrefix(start, []byte{0xfe, 0xff}) {
		return errors.New("written as UTF-16: write it as UTF-8")
	}
	if len(bytes.TrimSpace(start)) == 0 && len(start) < peeked-3 {
		return errEmpty
	}
	switch format {
	case Auto, "":
		if format, err = detect(start); err != nil {
			return err
		}
	case RDJSON:
		if found, err := detect(start); err == nil && found == RDJSONL {
			format = RDJSONL
		}
	}
	switch format {
	case Checkstyle:
		return readCheckstyle(buffered, r)
	case RDJSONL:
		return readRDJSONL(buffered, r)
	case Staticcheck:
		return readStaticcheck(buffered, r)
	}
	return readJSON(buffered, format, r)
}

// readJSON reads the formats that are one document of JSON.
func readJSON(in io.Reader, format Format, r *report) error {
	dec := json.NewDecoder(in)
	var err error
	switch format {
	case SARIF:
		err = readSARIF(dec, r)
	case RDJSON:
		err = readRDJSON(dec, r)
	case GolangCILint:
		err = readGolangCI(dec, r)
	case ESLint:
		err = readESLint(dec, r)
	default:
		err = fmt.Errorf("unknown format %q", format)
	}
	if err != nil {
		return wording(err)
	}
	return afterwards(io.MultiReader(dec.Buffered(), in))
}

// counts are the lines for people that golangci-lint prints after its report,
// whatever the format: "3 issues:" and "* errcheck: 2".
var counts = regexp.MustCompile(`^(\d+ issues?[.:]|\* [\w-]+: \d+|)$`)

// afterwards returns an error when anything but white space and counts follows
// a report.
func afterwards(in io.Reader) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); !counts.MatchString(line) {
			return errors.New("text follows the report: " + short(line))
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return errors.New("text follows the report")
	}
	return lines.Err()
}

// peeked is how much of a report is looked at to tell its format: every known
// tool writes a telling key within the first few hundred bytes.
const peeked = 4096

// detect tells the format of a report by how it begins.
func detect(start []byte) (Format, error) {
	text := bytes.TrimSpace(start)
	if len(text) == 0 {
		return "", errors.New("begins with nothing but white space")
	}
	switch text[0] {
	case '<':
		return Checkstyle, nil
	case '[':
		return ESLint, nil
	case '{':
		return detectObject(text)
	}
	return "", fmt.Errorf("not a report but text that begins with %q", firstLine(text))
}

// telling are the keys that only one format has at its top.
var telling = map[string]Format{
	"$schema": SARIF, "runs": SARIF,
	"Issues": GolangCILint, "Report": GolangCILint,
	"diagnostics": RDJSON, "original_output": RDJSONL, "originalOutput": RDJSONL, "suggestions": RDJSONL,
	"end": Staticcheck,
}

// detectObject reads the keys at the top of an object, as far as they are in
// text.
func detectObject(text []byte) (Format, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	found := Format("")
	var seen []string
	_, err := object(dec, func(k string) error {
		if f, ok := telling[k]; ok {
			found = f
			return io.EOF // enough
		}
		seen = append(seen, k)
		if k == "location" {
			return detectLocation(dec, &found)
		}
		return skip(dec)
	})
	switch {
	case found != "":
		return found, nil
	case err == nil || len(seen) > 0 && !errors.As(err, new(*json.SyntaxError)):
		return "", fmt.Errorf("a JSON object with the keys %s is of no format that is known here (set format)", short(strings.Join(seen, ", ")))
	}
	return "", wording(err)
}

// detectLocation tells apart two formats of one object per line by the place of
// a problem: rdjson says path, staticcheck says file.
func detectLocation(dec *json.Decoder, found *Format) error {
	_, err := object(dec, func(k string) error {
		switch k {
		case "path":
			*found = RDJSONL
		case "file":
			*found = Staticcheck
		}
		return skip(dec)
	})
	return err
}

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	const most = 80
	if len(line) > most {
		line = line[:most]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(line), "?"))
}

// bounded reads at most left bytes from in and fails on more.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.in.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n, errTooLarge
	}
	return n, err
}

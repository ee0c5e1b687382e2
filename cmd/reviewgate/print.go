package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// maxInput bounds a document that is read from a file or standard input, in bytes.
const maxInput = 256 << 20

// printJSON prints v as indented JSON.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// openInput opens the file at path, standard input for "-" or "".
func (a *app) openInput(path string) (io.ReadCloser, error) {
	if path == "" || path == "-" {
		return io.NopCloser(a.stdin), nil
	}
	return os.Open(path)
}

// readInput reads the file at path whole, standard input for "-" or "".
func (a *app) readInput(path string) ([]byte, error) {
	r, err := a.openInput(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readBounded(r, path)
}

func readBounded(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxInput {
		return nil, fmt.Errorf("read %s: it is over %d MiB", name, maxInput>>20)
	}
	return data, nil
}

// helpOnly is what a command does that only has subcommands.
func helpOnly(c *cobra.Command, _ []string) error {
	return usagef("say what to do: %s --help lists the choices", c.CommandPath())
}

func first(args []string) string {
	if len(args) == 0 {
		return "-"
	}
	return args[0]
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

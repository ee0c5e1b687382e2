package external_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestMain makes the test binary the program that a reviewer asks: with a first
// argument "double" it behaves as the second one says.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "double" {
		os.Exit(double(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

const goodAnswer = `{
  "findings": [{"file": "page/page.go", "line": 7, "severity": "major", "category": "error-handling",
    "message": "the error of Atoi is dropped", "confidence": 0.9, "rule": "go"}],
  "summary": "Parses the limit; the error of Atoi is dropped.",
  "cost_usd": 0.25, "turns": 3, "session_id": "s-1"
}
`

// doubleCommand returns the command of a program that behaves like that.
func doubleCommand(behaviour string, args ...string) []string {
	return append([]string{os.Args[0], "double", behaviour}, args...)
}

func double(behaviour string, args []string) int {
	switch behaviour {
	case "answer":
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Print(goodAnswer)
	case "answer without reading":
		fmt.Print(goodAnswer)
	case "print":
		fmt.Print(args[0])
	case "echo":
		// The finding's message is what stands on standard input.
		input, _ := io.ReadAll(os.Stdin)
		fmt.Printf(`{"summary": "what was asked, as a summary: %d bytes", "findings": [{"file": %q, "line": 1, "severity": "minor", "category": "style", "message": %q, "confidence": 1}]}`,
			len(input), args[0], strings.ToValidUTF8(string(input), "?"))
	case "environment":
		fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), " "))
		return 1
	case "fail":
		fmt.Fprint(os.Stderr, args[0])
		return 3
	case "answer and fail":
		fmt.Print(goodAnswer)
		return 2
	case "hang":
		started, err := os.OpenFile(args[0], os.O_WRONLY, 0)
		if err == nil {
			started.Close() // whoever reads it sees the end of the file: the program runs
		}
		end := make(chan os.Signal, 1)
		signal.Notify(end, syscall.SIGHUP)
		<-end
	case "flood":
		size, _ := strconv.Atoi(args[0])
		block := bytes.Repeat([]byte("I am sure that this is wrong. "), 1<<11)
		for range size / len(block) {
			if _, err := os.Stdout.Write(block); err != nil {
				return 1
			}
		}
	case "leave a child behind":
		child := exec.Command(os.Args[0], "double", "hang", os.DevNull)
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return 1
		}
		fmt.Print(goodAnswer)
	}
	return 0
}

package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// batch is one long-lived `git cat-file --batch`: an object costs about 0.03
// ms there and about 1.5 ms in a process of its own. It starts with the first
// question and again when it has died. It is safe for concurrent use; one
// question is answered at a time.
type batch struct {
	runner runner

	mu     sync.Mutex
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *capped
	closed bool
}

// object is what the repository holds under a name.
type object struct {
	id   string
	kind string // "commit", "tree", "blob" or "tag"
	size int64
	data []byte // nil when it was not wanted
}

var (
	errMissing   = errors.New("no such object")
	errAmbiguous = errors.New("more than one object has that name")
	errClosed    = errors.New("repository is closed")
)

// ErrTooLarge says that a file is larger than what is read of one.
var ErrTooLarge = errors.New("file is too large to be read")

// object returns what name stands for: an id or anything else that git
// understands. When its size is above max, data stays nil; a max below zero
// asks for no data.
func (b *batch) object(ctx context.Context, name string, max int64) (object, error) {
	var got object
	err := b.objects(ctx, []string{name}, func(_ int, o object, content io.Reader) error {
		got = o
		if o.size > max {
			return nil
		}
		got.data = make([]byte, o.size)
		_, err := io.ReadFull(content, got.data)
		return err
	})
	return got, err
}

// objects asks for all names at once and calls each with what they stand for,
// in order. each may leave content unread. It stops at the first error.
func (b *batch) objects(ctx context.Context, names []string, each func(int, object, io.Reader) error) error {
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, "\n\x00") {
			return fmt.Errorf("%q: %w", name, errMissing)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := b.start(); err != nil {
		return err
	}
	process := b.cmd.Process
	disarm := context.AfterFunc(ctx, func() { process.Kill() })

	asked := make(chan struct{})
	go func() {
		// Written beside the reading: git stops reading names while its
		// answers are not read. An error shows as an answer that is missing.
		defer close(asked)
		io.WriteString(b.in, strings.Join(names, "\n")+"\n")
	}()
	done, err := b.answers(names, each)
	if killed := !disarm(); killed || done < len(names) {
		err = b.stop(ctx, err) // its remaining answers are of no use to the next question
	}
	<-asked
	return err
}

// answers reads one answer per name until one is an error, and returns how many
// were read to their end.
func (b *batch) answers(names []string, each func(int, object, io.Reader) error) (int, error) {
	for i, name := range names {
		header, err := b.out.ReadString('\n')
		if err != nil {
			return i, err
		}
		o, err := parseHeader(strings.TrimSuffix(header, "\n"))
		if errors.Is(err, errMissing) || errors.Is(err, errAmbiguous) {
			return i + 1, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			return i, err
		}
		content := &io.LimitedReader{R: b.out, N: o.size}
		if err := each(i, o, content); err != nil {
			return i, err
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return i, err
		}
		if end, err := b.out.ReadByte(); err != nil || end != '\n' {
			return i, fmt.Errorf("%s: git cat-file answered out of step", name)
		}
	}
	return len(names), nil
}

// parseHeader reads "<id> <kind> <size>", or "<name> missing" and the like.
func parseHeader(line string) (object, error) {
	if strings.HasSuffix(line, " missing") {
		return object{}, errMissing
	}
	if strings.HasSuffix(line, " ambiguous") {
		return object{}, errAmbiguous
	}
	fields := strings.Split(line, " ")
	if len(fields) != 3 {
		return object{}, fmt.Errorf("git cat-file answered %q", line)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return object{}, fmt.Errorf("git cat-file answered %q", line)
	}
	return object{id: fields[0], kind: fields[1], size: size}, nil
}

// start starts the process unless it runs.
func (b *batch) start() error {
	if b.closed {
		return errClosed
	}
	if b.cmd != nil {
		return nil
	}
	// The process outlives the question that starts it: close ends it, and a
	// question whose context ends kills it.
	args := []string{"cat-file", "--batch"}
	cmd := b.runner.command(context.Background(), args)
	b.stderr = &capped{max: maxStderr}
	cmd.Stderr = b.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return startError(args, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return startError(args, err)
	}
	if err := cmd.Start(); err != nil {
		return startError(args, err)
	}
	b.cmd, b.in, b.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// stop ends the process after a question that failed with err, and returns the
// better reason for that, if there is one.
func (b *batch) stop(ctx context.Context, err error) error {
	died := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if !died {
		b.cmd.Process.Kill()
	}
	b.in.Close()
	b.cmd.Wait()
	code := b.cmd.ProcessState.ExitCode()
	b.cmd = nil
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case died:
		return newError([]string{"cat-file", "--batch"}, code, b.stderr.buffer.String())
	}
	return err
}

// close ends the process for good. It waits for the question that is being
// answered.
func (b *batch) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.cmd == nil {
		return nil
	}
	b.in.Close() // end of input: git ends by itself
	err := b.cmd.Wait()
	b.cmd = nil
	if err != nil {
		return startError([]string{"cat-file", "--batch"}, err)
	}
	return nil
}

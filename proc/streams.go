package proc

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// streams are the pipes between a child and us. They are our own, not os/exec's,
// so that the child's exit can be seen while a grandchild still holds them.
type streams struct {
	stdout, stderr *capped
	ours, theirs   []*os.File // read ends, write ends
	copying        sync.WaitGroup
}

// openStreams connects child to fresh pipes as cmd asks for.
func openStreams(cmd Cmd, child *exec.Cmd) (*streams, error) {
	s := &streams{stdout: newCapped(cmd.MaxStdout), stderr: newCapped(cmd.MaxStderr)}
	child.Stdin = cmd.Stdin // nil is the null device
	out, err := s.pipe(s.stdout)
	if err != nil {
		return nil, err
	}
	child.Stdout, child.Stderr = out, out
	if cmd.Merge {
		return s, nil
	}
	if child.Stderr, err = s.pipe(s.stderr); err != nil {
		s.started()
		s.close(0)
		return nil, err
	}
	return s, nil
}

// pipe opens a pipe whose content goes to dst, and returns its write end.
func (s *streams) pipe(dst io.Writer) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.ours, s.theirs = append(s.ours, r), append(s.theirs, w)
	s.copying.Go(func() {
		io.Copy(dst, r) // ends with the pipe, or with the deadline of close
	})
	return w, nil
}

// started closes the ends that belong to the child, which has its copies now.
func (s *streams) started() {
	for _, f := range s.theirs {
		f.Close()
	}
}

// close waits at most d for everything that is still in the pipes, then closes
// them. After it the buffers are complete and nobody writes to them.
func (s *streams) close(d time.Duration) {
	for _, f := range s.ours {
		f.SetReadDeadline(time.Now().Add(d))
	}
	s.copying.Wait()
	for _, f := range s.ours {
		f.Close()
	}
}

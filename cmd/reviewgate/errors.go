package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/policy"
)

// The exit codes of every command.
const (
	exitMerge       = 0 // merge, or what was asked for was done
	exitFault       = 1 // it could not be done
	exitUsage       = 2 // the command line or the configuration is wrong
	exitHold        = 3
	exitBlock       = 4
	exitInterrupted = 130
)

// exitError ends the program with a code of its own. A nil err prints nothing:
// the answer stands on stdout already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usagef says that the command line or the configuration is wrong.
func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// verdictError ends the program with the code of v when failOn says so.
func verdictError(v policy.Verdict, failOn config.FailOn) error {
	switch {
	case !failOn.Fails(v):
		return nil
	case v == policy.Hold:
		return &exitError{code: exitHold}
	}
	return &exitError{code: exitBlock}
}

// exitCode maps what a command returned to the code the program ends with. An
// error from before the command began is about the command line.
func (a *app) exitCode(ctx context.Context, err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return exitMerge
	case errors.As(err, &exit):
		return exit.code
	case ctx.Err() != nil:
		return exitInterrupted
	case !a.began:
		return exitUsage
	}
	return exitFault
}

// hint returns what to do about err, or "" when its own words say so.
func hint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full: free some room and run again, what was done is kept"
	case errors.Is(err, fs.ErrPermission):
		return "check who owns the file, or choose another place with --out or REVIEWGATE_CACHE_DIR"
	}
	return ""
}

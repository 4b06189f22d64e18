// Package clitest runs commands in their tests.
package clitest

import (
	"bytes"
	"context"
	"io"
)

// An Outcome is what a command line leads to.
type Outcome struct {
	Status         int
	Stdout, Stderr string
}

// Do runs a command with these arguments, as cli.Main does.
func Do(ctx context.Context, run func(ctx context.Context, args []string, stdout, stderr io.Writer) (status int), args ...string) Outcome {
	var stdout, stderr bytes.Buffer
	status := run(ctx, args, &stdout, &stderr)
	return Outcome{status, stdout.String(), stderr.String()}
}

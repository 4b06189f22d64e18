// Package child asks a program questions, a line each, and kills the program
// when it does not answer in time.
package child

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// NoAnswer is the error of a question that got no answer. It is the time that was allowed.
type NoAnswer time.Duration

// Error implements error.
func (n NoAnswer) Error() string { return fmt.Sprintf("no answer in %v", time.Duration(n)) }

// A Program is a child process that is asked line by line, by one goroutine.
type Program struct {
	ctx      context.Context
	patience time.Duration
	command  []string

	cmd   *exec.Cmd // nil if it does not run
	stdin io.WriteCloser
	lines *bufio.Reader
	said  *complaint
}

// New returns the program of the given command, which does not run yet. It is
// killed when ctx ends, or when an answer takes longer than patience.
func New(ctx context.Context, patience time.Duration, command ...string) *Program {
	return &Program{ctx: ctx, patience: patience, command: command}
}

// Start starts the program unless it runs.
func (p *Program) Start() error {
	if p.cmd != nil {
		return nil
	}
	cmd := exec.CommandContext(p.ctx, p.command[0], p.command[1:]...)
	cmd.WaitDelay = time.Second
	said := new(complaint)
	cmd.Stderr = said
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.stdin, p.lines, p.said = cmd, stdin, bufio.NewReader(stdout), said
	return nil
}

// Pid returns the number of the process. It runs.
func (p *Program) Pid() int { return p.cmd.Process.Pid }

// Ask sends a line and returns the line that answers; an answer that begins
// with "error:" is returned as an error. If there is no answer the program is
// ended, and must be started again. The error is then or wraps a [NoAnswer] if
// the program was given time and did not use it.
func (p *Program) Ask(line string) (string, error) {
	if p.cmd == nil {
		return "", errors.New("has ended")
	}
	process := p.cmd.Process
	hangs := time.AfterFunc(p.patience, func() { _ = process.Kill() })
	_, err := io.WriteString(p.stdin, line+"\n")
	var reply string
	if err == nil {
		reply, err = p.lines.ReadString('\n')
	}
	if !hangs.Stop() {
		err = NoAnswer(p.patience)
	} else if err != nil {
		err = errors.New("ended without an answer")
	}
	if err != nil {
		err = errors.Join(err, p.Close()) // It has said all that it will.
		if said := p.said.String(); said != "" {
			err = errors.Join(err, errors.New(said))
		}
		return "", err
	}
	reply = strings.TrimSpace(reply)
	if text, failed := strings.CutPrefix(reply, "error:"); failed {
		return "", errors.New(strings.TrimSpace(text))
	}
	return reply, nil
}

// A complaint is the beginning of what a program writes to standard error.
type complaint struct{ strings.Builder }

// Write implements [io.Writer].
func (c *complaint) Write(p []byte) (int, error) {
	const enough = 500
	c.Builder.Write(p[:min(len(p), enough-min(c.Len(), enough))])
	return len(p), nil
}

// String returns it on one line.
func (c *complaint) String() string { return strings.Join(strings.Fields(c.Builder.String()), " ") }

// Close lets the program end, and waits for that. A program that does not end
// with its input is killed.
func (p *Program) Close() error {
	if p.cmd == nil {
		return nil
	}
	cmd := p.cmd
	p.cmd = nil
	hangs := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	defer hangs.Stop()
	return errors.Join(p.stdin.Close(), cmd.Wait())
}

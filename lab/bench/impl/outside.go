package impl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// Outside are the programs in other languages, by the protocol of lab/peers: a program answers each
// line on its standard input by a line.
type Outside []*program

// NewOutside returns those in a directory, which need not be there before one is
// opened. They are killed when ctx ends, or when an answer takes longer than patience. Close them
// when done.
func NewOutside(ctx context.Context, dir string, patience time.Duration) (all Outside) {
	for _, name := range []string{bench.Rayon, bench.OneTBB} {
		all = append(all, &program{ctx: ctx, name: name, path: filepath.Join(dir, name), patience: patience})
	}
	return all
}

// Implementations returns them.
func (o Outside) Implementations() (all []*bench.Implementation) {
	for _, p := range o {
		all = append(all, &bench.Implementation{Name: p.name, Open: p.open})
	}
	return all
}

// Close ends the programs.
func (o Outside) Close() error {
	var errs []error
	for _, p := range o {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

// A program is one of them. It runs while cmd is not nil.
type program struct {
	ctx        context.Context
	name, path string
	patience   time.Duration

	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Reader
	said  *complaint
}

// open returns an instance. While others are measured the program waits for a line, and its workers
// sleep.
func (p *program) open(w *bench.Workload, _ *work.Program, workers int) (*bench.Instance, error) {
	if !slices.Contains(w.In, p.name) {
		return nil, bench.ErrUnfit
	}
	if _, err := os.Stat(p.path); err != nil {
		return nil, fmt.Errorf("not installed: %w", err)
	}
	name, size, _ := strings.Cut(w.Outside, " ")
	line := fmt.Sprintf("run %s %d %s\n", name, workers, size)
	return &bench.Instance{Run: func() (bench.Run, error) {
		reply, err := p.ask(line)
		if err != nil {
			return bench.Run{}, err
		}
		run, err := parse(reply)
		if err != nil {
			err = errors.Join(err, p.close()) // Whatever it says next is not to be trusted either.
		}
		return run, err
	}}, nil
}

// parse reads an answer.
func parse(reply string) (run bench.Run, err error) {
	words := strings.Fields(reply)
	if len(words) < 2 {
		return run, fmt.Errorf("says %q, must be RESULT NS", reply)
	}
	if run.Answer, err = strconv.ParseUint(words[0], 10, 64); err != nil {
		return run, fmt.Errorf("says %q, and the result is no number", reply)
	}
	for _, word := range words[1:] {
		ns, err := strconv.ParseUint(word, 10, 63)
		if err != nil || ns == 0 {
			return run, fmt.Errorf("says %q, where %q is no time", reply, word)
		}
		run.Nanos = append(run.Nanos, float64(ns))
	}
	return run, nil
}

// start starts the program.
func (p *program) start() error {
	cmd := exec.CommandContext(p.ctx, p.path)
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

// ask sends a line and returns the line that answers, or an error if that begins with "error:".
// If there is no answer the program is ended, and the next line starts it again.
func (p *program) ask(line string) (string, error) {
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return "", err
		}
	}
	process := p.cmd.Process
	hangs := time.AfterFunc(p.patience, func() { _ = process.Kill() })
	_, err := io.WriteString(p.stdin, line)
	var reply string
	if err == nil {
		reply, err = p.lines.ReadString('\n')
	}
	switch {
	case !hangs.Stop() && p.ctx.Err() == nil:
		_ = p.close() // It was killed.
		return "", bench.Hangs(p.patience)
	case err != nil:
		err = errors.Join(errors.New("ended without an answer"), p.close()) // It has said all that it will.
		if said := strings.Join(strings.Fields(p.said.String()), " "); said != "" {
			err = errors.Join(err, errors.New(said))
		}
		return "", err
	}
	if text, failed := strings.CutPrefix(reply, "error:"); failed {
		return "", errors.New(strings.TrimSpace(text))
	}
	return strings.TrimSpace(reply), nil
}

// close lets the program end, and waits for that. A program that does not end with its input is killed.
func (p *program) close() error {
	if p.cmd == nil {
		return nil
	}
	cmd := p.cmd
	p.cmd = nil
	hangs := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	defer hangs.Stop()
	return errors.Join(p.stdin.Close(), cmd.Wait())
}

// A complaint is the beginning of what a program writes to standard error.
type complaint struct{ strings.Builder }

// Write implements [io.Writer].
func (c *complaint) Write(p []byte) (int, error) {
	const enough = 500
	c.Builder.Write(p[:min(len(p), enough-min(c.Len(), enough))])
	return len(p), nil
}

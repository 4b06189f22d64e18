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
	"strings"
	"time"

	"github.com/rouse-go/rouse/tools/bench"
)

// Outside are the programs in other languages, and their plain functions
// without a fork. They were built from tools/peers into one directory.
type Outside struct{ programs []*program }

// NewOutside returns those in dir, which need not be there before one is
// opened. They are killed when ctx ends. Close it when done.
func NewOutside(ctx context.Context, dir string) *Outside {
	o := new(Outside)
	for _, name := range []string{"rayon", "onetbb", "openmp"} {
		o.programs = append(o.programs, &program{ctx: ctx, name: name, path: filepath.Join(dir, name)})
	}
	return o
}

// Implementations returns two for each program.
func (o *Outside) Implementations() []bench.Implementation {
	var all []bench.Implementation
	for _, p := range o.programs {
		all = append(all, &outside{p, bench.SequentialName + "-" + p.name, true}, &outside{p, p.name, false})
	}
	return all
}

// Has reports whether the implementation is one of these.
func (o *Outside) Has(i bench.Implementation) bool {
	_, ok := i.(*outside)
	return ok
}

// Close ends the programs.
func (o *Outside) Close() error {
	var errs []error
	for _, p := range o.programs {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

type outside struct {
	*program
	title string
	plain bool
}

func (o *outside) Name() string { return o.title }
func (o *outside) Scales() bool { return !o.plain }

func (o *outside) Kind() bench.Kind {
	if o.plain {
		return bench.Plain
	}
	return bench.Peer
}

func (o *outside) Open(w *bench.Workload, _ bench.Program, workers int) (bench.Instance, error) {
	if w.Outside == "" {
		return nil, bench.Unfit("")
	}
	if _, err := os.Stat(o.path); err != nil {
		return nil, bench.Missing("not installed: " + err.Error())
	}
	if o.plain {
		workers = 0
	}
	name, size, _ := strings.Cut(w.Outside, " ")
	return &outsideInstance{program: o.program, line: fmt.Sprintf("run %s %d %s", name, workers, size)}, nil
}

type outsideInstance struct {
	*program
	line  string // what asks for one run
	forks int64
}

func (i *outsideInstance) Resume() error { return i.start() }
func (i *outsideInstance) Pause() error  { return nil } // It waits for a line, and its workers sleep.
func (i *outsideInstance) Close() error  { return nil } // Other workloads need it.

func (i *outsideInstance) Usage() bench.Usage {
	u := bench.Unknown()
	u.Forks = i.forks
	return u
}

func (i *outsideInstance) Run() (bench.Run, error) {
	reply, err := i.ask(i.line)
	if err != nil {
		return bench.Run{}, err
	}
	var ns, forks int64
	var answer string
	if _, err := fmt.Sscan(reply, &ns, &answer, &forks); err != nil || ns <= 0 {
		// Whatever it says next is not to be trusted either.
		return bench.Run{}, errors.Join(fmt.Errorf("says %q, must be NS RESULT FORKS", reply), i.close())
	}
	i.forks += forks
	return bench.Run{Elapsed: time.Duration(ns), Answer: answer}, nil
}

// A program is a child process that is asked line by line.
type program struct {
	ctx        context.Context
	name, path string

	cmd   *exec.Cmd // nil if it does not run
	stdin io.WriteCloser
	lines *bufio.Reader
	said  *complaint
}

// start starts the program unless it runs.
func (p *program) start() error {
	if p.cmd != nil {
		return nil
	}
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

// patience is how long a program may take for one run. None needs as much, so
// one that does hangs.
const patience = time.Minute

// ask sends a line and returns the one that answers. If that fails the program
// is ended, and started anew by the next who needs it.
func (p *program) ask(line string) (string, error) {
	if p.cmd == nil {
		return "", errors.New("has ended")
	}
	hangs := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	_, err := io.WriteString(p.stdin, line+"\n")
	var reply string
	if err == nil {
		reply, err = p.lines.ReadString('\n')
	}
	if !hangs.Stop() {
		err = fmt.Errorf("no answer in %v", patience)
	} else if err != nil {
		err = errors.New("ended without an answer")
	}
	if err != nil {
		err = errors.Join(err, p.close()) // It has said all that it will.
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

// close lets the program end, and waits for that.
func (p *program) close() error {
	if p.cmd == nil {
		return nil
	}
	cmd := p.cmd
	p.cmd = nil
	// It ends with its input, unless it hangs.
	hangs := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	defer hangs.Stop()
	return errors.Join(p.stdin.Close(), cmd.Wait())
}

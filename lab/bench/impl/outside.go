package impl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/tools/child"
)

// Outside are the programs in other languages, and their plain functions
// without a fork. They were built from lab/peers into one directory.
type Outside struct{ programs []*program }

// NewOutside returns those in dir, which need not be there before one is
// opened. They are killed when ctx ends. Close it when done.
func NewOutside(ctx context.Context, dir string) *Outside {
	o := new(Outside)
	for _, name := range bench.OutsideNames() {
		path := filepath.Join(dir, name)
		o.programs = append(o.programs, &program{child.New(ctx, patience, path), name, path})
	}
	return o
}

// Implementations returns two for each program, and one for each grain that can
// be set.
func (o *Outside) Implementations() []bench.Implementation {
	var all []bench.Implementation
	for _, p := range o.programs {
		all = append(all, &outside{p, bench.SequentialName + "-" + p.name, true, 0}, &outside{p, p.name, false, 0})
		if bench.Grained(p.name) {
			for i, name := range bench.GrainNames(p.name) {
				all = append(all, &outside{p, name, false, bench.Grains()[i]})
			}
		}
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
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

type outside struct {
	*program
	title string
	plain bool
	grain int // 0 is none
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
	if !w.In(o.name) || o.grain > 0 && !w.Grains {
		return nil, bench.Unfit("")
	}
	if _, err := os.Stat(o.path); err != nil {
		return nil, bench.Missing("not installed: " + err.Error())
	}
	if o.plain {
		workers = 0
	}
	name, size, _ := strings.Cut(w.Outside, " ")
	line := fmt.Sprintf("run %s %d %s", name, workers, size)
	if o.grain > 0 {
		line += fmt.Sprintf(" %d", o.grain)
	}
	return &outsideInstance{program: o.program, line: line}, nil
}

type outsideInstance struct {
	*program
	line  string // what asks for one run
	forks int64
}

func (i *outsideInstance) Resume() error { return i.Start() }
func (i *outsideInstance) Pause() error  { return nil } // It waits for a line, and its workers sleep.
func (i *outsideInstance) Close() error  { return nil } // Other workloads need it.

func (i *outsideInstance) Usage() bench.Usage {
	u := bench.Unknown()
	u.Forks = i.forks
	return u
}

func (i *outsideInstance) Run() (bench.Run, error) {
	reply, err := i.Ask(i.line)
	if err != nil {
		return bench.Run{}, err
	}
	var ns, forks int64
	var answer string
	if _, err := fmt.Sscan(reply, &ns, &answer, &forks); err != nil || ns <= 0 {
		// Whatever it says next is not to be trusted either.
		return bench.Run{}, errors.Join(fmt.Errorf("says %q, must be NS RESULT FORKS", reply), i.Program.Close())
	}
	i.forks += forks
	return bench.Run{Elapsed: time.Duration(ns), Answer: answer}, nil
}

// patience is how long a program may take for one run. None needs as much, so
// one that does hangs.
const patience = time.Minute

// A program has a name, and the path that must be there before it is started.
type program struct {
	*child.Program
	name, path string
}

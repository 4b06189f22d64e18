package impl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/internal/child"
)

// Outside are the programs in other languages. They were built from lab/peers into one directory.
type Outside struct{ programs []*program }

// NewOutside returns those in dir, which need not be there before one is
// opened. They are killed when ctx ends. Close it when done.
func NewOutside(ctx context.Context, dir string) *Outside {
	o := new(Outside)
	for _, name := range bench.Both {
		path := filepath.Join(dir, name)
		o.programs = append(o.programs, &program{child.New(ctx, patience, path), name, path})
	}
	return o
}

// Implementations returns them, one for each grain that can be set, and the plain function that
// Rayon's has of a tree.
func (o *Outside) Implementations() []*bench.Implementation {
	var all []*bench.Implementation
	for _, p := range o.programs {
		all = append(all, p.implementation(p.name, false, 0))
		if p.name == "rayon" {
			all = append(all, p.implementation(bench.SequentialName+"-"+p.name, true, 0))
		}
		if slices.Contains(bench.Both, p.name) {
			for _, g := range bench.Grains {
				all = append(all, p.implementation(bench.GrainName(p.name, g), false, g))
			}
		}
	}
	return all
}

// Close ends the programs.
func (o *Outside) Close() error {
	var errs []error
	for _, p := range o.programs {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

// implementation is the program with a grain, if that is not 0, or its plain function.
func (p *program) implementation(name string, plain bool, grain int) *bench.Implementation {
	i := &bench.Implementation{Name: name, Kind: bench.Peer, Outside: true}
	if plain {
		i.Kind, i.Fixed = bench.Plain, true
	}
	i.Open = func(w *bench.Workload, _ *work.Program, workers int) (*bench.Instance, error) {
		word, size, _ := strings.Cut(w.Outside, " ")
		if !slices.Contains(w.In, p.name) || grain > 0 && !w.Apart || plain && word != "tree" {
			return nil, bench.ErrUnfit
		}
		if _, err := os.Stat(p.path); err != nil {
			return nil, fmt.Errorf("not installed: %w", err)
		}
		if plain {
			workers = 0
		}
		line := fmt.Sprintf("run %s %d %s", word, workers, size)
		if grain > 0 {
			line += fmt.Sprintf(" %d", grain)
		}
		// A program that is paused waits for a line, and its workers sleep. Other workloads need
		// it again.
		return &bench.Instance{Resume: p.Start, Run: func() (bench.Run, error) { return p.run(line) }}, nil
	}
	return i
}

// run asks for one run by a line.
func (p *program) run(line string) (bench.Run, error) {
	reply, err := p.Ask(line)
	if err != nil {
		return bench.Run{}, err
	}
	var ns int64
	var answer string
	if _, err := fmt.Sscan(reply, &ns, &answer); err != nil || ns <= 0 {
		// Whatever it says next is not to be trusted either.
		return bench.Run{}, errors.Join(fmt.Errorf("says %q, must be NS RESULT", reply), p.Close())
	}
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

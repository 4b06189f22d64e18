// Package bench measures workloads on implementations, all in one run.
//
// A [Workload] is a job with a known answer, an [Implementation] something that
// can run it: plain code, goroutines, other libraries, the pool with each of
// its backends, programs in other languages. A [Plan] measures every workload
// on every implementation that can run it, in short pieces by turns, so that
// whatever the machine does meanwhile hits all alike, and checks each answer.
package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"
)

// A Plan says what to measure, and how long.
type Plan struct {
	Workloads       []*Workload
	Implementations []*Implementation
	// Asked says that the implementations were asked for by name: then those
	// run on every workload that have backends to compare.
	Asked bool
	// Workers are the numbers of workers to measure with.
	Workers []int
	// Repeat is in how many pieces each cell is measured, by turns. There is
	// at least one run in each; a cell whose runs take much longer than Time
	// gets as few runs as its workload allows.
	Repeat int
	// Time is how long each cell is measured in all, roughly.
	Time time.Duration
	// Watch, if not nil, is called before each piece, with how many of all
	// Pieces are done.
	Watch func(c *Cell, done int)
	// Now is the clock; nil is that of the machine.
	Now func() time.Time
}

// fewest is how many runs a slow cell gets, unless its workload wants more.
const fewest = 3

// A Cell is one workload on one implementation with one number of workers, and
// what came of it.
type Cell struct {
	Workload       *Workload
	Implementation *Implementation
	Workers        int
	// Nanos are the times of all runs, divided by the workload's Ops, in the
	// order in which they were measured.
	Nanos []float64
	// Usage is that of Counted runs together, and of the pauses between them.
	Usage   Usage
	Counted int
	// Took is how long it was measured in all, with what is not timed: making
	// input, pauses, collecting garbage.
	Took time.Duration
	// Err is why it could not be measured, or that an answer was wrong.
	Err error

	spent    time.Duration // in runs
	instance *Instance
}

// ErrWrong is in the error of a cell with a wrong answer.
var ErrWrong = errors.New("wrong answer")

// Run measures everything. It returns the cells in the order of workloads,
// numbers of workers, implementations. The error is only that of ctx: what goes
// wrong with a cell is in the cell.
func (p *Plan) Run(ctx context.Context) ([]*Cell, error) {
	var all []*Cell
	done := 0
	for _, w := range p.Workloads {
		cells, err := p.measure(ctx, w, p.cells(w), &done)
		if err != nil {
			return nil, err
		}
		all = append(all, cells...)
	}
	return all, nil
}

// Pieces returns in how many pieces Run measures everything.
func (p *Plan) Pieces() (n int) {
	for _, w := range p.Workloads {
		n += len(p.cells(w)) * p.Repeat
	}
	return n
}

// cells returns what is to be measured of one workload.
func (p *Plan) cells(w *Workload) []*Cell {
	counts := p.Workers
	if w.Workers != nil {
		counts = w.Workers
	}
	if w.last {
		counts = counts[len(counts)-1:]
	}
	var cells []*Cell
	for i, n := range counts {
		for _, impl := range p.Implementations {
			switch {
			case !p.Asked && !w.wants(impl):
			case !impl.Fixed:
				cells = append(cells, &Cell{Workload: w, Implementation: impl, Workers: n})
			case i == 0:
				cells = append(cells, &Cell{Workload: w, Implementation: impl, Workers: 1})
			}
		}
	}
	return cells
}

// measure measures the cells of one workload by turns.
func (p *Plan) measure(ctx context.Context, w *Workload, cells []*Cell, done *int) (kept []*Cell, err error) {
	program := w.Program()
	for _, c := range cells {
		c.instance, c.Err = c.Implementation.Open(w, program, c.Workers)
		if c.Err == nil {
			defer func() { c.fail(call(c.instance.Close)) }()
		}
		if !errors.Is(c.Err, ErrUnfit) {
			kept = append(kept, c)
		}
	}
	for piece := range p.Repeat {
		// Nobody is to come after the same neighbour each time.
		order := rand.New(rand.NewPCG(1, uint64(piece))).Perm(len(cells))
		for _, i := range order {
			c := cells[i]
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if p.Watch != nil {
				p.Watch(c, *done)
			}
			*done++
			p.piece(ctx, c, piece)
		}
	}
	return kept, nil
}

// fail notes the first error of a cell.
func (c *Cell) fail(err error) {
	if c.Err == nil {
		c.Err = err
	}
}

// piece measures a cell for a while.
func (p *Plan) piece(ctx context.Context, c *Cell, piece int) {
	slow := c.spent > p.Time && len(c.Nanos) >= max(fewest, c.Workload.Runs)
	if c.Err != nil || slow {
		return
	}
	start := time.Now()
	defer func() { c.Took += time.Since(start) }()
	runtime.GC() // what others have left behind
	if err := call(c.instance.Resume); err != nil {
		c.fail(err)
		return
	}
	defer func() { c.fail(call(c.instance.Pause)) }()
	if piece == 0 {
		// The first run is not like others: threads are started, memory comes
		// from the system. It counts only where a run is long.
		run, err := c.run()
		if c.fail(err); err != nil {
			return
		}
		if run.Elapsed > p.Time/4 {
			c.add(run)
		}
	}
	before := c.usage()
	for end := p.now().Add(p.Time / time.Duration(p.Repeat)); ; {
		run, err := c.run()
		if c.fail(err); err != nil {
			break
		}
		c.add(run)
		if c.instance.Usage != nil {
			c.Counted++
		}
		due := c.Workload.Runs * (piece + 1) / p.Repeat
		if !p.now().Before(end) && len(c.Nanos) >= due || ctx.Err() != nil {
			break
		}
	}
	c.Usage = c.Usage.plus(c.usage().minus(before))
}

// usage returns what was counted so far; nothing is if the instance does not count.
func (c *Cell) usage() (u Usage) {
	if c.instance.Usage != nil {
		u = c.instance.Usage()
	}
	return u
}

func (p *Plan) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// run does the job once and checks the answer.
func (c *Cell) run() (Run, error) {
	run, err := c.instance.Run()
	if err != nil {
		return run, err
	}
	if err := c.Workload.Check(run.Answer); err != nil {
		return run, fmt.Errorf("%w: %w", ErrWrong, err)
	}
	return run, nil
}

func (c *Cell) add(run Run) {
	c.spent += run.Elapsed
	c.Nanos = append(c.Nanos, float64(run.Elapsed)/float64(max(c.Workload.Ops, 1)))
}

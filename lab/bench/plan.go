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
	"slices"
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
}

// fewest is how many runs a slow cell gets, unless its workload wants more.
const fewest = 3

// A Cell is one workload on one implementation with one number of workers, and
// what came of it.
type Cell struct {
	Workload       *Workload
	Implementation *Implementation
	Workers        int
	// Nanos are the times of all Runs, divided by the workload's Ops, in the
	// order in which they were measured.
	Nanos []float64
	// Runs is how many there were, and Hung how many more had no answer.
	Runs, Hung int
	// Err is why it could not be measured, or that an answer was wrong.
	Err error

	spent    time.Duration // in runs, with what is not timed there
	want     uint64
	instance *Instance
}

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
	want := w.answer(program)
	for _, c := range cells {
		c.want = want
		c.instance, c.Err = c.Implementation.Open(w, program, c.Workers)
		if c.Err == nil {
			defer func() { c.fail(call(c.instance.Close)) }()
		}
		if !errors.Is(c.Err, ErrUnfit) {
			kept = append(kept, c)
		}
	}
	for piece := range p.Repeat {
		// Shuffle, so that no cell always follows the same one.
		for _, i := range rand.New(rand.NewPCG(1, uint64(piece))).Perm(len(cells)) {
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
	slow := c.spent > p.Time && c.Runs >= max(fewest, c.Workload.Runs)
	if c.Err != nil || slow {
		return
	}
	runtime.GC() // what others have left behind
	if err := call(c.instance.Resume); err != nil {
		c.fail(err)
		return
	}
	defer func() { c.fail(call(c.instance.Pause)) }()
	// The first run is not like others: threads are started, memory comes from the system. It counts
	// only where a run is long.
	if piece == 0 && !c.run(p.Time/4) {
		return
	}
	for end := time.Now().Add(p.Time / time.Duration(p.Repeat)); c.run(0); {
		due := c.Workload.Runs * (piece + 1) / p.Repeat
		if !time.Now().Before(end) && c.Runs >= due || ctx.Err() != nil {
			return
		}
	}
}

// run does the job once, checks the answer, and notes the times if that took longer than least. It
// reports whether there was an answer, and a right one.
func (c *Cell) run(least time.Duration) bool {
	start := time.Now()
	run, err := c.instance.Run()
	var hangs Hangs
	switch {
	case errors.As(err, &hangs):
		c.Hung++
		return false
	case err == nil && run.Answer != c.want:
		err = fmt.Errorf("%w: it is %d, must be %d", ErrWrong, run.Answer, c.want)
	}
	if c.fail(err); err != nil {
		return false
	}
	c.spent += time.Since(start)
	if slices.Max(run.Nanos) <= float64(least) {
		return true
	}
	c.Runs++
	for _, ns := range run.Nanos {
		c.Nanos = append(c.Nanos, ns/float64(max(c.Workload.Ops, 1)))
	}
	return true
}

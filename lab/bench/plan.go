// Package bench compares what can run the same job. A [Workload] is a job of
// one size, with the answer that it must give; an [Implementation] is something that
// can run it: plain code, goroutines, other libraries, the pool with each of
// its backends, programs in other languages. A [Plan] measures a workload
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

	"github.com/rouse-go/rouse/lab/bench/work"
)

// A Plan says what to measure workloads on, and how long.
type Plan struct {
	Implementations []*Implementation
	// Workers are the numbers of workers to measure with.
	Workers []int
	// Pieces is in how many pieces each cell is measured, by turns. There is
	// at least one run in each; a cell whose runs take much longer than Time
	// gets three.
	Pieces int
	// Time is how long each cell is measured in all, roughly.
	Time time.Duration
}

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

	spent time.Duration // in runs, with what is not timed there
	want  uint64
}

// Measure measures a workload. It returns the cells in the order of numbers of workers,
// implementations. The error is only that of ctx: what goes wrong with a cell is in the cell.
func (p *Plan) Measure(ctx context.Context, w *Workload) ([]*Cell, error) {
	cells, program := p.cells(w), w.Program()
	want := w.answer(program)
	for piece := range p.Pieces {
		// Shuffle, so that no cell always follows the same one.
		for _, i := range rand.New(rand.NewPCG(1, uint64(piece))).Perm(len(cells)) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			cells[i].want = want
			cells[i].piece(program, p)
		}
	}
	return slices.DeleteFunc(cells, func(c *Cell) bool { return errors.Is(c.Err, ErrUnfit) }), ctx.Err()
}

// cells returns what is to be measured of a workload.
func (p *Plan) cells(w *Workload) (cells []*Cell) {
	counts := p.Workers
	if w.Workers != nil {
		counts = w.Workers
	}
	for i, n := range counts {
		for _, impl := range p.Implementations {
			c := &Cell{Workload: w, Implementation: impl, Workers: n}
			if impl.Fixed {
				c.Workers = 1
			}
			if i == 0 || !impl.Fixed {
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// fail notes the first error of a cell.
func (c *Cell) fail(err error) {
	if c.Err == nil {
		c.Err = err
	}
}

// piece measures a cell for a while.
func (c *Cell) piece(program *work.Program, p *Plan) {
	slow := c.spent > p.Time && c.Runs+c.Hung >= 3
	if c.Err != nil || slow {
		return
	}
	runtime.GC() // what others have left behind
	run, end, err := c.Implementation.Open(c.Workload, program, c.Workers)
	if err != nil {
		c.fail(err)
		return
	}
	if end != nil {
		defer func() { c.fail(end()) }()
	}
	// The first run is not like others: threads are started, memory comes from the system. It counts
	// only where a run takes the whole piece.
	start, before, piece := time.Now(), c.Runs, p.Time/time.Duration(p.Pieces)
	for least := piece; c.run(run, least); least = 0 {
		if c.Runs > before && time.Since(start) >= piece {
			return
		}
	}
}

// run does the job once, checks the answer, and notes the times if that took no less than least. It
// reports whether there was an answer, and a right one.
func (c *Cell) run(run work.Way, least time.Duration) bool {
	start := time.Now()
	answer, times, err := run()
	took := time.Since(start)
	c.spent += took
	var hangs Hangs
	switch {
	case errors.As(err, &hangs):
		c.Hung++
		return false
	case err == nil && answer != c.want:
		err = fmt.Errorf("%w: it is %d, must be %d", ErrWrong, answer, c.want)
	}
	if err != nil {
		c.fail(err)
		return false
	}
	if took >= least {
		c.Runs++
		for _, t := range times {
			c.Nanos = append(c.Nanos, float64(t)/float64(max(c.Workload.Ops, 1)))
		}
	}
	return true
}

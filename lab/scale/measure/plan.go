package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
)

// SleepingWorkers are the numbers of workers that leaves which sleep are
// measured with.
var SleepingWorkers = []int{8, 64, 256}

// ErrWrong is in the error of a program that gave a wrong answer.
var ErrWrong = errors.New("wrong answer")

// A Plan says what to measure.
type Plan struct {
	Rows    []*scale.Row
	Workers []int
	// Sleeping are the numbers of workers for rows whose leaves sleep.
	Sleeping []int
	// Shapes are the names of the rows whose leaves sleep; nil is all.
	Shapes []string
	Sleep  backends.Sleep
	// Repeat is how many runs each is measured for, after one that does not
	// count.
	Repeat int
	// Watch, if not nil, is called before each run, with how many of all Runs
	// are done.
	Watch func(doing string, done int)

	done int
}

// Runs returns how many runs there are.
func (p *Plan) Runs() (n int) {
	n = len(p.Rows) * (1 + 2*len(p.Workers))
	for _, workers := range p.Sleeping {
		n += len(p.shapes(workers))
	}
	return n * (1 + p.Repeat)
}

// Run measures everything. The caller fills in the machine and the command.
func (p *Plan) Run(ctx context.Context) (*File, error) {
	f := &File{Sleep: p.Sleep.Name, Rows: []Row{}, Sleeping: []Sleeper{}}
	for _, r := range p.Rows {
		row, err := p.row(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		f.Rows = append(f.Rows, *row)
	}
	for range p.Repeat {
		start := time.Now()
		scale.SleepAlone()
		f.Leaf = append(f.Leaf, float64(time.Since(start)))
	}
	for _, workers := range p.Sleeping {
		for _, r := range p.shapes(workers) {
			s, err := p.sleeper(ctx, r, workers)
			if err != nil {
				return nil, fmt.Errorf("%s of leaves that sleep, %d workers: %w", r.Name, workers, err)
			}
			f.Sleeping = append(f.Sleeping, *s)
		}
	}
	return f, nil
}

// shapes returns the rows whose leaves sleep.
func (p *Plan) shapes(workers int) (rows []*scale.Row) {
	for _, r := range scale.Sleeping(workers) {
		if p.Shapes == nil || slices.Contains(p.Shapes, r.Name) {
			rows = append(rows, r)
		}
	}
	return rows
}

// row measures the plain function and the pools of one row by turns, so that a
// slow moment of the machine hits all alike.
func (p *Plan) row(ctx context.Context, r *scale.Row) (*Row, error) {
	row := &Row{
		Name: r.Name, About: r.About, Unit: r.Unit, Units: r.Units,
		Work: r.Cost.Work.Seconds() * 1e9, Span: r.Cost.Span.Seconds() * 1e9,
	}
	programs := []func() (uint64, error){func() (uint64, error) { return r.Plain(), nil }}
	for _, workers := range p.Workers {
		open, err := p.open(workers)
		if err != nil {
			return nil, err
		}
		defer open.Close()
		programs = append(programs,
			func() (uint64, error) { return r.Pool(open) },
			func() (uint64, error) { return copies(workers, r.Plain), nil })
	}
	times := make([]Times, len(programs))
	runtime.GC() // what others have left behind
	for turn := range p.Repeat + 1 {
		order := rand.New(rand.NewPCG(1, uint64(turn))).Perm(len(programs))
		for _, i := range order {
			scale.Alone(scale.Pause)
			took, err := p.time(ctx, r, programs[i])
			if err != nil {
				return nil, err
			}
			// The first run is not like others: threads are started, memory
			// comes from the system.
			if turn > 0 {
				times[i] = append(times[i], took)
			}
		}
	}
	row.Plain = times[0]
	for i, workers := range p.Workers {
		row.Pools = append(row.Pools, Pool{workers, times[1+2*i], times[2+2*i]})
	}
	return row, nil
}

// copies runs the same program so many times, side by side, and returns what one
// of them does.
func copies(n int, program func() uint64) (answer uint64) {
	var all sync.WaitGroup
	for range n - 1 {
		all.Go(func() { program() })
	}
	answer = program()
	all.Wait()
	return answer
}

// sleeper measures a row whose leaves sleep, with all workers asleep before
// each run.
func (p *Plan) sleeper(ctx context.Context, r *scale.Row, workers int) (*Sleeper, error) {
	open, err := p.open(workers)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	s := &Sleeper{Name: r.Name, About: r.About, Workers: workers}
	for turn := range p.Repeat + 1 {
		scale.Asleep()
		took, err := p.time(ctx, r, func() (uint64, error) { return r.Pool(open) })
		if err != nil {
			return nil, err
		}
		if turn > 0 {
			s.Times = append(s.Times, took)
		}
	}
	return s, nil
}

func (p *Plan) open(workers int) (*pool.Pool, error) {
	return pool.New(pool.WithWorkers(workers), pool.WithSleep(p.Sleep.New))
}

// time runs a program once, and checks the answer.
func (p *Plan) time(ctx context.Context, r *scale.Row, program func() (uint64, error)) (ns float64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if p.Watch != nil {
		p.Watch(r.Name, p.done)
	}
	p.done++
	start := time.Now()
	answer, err := program()
	took := time.Since(start)
	if err == nil && answer != r.Answer {
		err = fmt.Errorf("%w: %d, must be %d", ErrWrong, answer, r.Answer)
	}
	return float64(took), err
}

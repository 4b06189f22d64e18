package impl

import (
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
)

// futexBackend is the sleep backend that is not the default of few workers.
var futexBackend = pool.WithSleep(func(workers int) (api.Sleep, error) { return futex.New(workers) })

// pooled is a pool with these options. While others are measured, there is none.
func pooled(name string, opts ...pool.Option) *bench.Implementation {
	return &bench.Implementation{Name: name, Open: func(_ *bench.Workload, program *work.Program, workers int) (*bench.Instance, error) {
		if program.Pool == nil && program.Calls == nil && program.AtRest == nil {
			return nil, bench.ErrUnfit
		}
		p, err := pool.New(slices.Concat(opts, []pool.Option{pool.WithWorkers(workers)})...)
		if err != nil {
			return nil, err
		}
		i := here(program, func() (uint64, []float64, error) { return onPool(program, p, workers) })
		i.Close = p.Close
		return i, nil
	}}
}

// onPool runs a program on a pool, all of whose workers sleep before, where it asks for that.
func onPool(program *work.Program, p *pool.Pool, workers int) (uint64, []float64, error) {
	if program.AtRest != nil {
		// All workers have worked once.
		if _, err := work.Fib(20).Pool(p); err != nil {
			return 0, nil, err
		}
	}
	if program.Asleep || program.AtRest != nil {
		if err := awaitSleep(p, workers); err != nil {
			return 0, nil, err
		}
	}
	switch {
	case program.Calls != nil:
		return called(program, work.OnPool(p))()
	case program.AtRest != nil:
		return atRest(program)()
	}
	return timed(func() (uint64, error) { return program.Pool(p) })()
}

// sleepless is how long workers may take to fall asleep. They need well under
// a second, so those that take longer never will.
const sleepless = 10 * time.Second

// awaitSleep returns when all workers sleep. It asks again and again, and
// leaves the processors to them in between.
func awaitSleep(p *pool.Pool, workers int) error {
	for start := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		sleeping := p.Stats().Sleeping
		if sleeping == workers {
			return nil
		}
		if time.Since(start) > sleepless {
			return fmt.Errorf("only %d of %d workers sleep after %v", sleeping, workers, sleepless)
		}
	}
}

package impl

import (
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
)

// pooled is a pool with these options. While others are measured, there is none.
func pooled(name string, opts ...pool.Option) *bench.Implementation {
	return &bench.Implementation{Name: name, Open: func(_ *bench.Workload, program *work.Program, workers int) (work.Way, func() error, error) {
		if program.Pool == nil && program.Calls == nil {
			return nil, nil, bench.ErrUnfit
		}
		p, err := pool.New(slices.Concat(opts, []pool.Option{pool.WithWorkers(workers)})...)
		if err != nil {
			return nil, nil, err
		}
		way := program.On(work.OnPool(p))
		if program.Calls == nil {
			way = func() (uint64, []time.Duration, error) {
				result, err := program.Pool(p)
				return result, nil, err
			}
		}
		run := program.Run(way)
		if !program.Asleep {
			return run, p.Close, nil
		}
		return func() (uint64, []time.Duration, error) {
			if err := awaitSleep(p, workers); err != nil {
				return 0, nil, err
			}
			return run()
		}, p.Close, nil
	}}
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

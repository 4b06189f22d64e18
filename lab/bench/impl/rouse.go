package impl

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// pools are the pool on its defaults, one that publishes each fork at once, and one with the
// other sleep backend.
var pools = []*bench.Implementation{
	pooled(bench.OursName, nil),
	pooled("rouse-eager", nil, pool.WithEagerPublish()),
	pooled("rouse-futex", newFutex),
}

// defaultSleep is the pool's default, as a test makes sure: a pool does not show its own.
func defaultSleep(workers int) (api.Sleep, error) {
	if workers >= 16 && workers <= runtime.GOMAXPROCS(0) {
		return futex.New(workers)
	}
	return jec.New(workers)
}

// pooled is a pool with these options, and this sleep backend if it is not nil.
func pooled(name string, newSleep func(workers int) (api.Sleep, error), opts ...pool.Option) *bench.Implementation {
	open := func(_ *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		if p.Pool == nil && p.Posts == nil && p.Waits == nil && p.AtRest == nil {
			return nil, bench.ErrUnfit
		}
		o := &onPool{program: p, workers: workers}
		opts, newSleep := slices.Concat(opts, []pool.Option{pool.WithWorkers(workers)}), newSleep
		if newSleep == nil && (p.Asleep || p.AtRest != nil) {
			newSleep = defaultSleep
		}
		if newSleep != nil {
			opts = append(opts, pool.WithSleep(func(workers int) (s api.Sleep, err error) {
				o.sleep, err = newSleep(workers)
				return o.sleep, err
			}))
		}
		o.open = func() (err error) {
			o.pool, err = pool.New(opts...)
			return err
		}
		if p.AtRest == nil {
			i := here(p, o.run)
			i.Close = func() error { return o.pool.Close() }
			return i, o.open()
		}
		// While others are measured, there is no pool.
		i := here(p, o.run)
		i.Resume, i.Pause = o.open, func() error { return o.pool.Close() }
		return i, nil
	}
	return &bench.Implementation{Name: name, Kind: bench.Ours, Rare: name != bench.OursName, Open: open}
}

// onPool runs a program on a pool.
type onPool struct {
	program *work.Program
	workers int
	open    func() error
	pool    *pool.Pool
	sleep   api.Sleep
}

// run is the shape in which the program runs on the pool. All workers sleep before, where it asks
// for that.
func (o *onPool) run() (uint64, []float64, error) {
	p := o.program
	if p.AtRest != nil {
		// All workers have worked once.
		if _, err := work.Fib(20).Pool(o.pool); err != nil {
			return 0, nil, err
		}
	}
	if p.Asleep || p.AtRest != nil {
		if err := o.awaitSleep(); err != nil {
			return 0, nil, err
		}
	}
	switch {
	case p.Waits != nil:
		return waits(p, work.OnPool(o.pool))
	case p.AtRest != nil:
		return atRest(p)()
	case p.Posts != nil:
		return o.posts()
	}
	return timed(func() (uint64, error) { return p.Pool(o.pool) })()
}

// posts submits the jobs. Several goroutines may, and the first error is that of the run.
func (o *onPool) posts() (uint64, []float64, error) {
	var failed atomic.Error
	poster := func(job func()) func() {
		fn := func(*pool.Worker) struct{} { job(); return struct{}{} }
		return func() {
			if _, err := pool.Submit(o.pool, fn); err != nil {
				failed.CompareAndSwap(nil, err)
				job() // or the program would wait for it
			}
		}
	}
	result, elapsed := o.program.Posts(poster)
	return result, []float64{float64(elapsed)}, failed.Load()
}

// sleepless is how long workers may take to fall asleep. They need well under
// a second, so those that take longer never will.
const sleepless = 10 * time.Second

// awaitSleep returns when all workers sleep. It asks again and again, and
// leaves the processors to them in between.
func (o *onPool) awaitSleep() error {
	ctx, cancel := context.WithTimeout(context.Background(), sleepless)
	defer cancel()
	for ; ; time.Sleep(100 * time.Microsecond) {
		_, sleeping := o.sleep.Counts()
		if sleeping == o.workers {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("only %d of %d workers sleep after %v", sleeping, o.workers, sleepless)
		}
	}
}

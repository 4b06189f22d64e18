package impl

import (
	"fmt"
	"runtime"
	"time"

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
	pooled("rouse", nil),
	pooled("rouse-eager", nil, pool.WithEagerPublish()),
	pooled("rouse-futex", func(workers int) (api.Sleep, error) { return futex.New(workers) }),
}

// par is module par on a pool with its defaults.
var par = &bench.Implementation{
	Name: bench.ParName, Kind: bench.Ours,
	Open: func(w *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		if p.Par == nil {
			return nil, bench.ErrUnfit
		}
		return onPool(w, p, func(on *pool.Pool) shape {
			return plainly(func() uint64 { return p.Par(on) })
		}, pool.WithWorkers(workers))
	},
}

// defaultSleep is the pool's default, as a test makes sure.
func defaultSleep(workers int) (api.Sleep, error) {
	if workers >= 16 && workers <= runtime.GOMAXPROCS(0) {
		return futex.New(workers)
	}
	return jec.New(workers)
}

// pooled is a pool with these options, and this sleep backend if it is not nil.
func pooled(name string, newSleep func(workers int) (api.Sleep, error), opts ...pool.Option) *bench.Implementation {
	open := func(w *bench.Workload, p *work.Program, workers int) (*bench.Instance, error) {
		// Of what is submitted there is no fork to publish.
		if p.Pool == nil && (p.Posts == nil || len(opts) > 0) {
			return nil, bench.ErrUnfit
		}
		opts := append([]pool.Option{pool.WithWorkers(workers)}, opts...)
		newSleep := newSleep
		if newSleep == nil && p.Asleep {
			newSleep = defaultSleep // A pool does not show its own.
		}
		var sleep api.Sleep
		if newSleep != nil {
			opts = append(opts, pool.WithSleep(func(workers int) (s api.Sleep, err error) {
				sleep, err = newSleep(workers)
				return sleep, err
			}))
		}
		i, err := onPool(w, p, func(on *pool.Pool) shape {
			if p.Posts != nil {
				return func() (uint64, time.Duration, error) { return posts(p, on) }
			}
			return timed(func() (uint64, error) { return p.Pool(on) })
		}, opts...)
		if err == nil && p.Asleep {
			run := i.Run
			i.Run = func() (bench.Run, error) {
				if err := awaitSleep(sleep, workers); err != nil {
					return bench.Run{}, err
				}
				return run()
			}
		}
		return i, err
	}
	return &bench.Implementation{Name: name, Kind: bench.Ours, Rare: newSleep != nil, Open: open}
}

// onPool returns an instance on a pool of its own.
func onPool(w *bench.Workload, p *work.Program, run func(*pool.Pool) shape, opts ...pool.Option) (*bench.Instance, error) {
	on, err := pool.New(opts...)
	if err != nil {
		return nil, err
	}
	i := here(w, p, run(on))
	i.Usage = func() bench.Usage { return bench.OwnUsage(on) }
	i.Close = on.Close
	return i, nil
}

// sleepless is how long workers may take to fall asleep. They need well under
// a second, so those that take longer never will.
const sleepless = 10 * time.Second

// awaitSleep returns when all workers sleep. It asks again and again, and
// leaves the processors to them in between.
func awaitSleep(sleep api.Sleep, workers int) error {
	for start := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		_, sleeping := sleep.Counts()
		if sleeping == workers {
			return nil
		}
		if time.Since(start) > sleepless {
			return fmt.Errorf("only %d of %d workers sleep after %v", sleeping, workers, sleepless)
		}
	}
}

func posts(p *work.Program, on *pool.Pool) (uint64, time.Duration, error) {
	result, elapsed := p.Posts(func(job func()) func() {
		fn := func(*pool.Worker) struct{} { job(); return struct{}{} }
		return func() {
			_, err := pool.Submit(on, fn)
			must(err)
		}
	})
	return result, elapsed, nil
}

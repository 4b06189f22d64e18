// Package impl holds the implementations that [bench] compares.
//
// [bench]: https://pkg.go.dev/github.com/rouse-go/rouse/lab/bench
package impl

import (
	"fmt"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/jec"
	"github.com/rouse-go/rouse/tools/backends"
)

// Rouse are the pools: one on its defaults, one on those that publishes each
// fork at once, and every combination of the given backends both ways.
func Rouse(deques []backends.Deque, sleeps []backends.Sleep) []bench.Implementation {
	all := []bench.Implementation{
		&pooled{name: "rouse"},
		&pooled{name: "rouse-eager", eager: true},
	}
	for _, d := range deques {
		for _, s := range sleeps {
			name := "rouse/deque=" + d.Name + "/sleep=" + s.Name + "/publish="
			all = append(all,
				&pooled{name: name + "demand", matrix: true, deque: d.New, sleep: s.New},
				&pooled{name: name + "eager", eager: true, matrix: true, deque: d.New, sleep: s.New})
		}
	}
	return all
}

type pooled struct {
	name   string
	deque  func() api.Deque[pool.Job]           // nil is the pool's default
	sleep  func(workers int) (api.Sleep, error) // nil is the pool's default
	eager  bool
	matrix bool
}

func (r *pooled) Name() string     { return r.name }
func (r *pooled) Scales() bool     { return true }
func (r *pooled) Kind() bench.Kind { return bench.Ours }

// Matrix reports whether this is one of many combinations.
func (r *pooled) Matrix() bool { return r.matrix }

func (r *pooled) Open(w *bench.Workload, p bench.Program, workers int) (bench.Instance, error) {
	if p.Pool == nil && p.Posts == nil {
		return nil, bench.Unfit("")
	}
	i := &poolInstance{instance: instance{workload: w, program: p}}
	i.opts = append(i.backends(r), pool.WithWorkers(workers))
	if r.eager {
		if p.Pool == nil || p.Rests > 0 {
			return nil, bench.Unfit("") // There is no fork to publish.
		}
		i.opts = append(i.opts, pool.WithEagerPublish())
	}
	i.instance.pool = func() *pool.Pool { return i.p }
	if p.Posts != nil {
		i.shape = i.posts
	} else {
		i.shape = i.run
	}
	return i, i.open()
}

// defaultSleep is the pool's default, as a test makes sure.
func defaultSleep(workers int) (api.Sleep, error) { return jec.New(workers) }

type poolInstance struct {
	instance
	opts  []pool.Option
	p     *pool.Pool // nil if there is none at present
	sleep api.Sleep  // of the pool; nil if nobody needs to know
}

// backends returns the options that say what the pool is made of, so that the
// instance has the sleep backend if its program needs to know who sleeps.
func (i *poolInstance) backends(r *pooled) (opts []pool.Option) {
	if r.deque != nil {
		opts = append(opts, pool.WithDeque(r.deque))
	}
	sleep := r.sleep
	if sleep == nil && i.program.Asleep {
		sleep = defaultSleep // A pool does not show its own.
	}
	if sleep != nil {
		opts = append(opts, pool.WithSleep(func(workers int) (s api.Sleep, err error) {
			i.sleep, err = sleep(workers)
			return i.sleep, err
		}))
	}
	return opts
}

func (i *poolInstance) open() (err error) {
	i.p, err = pool.New(i.opts...)
	return err
}

func (i *poolInstance) Close() error {
	if i.p == nil {
		return nil
	}
	p := i.p
	i.p = nil
	return p.Close()
}

// Run does the job once, when the workers sleep if they must.
func (i *poolInstance) Run() (bench.Run, error) {
	if i.program.Asleep {
		if err := i.awaitSleep(); err != nil {
			return bench.Run{}, err
		}
	}
	return i.instance.Run()
}

// sleepless is how long workers may take to fall asleep. They need well under
// a second, so those that take longer never will.
const sleepless = 10 * time.Second

// awaitSleep returns when all workers sleep. It asks again and again, and
// leaves the processors to them in between.
func (i *poolInstance) awaitSleep() error {
	workers := i.p.Workers()
	for start := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		_, sleeping := i.sleep.Counts()
		if sleeping == workers {
			return nil
		}
		if time.Since(start) > sleepless {
			return fmt.Errorf("only %d of %d workers sleep after %v", sleeping, workers, sleepless)
		}
	}
}

func (i *poolInstance) run() (uint64, time.Duration, error) {
	start := time.Now()
	result, err := i.program.Pool(i.p)
	return result, time.Since(start), err
}

func (i *poolInstance) posts() (uint64, time.Duration, error) {
	result, elapsed := i.program.Posts(func(job func()) func() {
		fn := func(*pool.Worker) struct{} { job(); return struct{}{} }
		return func() {
			_, err := pool.Submit(i.p, fn)
			must(err)
		}
	})
	return result, elapsed, nil
}

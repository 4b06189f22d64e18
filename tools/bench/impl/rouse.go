package impl

import (
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/bench"
)

// Rouse are the pools: one on its defaults, one on those that publishes each
// fork at once, and every combination of the given backends both ways.
func Rouse(deques []backends.Deque, sleeps []Sleeper) []bench.Implementation {
	all := []bench.Implementation{
		&pooled{name: "rouse"},
		&pooled{name: "rouse-eager", eager: true},
	}
	for _, d := range deques {
		for _, s := range sleeps {
			of := []pool.Option{pool.WithDeque(d.New), pool.WithSleep(s.New)}
			name := "rouse/deque=" + d.Name + "/sleep=" + s.Name + "/publish="
			all = append(all,
				&pooled{name: name + "demand", matrix: true, restless: s.Restless, opts: of},
				&pooled{name: name + "eager", eager: true, matrix: true, restless: s.Restless, opts: of})
		}
	}
	return all
}

type pooled struct {
	name     string
	opts     []pool.Option
	eager    bool
	matrix   bool
	restless bool // a pool would use processors while it is paused
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
	opts := append(r.opts[:len(r.opts):len(r.opts)], pool.WithWorkers(workers))
	if r.eager {
		if p.Pool == nil || p.Rests > 0 {
			return nil, bench.Unfit("") // There is no fork to publish.
		}
		opts = append(opts, pool.WithEagerPublish())
	}
	i := &poolInstance{instance: instance{workload: w, program: p}, opts: opts}
	i.instance.pool = func() *pool.Pool { return i.p }
	if p.Posts != nil {
		i.shape = i.posts
	} else {
		i.shape = i.run
	}
	if r.restless {
		i.resume, i.pause = i.open, i.Close
		return i, nil
	}
	return i, i.open()
}

type poolInstance struct {
	instance
	opts []pool.Option
	p    *pool.Pool // nil if there is none at present
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

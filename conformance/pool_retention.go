package conformance

import (
	"context"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/pool"
)

var poolRetention = []poolCase{
	{"Forgotten/run", "P8", 2, forgetRun},
	{"Forgotten/fork", "P8", 2, forgetFork},
	{"Forgotten/stolen", "P8", 2, forgetStolen},
	{"Forgotten/submit", "P8", 2, forgetSubmit},
	{"Forgotten/spawn", "P8", 2, forgetSpawn},
	{"Forgotten/withdrawn", "P8", 2, forgetWithdrawn},
	{"Forgotten/queued", "P8", 2, forgetQueued},
	{"Forgotten/joined", "P8", 2, forgetJoined},
}

// poolLetGo are about what lies in no deque: a group, and labels.
var poolLetGo = []poolCase{
	{"Forgotten/group", "P8", 1, forgetGroup},
	{"Forgotten/labels", "P8", 1, forgetLabels},
	{"Forgotten/labels_of_joiner", "P8", 1, forgetJoinersLabels},
}

// A cargo is something large enough to have a block of its own, handed to the
// pool and back.
type cargo struct{ _ [128]byte }

// forget has use make cargo and hand it to the pool, and fails if any of it
// stays reachable once use has returned, by which time all was joined.
func forget(r *run, p *pool.Pool, what string, use func(load func() *cargo)) {
	r.T.Helper()
	var mu sync.Mutex
	var refs []weak.Pointer[cargo]
	func() {
		use(func() *cargo {
			mu.Lock()
			defer mu.Unlock()
			c := new(cargo)
			refs = append(refs, weak.Make(c))
			return c
		})
	}()
	left := 0
	// A worker may be on the last instructions of a job when its result is
	// there, so one look is not enough.
	for range 100 {
		runtime.GC()
		left = 0
		for _, ref := range refs {
			if ref.Value() != nil {
				left++
			}
		}
		if left == 0 {
			break
		}
		runtime.Gosched()
	}
	r.Check(left == 0, "P8", "of %d things handed to the pool and back (%s), %d are still reachable", len(refs), what, left)
	runtime.KeepAlive(p)
}

func pass(_ *pool.Worker, c *cargo) *cargo { return c }

func forgetRun(r *run, p *pool.Pool) {
	forget(r, p, "arguments and results of Run", func(load func() *cargo) {
		for range 10 {
			pool.Run(background, p, pass, load())
			c := load()
			pool.Run(background, p, func(*pool.Worker, int) *cargo { return c }, 0)
			caught(func() {
				pool.Run(background, p, func(*pool.Worker, *cargo) int { runtime.KeepAlive(c); panic("a panic") }, load())
			})
		}
	})
}

func forgetFork(r *run, p *pool.Pool) {
	forget(r, p, "arguments and results of forks", func(load func() *cargo) {
		for range 5 {
			enter(r, p, func(w *pool.Worker) int {
				f := pool.Fork(w, pass, load())
				g := pool.Fork(w, pass, load())
				c := load()
				h := pool.Fork(w, func(*pool.Worker, int) *cargo { return c }, 0)
				f.Join(w) // out of order
				h.Join(w)
				g.Join(w)
				pool.Fork(w, pass, load()) // and never
				caught(func() {
					pool.Both(w, func(*pool.Worker) int { panic(load()) }, func(*pool.Worker) *cargo { return c })
				})
				return 0
			})
		}
	})
}

func forgetStolen(r *run, p *pool.Pool) {
	forget(r, p, "what a stolen fork was given", func(load func() *cargo) {
		for range 5 {
			enter(r, p, func(w *pool.Worker) int {
				c := load()
				apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { runtime.KeepAlive(c) })
				return 0
			})
		}
	})
}

func forgetSubmit(r *run, p *pool.Pool) {
	forget(r, p, "functions and results of submitted jobs", func(load func() *cargo) {
		for range 10 {
			c := load()
			await(r, submit(r, p, func(*pool.Worker) *cargo { return c }))
			d := load()
			submit(r, p, func(*pool.Worker) int { panic(d) }).Wait(background)
		}
	})
}

// forgetQueued submits jobs behind two workers, which take several from the
// queue at a time.
func forgetQueued(r *run, p *pool.Pool) {
	r.During("P1", "submitted jobs run that were queued behind both workers")
	forget(r, p, "functions and results of jobs that were queued together", func(load func() *cargo) {
		free := blockWorkers(r, p, p.Workers())
		var handles []*pool.Handle[*cargo]
		for range 20 {
			c := load()
			handles = append(handles, submit(r, p, func(*pool.Worker) *cargo { return c }))
		}
		free()
		for _, h := range handles {
			await(r, h)
		}
	})
}

// forgetJoined has a job be set aside until another worker has run another one, and go
// on.
func forgetJoined(r *run, p *pool.Pool) {
	r.During("P5", "a job begins on the other worker, and the job that joins it is set aside")
	_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
		forget(r, p, "the result of a job that one which still runs was set aside for", func(load func() *cargo) {
			before, begun := p.Stats().SetAside, make(chan struct{})
			h := submit(r, p, func(*pool.Worker) *cargo {
				close(begun)
				r.Until(func() bool { return p.Stats().SetAside > before })
				return load()
			})
			r.Receive(begun)
			h.Join(w)
		})
		return 0
	}, 0)
	r.Check(err == nil, "P1", "Run returned the error %v", err)
}

func forgetSpawn(r *run, p *pool.Pool) {
	forget(r, p, "functions of spawned jobs", func(load func() *cargo) {
		for range 5 {
			enter(r, p, func(w *pool.Worker) int {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					for range 5 {
						c := load()
						s.Spawn(w, func(*pool.Worker) { runtime.KeepAlive(c) })
					}
				})
				return 0
			})
		}
	})
}

// forgetGroup has a job go on whose groups have ended.
func forgetGroup(r *run, p *pool.Pool) {
	var h *pool.Handle[int]
	free := make(chan struct{})
	forget(r, p, "contexts and functions of groups, while the job goes on", func(load func() *cargo) {
		ended := make(chan struct{})
		groups := func(w *pool.Worker) {
			for round := range 5 {
				limited := round%2 == 1
				ctx := context.WithValue(background, cargo{}, load())
				w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
					if limited {
						g.SetLimit(1)
					}
					for range 5 {
						c := load()
						g.Spawn(w, func(context.Context, *pool.Worker) error { runtime.KeepAlive(c); return nil })
					}
					return nil
				})
			}
		}
		h = submit(r, p, func(w *pool.Worker) int {
			groups(w)
			close(ended)
			r.Receive(free)
			return 0
		})
		r.During("P24", "groups end in a submitted job")
		r.Wait(ended)
	})
	close(free)
	await(r, h)
}

// forgetWithdrawn withdraws calls of Run that wait for a worker. Their places in
// the queue stay, for all workers are blocked.
func forgetWithdrawn(r *run, p *pool.Pool) {
	free := blockWorkers(r, p, p.Workers())
	r.During("P1", "Run returns whose context has ended while it waited for a worker")
	forget(r, p, "functions and arguments of calls of Run that were withdrawn", func(load func() *cargo) {
		for range 5 {
			ctx, cancel := context.WithCancel(background)
			c, done := load(), make(chan struct{})
			queued := p.Stats().Injected
			go func() {
				defer close(done)
				pool.Run(ctx, p, func(_ *pool.Worker, d *cargo) *cargo { runtime.KeepAlive(c); return d }, load())
			}()
			r.Until(func() bool { return p.Stats().Injected > queued })
			cancel()
			r.Wait(done)
		}
	})
	free()
}

// forgetLabels has a Run wait for the only worker, with a context that has profiler
// labels. The goroutines of the pool have them while its function runs, and no longer.
func forgetLabels(r *run, p *pool.Pool) {
	ctx, labelled := labels("forgotten")
	free, done := blockWorkers(r, p, 1), make(chan struct{})
	queued := p.Stats().Injected
	go func() {
		defer close(done)
		had, err := pool.Run(ctx, p, func(*pool.Worker, int) int { return labelled() }, 0)
		if had != 1 || err != nil {
			r.Report("P1", "a Run waits for a worker, with a context that has labels, and %d goroutines have them as it runs (%v), want 1", had, err)
		}
	}()
	r.During("P1", "Run waits for the only worker")
	r.Until(func() bool { return p.Stats().Injected > queued })
	next := submit(r, p, func(*pool.Worker) int { return labelled() })
	free()
	r.Wait(done)
	r.Check(await(r, next) == 0, "P8", "the labels of the context of a Run that has ended are those of a goroutine of the pool")
}

// forgetJoinersLabels has a job without a seat start another one by joining it, with
// profiler labels that are none of the other one's.
func forgetJoinersLabels(r *run, p *pool.Pool) {
	ctx, labelled := labels("joiner")
	had, err := pool.Run(background, p, func(w *pool.Worker, _ int) (had int) {
		w.Block(func() {
			free := blockWorkers(r, p, 1) // another job has the seat
			h := submit(r, p, func(*pool.Worker) int { return labelled() })
			pprof.SetGoroutineLabels(ctx)
			had, _ = h.Join(w)
			pprof.SetGoroutineLabels(background)
			free()
		})
		return had
	}, 0)
	r.Check(had == 1 && err == nil, "P8", "while a job with profiler labels joins another one, the goroutines of %d jobs have them (%v), want its own only", had, err)
}

// labels returns a context with a profiler label, and how many goroutines have that now.
func labels(value string) (ctx context.Context, labelled func() (goroutines int)) {
	return pprof.WithLabels(background, pprof.Labels("suite", value)), func() (goroutines int) {
		var profile strings.Builder
		if pprof.Lookup("goroutine").WriteTo(&profile, 1) != nil {
			return 0
		}
		// Behind a title there is a record for the goroutines in the same state, which
		// begins with their number.
		_, records, _ := strings.Cut(profile.String(), "\n")
		for _, record := range strings.Split(records, "\n\n") {
			if strings.Contains(record, `"suite":"`+value+`"`) {
				n, _, _ := strings.Cut(record, " ")
				alike, _ := strconv.Atoi(n)
				goroutines += alike
			}
		}
		return goroutines
	}
}

// A loadedDeque is one that is never used.
type loadedDeque struct {
	api.Deque[pool.Job]
	load *cargo
}

// A loadedSleep is one, too.
type loadedSleep struct {
	api.Sleep
	load *cargo
}

// forgetRefused has New be refused when it has some of its parts already.
func (s poolSuite) forgetRefused(r *run) {
	before := harness.GoroutinesNow()
	forget(r, nil, "the parts of a pool that New has refused to make", func(load func() *cargo) {
		for _, workers := range []int{1, 3} {
			made := 0
			_, err := s.new(
				pool.WithWorkers(workers),
				pool.WithSleep(func(int) (api.Sleep, error) { return &loadedSleep{load: load()}, nil }),
				pool.WithDeque(func() api.Deque[pool.Job] {
					if made++; made == workers {
						return nil
					}
					return &loadedDeque{load: load()}
				}),
			)
			r.Check(err != nil, "P10", "a pool of %d workers one of which has no deque is not refused", workers)
		}
	})
	err := harness.GoroutinesSince(before)
	r.Check(err == nil, "P8", "goroutines are left of a pool that New has refused to make: %v", err)
}

// closedUnderContext has use wait with a context, and closes the pool. The context
// lives on, and must not keep the pool.
func (s poolSuite) closedUnderContext(r *run, what string, use func(r *run, p *pool.Pool, ctx context.Context)) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	ref := func() weak.Pointer[pool.Pool] {
		p := s.start(r, 1)
		use(r, p, ctx)
		s.close(r, p)
		return weak.Make(p)
	}()
	for range 100 {
		if runtime.GC(); ref.Value() == nil {
			return
		}
		runtime.Gosched()
	}
	r.Fail("P8", "a closed pool is still reachable, by the context of %s that has returned", what)
}

// runUnderContext has a Run wait for a worker.
func runUnderContext(r *run, p *pool.Pool, ctx context.Context) {
	free, done := blockWorkers(r, p, 1), make(chan struct{})
	queued := p.Stats().Injected
	go func() {
		defer close(done)
		pool.Run(ctx, p, fib, 5)
	}()
	r.During("P11", "Run returns that has waited for a worker")
	r.Until(func() bool { return p.Stats().Injected > queued })
	free()
	r.Wait(done)
}

// submitUnderContext has a job wait for a worker, and another one be canceled.
func submitUnderContext(r *run, p *pool.Pool, ctx context.Context) {
	free := blockWorkers(r, p, 1)
	fn := func(context.Context, *pool.Worker) (int, error) { return 7, nil }
	runs, canceled := submitErr(r, p, ctx, fn), submitErr(r, p, ctx, fn)
	r.Check(canceled.Cancel(), "P20", "Cancel of a job that waits for a worker returned false")
	free()
	await(r, runs)
	runs = submitErr(r, p, ctx, fn)
	await(r, runs)
}

// waitUnderContext has a job wait for another one, which has not begun.
func waitUnderContext(r *run, p *pool.Pool, ctx context.Context) {
	r.During("P4", "Wait returns in a job of the only worker")
	enter(r, p, func(*pool.Worker) int {
		for _, h := range submitInside(r, p, 1, func() int { return 7 }) {
			h.Wait(ctx)
		}
		return 0
	})
}

package pool_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

// A cargo is something large enough to have a block of its own, handed to the pool and back.
type cargo struct{ _ [128]byte }

// cargoes are what was made of it, by what for.
type cargoes struct {
	mu   sync.Mutex
	refs map[string][]weak.Pointer[cargo]
}

func (a *cargoes) load(what string) *cargo {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := new(cargo)
	if a.refs == nil {
		a.refs = map[string][]weak.Pointer[cargo]{}
	}
	a.refs[what] = append(a.refs[what], weak.Make(c))
	return c
}

// left returns how many stay reachable, by what for. A worker may be on the last instructions of a
// job when its result is there, and have jobs in its deque that others have taken: so it looks up to
// a hundred times. Between two looks it sleeps: on a busy machine the worker's thread may come so
// late that the next collection has begun, which stops it.
func (a *cargoes) left() (left map[string]int) {
	for look := range time.Duration(100) {
		time.Sleep(look * time.Millisecond / 5)
		runtime.GC()
		left = map[string]int{}
		for what, all := range a.refs {
			for _, ref := range all {
				if ref.Value() != nil {
					left[what]++
				}
			}
		}
		if len(left) == 0 {
			break
		}
	}
	return left
}

// A hoard is a deque that keeps all that was ever pushed. Others keep a job for a
// while, until the slot is used again.
type hoard struct {
	api.Deque[pool.Job]
	kept []*pool.Job // by the owner
}

func (h *hoard) Push(j *pool.Job) {
	h.kept = append(h.kept, j)
	h.Deque.Push(j)
}

// If this fails, what users hand over, or panic with, stays in memory for as long
// as some deque, or the list of some scope, keeps the pointer to a job.
func TestEndedJobsReferToNothing(t *testing.T) {
	var all cargoes
	load := all.load
	var hoards []*hoard
	p := newPool(t, pool.WithWorkers(2), pool.WithEagerPublish(), pool.WithDeque(func() api.Deque[pool.Job] {
		h := &hoard{Deque: pool.DefaultDeque()}
		hoards = append(hoards, h)
		return h
	}))
	during(t, "P1", "jobs return, panic and exit", func() {
		for range 10 {
			do(t, p, func(w *pool.Worker) {
				c := load("function of a spawned job")
				scopeOf(w, func(*pool.Worker) { runtime.KeepAlive(c) })
				pool.Fork(w, pass, load("argument and result of a fork")).Join(w)
				recovered(func() { scopeOf(w, func(*pool.Worker) { panic(load("panic of a spawned job")) }) })
				recovered(func() { fork(w, func(*pool.Worker) int { panic(load("panic of a fork")) }).Join(w) })
				stolen(t, w, func(*pool.Worker) *cargo { return load("result of a stolen fork") }).Join(w)
				f := stolen(t, w, func(*pool.Worker) int { panic(load("panic of a stolen fork")) })
				recovered(func() { f.Join(w) })
			})
			_, err := submitted(t, p, func(w *pool.Worker) int {
				c := load("function of a spawned job that exits")
				scopeOf(w, func(*pool.Worker) { runtime.KeepAlive(c); runtime.Goexit() })
				return 0
			}).Wait(background)
			expect(t, errors.Is(err, pool.ErrGoexit), "P3: Wait returned %v, want ErrGoexit", err)
		}
	})
	untilSleeping(t, p)
	for what, n := range all.left() {
		t.Errorf("P8: %s: %d of %d are reachable by a job that has ended", what, n, len(all.refs[what]))
	}
	for _, h := range hoards {
		runtime.KeepAlive(h.kept)
	}
	runtime.KeepAlive(p)
}

// forgets has use make cargo and hand it to the pool, and fails if any of it stays reachable
// once use has returned, by which time all was joined.
func forgets(t *testing.T, use func(load func() *cargo)) {
	t.Helper()
	var all cargoes
	func() { use(func() *cargo { return all.load("") }) }()
	if n := all.left()[""]; n > 0 {
		t.Errorf("P8: of %d things handed to the pool and back, %d are still reachable", len(all.refs[""]), n)
	}
}

func pass(_ *pool.Worker, c *cargo) *cargo { return c }

// If this fails, an open pool keeps what users have handed over, and got back.
func TestForgotten(t *testing.T) {
	var cases []poolCase
	for name, use := range map[string]func(t *testing.T, p *pool.Pool, load func() *cargo){
		"run": func(t *testing.T, p *pool.Pool, load func() *cargo) {
			for range 10 {
				c := load()
				pool.Run(background, p, pass, load())
				pool.Run(background, p, func(*pool.Worker, int) *cargo { return c }, 0)
				recovered(func() {
					pool.Run(background, p, func(*pool.Worker, *cargo) int { runtime.KeepAlive(c); panic("a panic") }, load())
				})
			}
		},
		"fork": func(t *testing.T, p *pool.Pool, load func() *cargo) {
			for range 5 {
				do(t, p, func(w *pool.Worker) {
					f, g, c := pool.Fork(w, pass, load()), pool.Fork(w, pass, load()), load()
					h := fork(w, func(*pool.Worker) int { runtime.KeepAlive(c); return 0 })
					f.Join(w) // out of order
					h.Join(w)
					g.Join(w)
					pool.Fork(w, pass, load()) // and never
					recovered(func() {
						pool.Both(w, func(*pool.Worker) int { panic(load()) }, func(*pool.Worker) *cargo { return c })
					})
				})
			}
		},
		"submit": func(t *testing.T, p *pool.Pool, load func() *cargo) {
			for range 10 {
				c, d := load(), load()
				result(t, submitted(t, p, func(*pool.Worker) *cargo { return c }))
				submitted(t, p, func(*pool.Worker) int { panic(d) }).Wait(background)
			}
		},
		"queued": func(t *testing.T, p *pool.Pool, load func() *cargo) { // workers take several from the queue at a time
			free := hold(t, p, p.Workers())
			var handles []*pool.Handle[*cargo]
			for range 20 {
				c := load()
				handles = append(handles, submitted(t, p, func(*pool.Worker) *cargo { return c }))
			}
			free()
			for _, h := range handles {
				result(t, h)
			}
		},
	} {
		cases = append(cases, poolCase{name, "P8", func(t *testing.T, p *pool.Pool) {
			forgets(t, func(load func() *cargo) { use(t, p, load) })
		}})
	}
	cases = append(cases, poolCase{"withdrawn", "P8", func(t *testing.T, p *pool.Pool) { // their places in the queue stay
		free := hold(t, p, p.Workers())
		forgets(t, func(load func() *cargo) {
			for range 5 {
				ctx, cancel := context.WithCancel(background)
				c := load()
				h, d := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) { runtime.KeepAlive(c); return 0, nil }), load()
				cancel()
				h.Wait(background)
				runtime.KeepAlive(d)
			}
		})
		free()
	}})
	// While the job goes on that has used them.
	for name, use := range map[string]func(t *testing.T, w *pool.Worker, load func() *cargo){
		"joined": func(t *testing.T, w *pool.Worker, load func() *cargo) {
			p := w.Pool()
			before, begun := p.Stats().SetAside, make(chan bool)
			h := submitted(t, p, func(*pool.Worker) *cargo {
				close(begun)
				until(t, "the job that joins is set aside", func() bool { return p.Stats().SetAside > before })
				return load()
			})
			<-begun
			h.Join(w)
		},
		"group": func(t *testing.T, w *pool.Worker, load func() *cargo) {
			for round := range 5 {
				w.Group(context.WithValue(background, contextKey{}, load()), func(_ context.Context, w *pool.Worker, g *pool.Group) error {
					if round%2 == 1 {
						g.SetLimit(1)
					}
					for range 5 {
						c := load()
						g.Spawn(w, func(context.Context, *pool.Worker) error { runtime.KeepAlive(c); return nil })
					}
					return nil
				})
			}
		},
	} {
		cases = append(cases, poolCase{name, "P8", func(t *testing.T, p *pool.Pool) {
			do(t, p, func(w *pool.Worker) { forgets(t, func(load func() *cargo) { use(t, w, load) }) })
		}})
	}
	eachCase(t, cases, 2)
}

// A loadedDeque and a loadedSleep are never used.
type (
	loadedDeque struct {
		api.Deque[pool.Job]
		load *cargo
	}
	loadedSleep struct {
		api.Sleep
		load *cargo
	}
)

// If this fails, a pool that New has refused to make, when it has some of its parts already,
// stays in memory.
func TestRefusedIsForgotten(t *testing.T) {
	for _, workers := range []int{1, 3} {
		forgets(t, func(load func() *cargo) {
			made := 0
			_, err := pool.New(
				pool.WithWorkers(workers),
				pool.WithSleep(func(int) (api.Sleep, error) { return &loadedSleep{load: load()}, nil }),
				pool.WithDeque(func() api.Deque[pool.Job] {
					if made++; made == workers {
						return nil
					}
					return &loadedDeque{load: load()}
				}),
			)
			check(t, err != nil, "P10: a pool of %d workers one of which has no deque is not refused", workers)
		})
	}
}

// If this fails, a context that lives on keeps a closed pool, because somebody has waited with
// it there.
func TestContextOutlivesPool(t *testing.T) {
	fn := func(context.Context, *pool.Worker) (int, error) { return 7, nil }
	for name, use := range map[string]func(p *pool.Pool, ctx context.Context){
		"Run": func(p *pool.Pool, ctx context.Context) { whileBusy(t, p, func() { pool.Run(ctx, p, fib, 5) }) },
		"SubmitErr": func(p *pool.Pool, ctx context.Context) {
			free := hold(t, p, 1)
			runs, canceled := submittedErr(t, p, ctx, fn), submittedErr(t, p, ctx, fn)
			check(t, canceled.Cancel(), "P20: Cancel of a job that waits for a worker returned false")
			free()
			result(t, runs)
			result(t, submittedErr(t, p, ctx, fn))
		},
		"Wait": func(p *pool.Pool, ctx context.Context) {
			do(t, p, func(*pool.Worker) { submitted(t, p, nothing).Wait(ctx) })
		},
	} {
		subtest(t, name, "P8", "a closed pool is collected", func(t *testing.T) {
			ctx, cancel := context.WithCancel(background)
			defer cancel()
			ref := func() weak.Pointer[pool.Pool] {
				p, err := pool.New(pool.WithWorkers(1))
				check(t, err == nil, "P29: New returned the error %v", err)
				use(p, ctx)
				check(t, p.Close() == nil, "P6: Close returned an error")
				return weak.Make(p)
			}()
			until(t, "a closed pool is collected, with whose context somebody has waited there", func() bool {
				runtime.GC()
				return ref.Value() == nil
			})
		})
	}
}

// If this fails, a program cannot find out which pool it has forgotten: something keeps
// what the goroutines of its workers wait for. Or it is told of leaks that there are not.
//
// The profile is in Go 1.26 with GOEXPERIMENT=goroutineleakprofile.
func TestForgottenPoolShows(t *testing.T) {
	profile := pprof.Lookup("goroutineleak")
	if profile == nil {
		t.Skip("this Go has no profile of leaked goroutines")
	}
	// leaked counts the leaked goroutines that sleep for want of work.
	leaked := func() (n int) {
		var s strings.Builder
		noError(t, profile.WriteTo(&s, 2), "P30: the profile of leaks cannot be written:")
		for g := range strings.SplitSeq(s.String(), "\n\n") {
			if strings.Contains(g, "(leaked)") && strings.Contains(g, "pool.(*seat).await(") {
				n++
			}
		}
		return n
	}
	used := func(p *pool.Pool) {
		equal(t, mustRun(t, p, fib, 15), 610, "P1: fib(15) is")
		untilSleeping(t, p)
	}
	p := poolOf(t, 2)
	used(p)
	equal(t, leaked(), 0, "P30: New: the number of goroutines of pools in use that count as leaked is")
	func() {
		forgotten, err := pool.New(pool.WithWorkers(2))
		check(t, err == nil, "P29: New returned the error %v", err)
		used(forgotten)
	}()
	during(t, "P30", "the two goroutines of a pool that was forgotten show in the profile of leaks", func() {
		for leaked() != 2 {
			runtime.Gosched()
		}
	})
	runtime.KeepAlive(p)
}

// A worker at rest holds at most 3.5 KiB besides its goroutine, also after a deep
// recursion. The pool is so large that one worker's share of what else the program
// holds is small, but for the threads that Go may start meanwhile: it keeps those, so
// the smallest of some pools counts.
func TestMemoryAtRest(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand workers take a second")
	}
	const workers, most = 1001, 3584
	describe(3 * workers)
	least := int64(math.MaxInt64)
	for tries := 0; tries < 10 && least > most; tries++ {
		least = min(least, bytesAtRest(t, workers)/workers)
	}
	expect(t, least <= most, "Cost: a worker at rest holds %d bytes, want at most %d", least, most)
	t.Logf("a worker at rest holds %d bytes", least)
}

// bytesAtRest returns how many bytes a pool of so many workers holds at rest. No job waits for
// another one here: for those that do, a seat keeps up to three workers more.
func bytesAtRest(t *testing.T, workers int) int64 {
	heap := func() int64 {
		collect()
		return int64(memory().HeapAlloc)
	}
	before := heap()
	p := poolOf(t, workers)
	// All of them meet, so each has a job, and so deep a stack of frames. They meet
	// again when that is over: until then nobody is idle, and steals.
	during(t, "P5", "as many jobs as there are workers meet, return from deep recursions, and meet again", func() {
		var met, again sync.WaitGroup
		met.Add(workers)
		again.Add(workers)
		give(t, 2584, submittedTimes(t, p, workers, func(w *pool.Worker) int {
			met.Done()
			met.Wait()
			defer again.Wait()
			defer again.Done()
			return fib(w, 18)
		}), "P1: fib(18) is")
	})
	untilSleeping(t, p)
	held := heap() - before
	noError(t, p.Close(), "P6: Close returned")
	return held
}

// describe lets so many goroutines begin and end. Go keeps the descriptor of a
// goroutine, half a KiB, when that has ended. How many there are at most is chance,
// so a measurement begins with enough of them.
func describe(goroutines int) {
	var idle sync.WaitGroup
	release := make(chan bool)
	for range goroutines {
		idle.Go(func() { <-release })
	}
	close(release)
	idle.Wait()
}

func memory() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}

// collect frees what nothing refers to, and what finalizers and pools held on to.
func collect() {
	runtime.GC()
	runtime.GC()
}

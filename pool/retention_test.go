package pool_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

func pass(_ *pool.Worker, c *cargo) *cargo { return c }

// If this fails, an open pool keeps what users have handed over, and got back.
func TestForgotten(t *testing.T) {
	type loader = func() *cargo
	var cases []poolCase
	add := func(name string, inJob bool, use func(p *pool.Pool, load loader)) {
		cases = append(cases, poolCase{name, "P8", func(t *testing.T, p *pool.Pool) {
			check := func() {
				var all cargoes
				func() { use(p, func() *cargo { return all.load("") }) }()
				n := all.left()[""]
				expect(t, n == 0, "P8: of %d things handed to the pool and back, %d are still reachable", len(all.refs[""]), n)
			}
			if inJob { // which goes on
				do(t, p, func(*pool.Worker) { check() })
			} else {
				check()
			}
		}})
	}
	add("run", false, func(p *pool.Pool, load loader) {
		for range 10 {
			c := load()
			pool.Run(background, p, pass, load())
			pool.Run(background, p, func(*pool.Worker, int) *cargo { return c }, 0)
			recovered(func() {
				pool.Run(background, p, func(*pool.Worker, *cargo) int { runtime.KeepAlive(c); panic("a panic") }, load())
			})
		}
	})
	add("fork", false, func(p *pool.Pool, load loader) {
		forks := func(w *pool.Worker) {
			var in [4]pool.Forked[*cargo, *cargo]
			for i := range in {
				in[i] = pool.Fork(w, pass, load())
			}
			for _, h := range slices.Backward(in[:]) {
				h.Join(w) // the last one's place is not used again
			}
			f, g, c := pool.Fork(w, pass, load()), pool.Fork(w, pass, load()), load()
			h := fork(w, func(*pool.Worker) int { runtime.KeepAlive(c); return 0 })
			f.Join(w) // out of order
			h.Join(w)
			g.Join(w)
			//lint:ignore rouseworker left behind
			pool.Fork(w, pass, load()) // and never
			recovered(func() {
				pool.Both(w, func(*pool.Worker) int { panic(load()) }, func(*pool.Worker) *cargo { return c })
			})
		}
		for range 4 {
			do(t, p, forks)
		}
		defer hold(t, p, p.Workers())()
		do(t, p, forks) // none is stolen: the join of a stolen one clears its frame at once
	})
	add("queued", false, func(p *pool.Pool, load loader) { // workers take several from the queue at a time
		free := hold(t, p, p.Workers())
		handles := submittedTimes(t, p, 20, func(*pool.Worker) *cargo { return load() })
		free()
		for _, h := range handles {
			result(t, h)
		}
	})
	add("withdrawn", false, func(p *pool.Pool, load loader) { // their places in the queue stay
		free := hold(t, p, p.Workers())
		defer free()
		for range 5 {
			c := load()
			h := submitted(t, p, func(*pool.Worker) int { runtime.KeepAlive(c); return 0 })
			check(t, h.Cancel(), "P20: a job that is queued cannot be canceled")
		}
	})
	add("given_up", true, func(p *pool.Pool, load loader) { // waits, of a job for another one
		h, release := held(t, p)
		defer release()
		for range 5 {
			ctx, cancel := context.WithTimeout(context.WithValue(background, contextKey{}, load()), time.Microsecond)
			fails(t, context.DeadlineExceeded, "P1: Wait, whose time is over, returned")(h.Wait(ctx))
			cancel()
		}
	})
	add("joined", true, func(p *pool.Pool, load loader) {
		before, begun := p.Stats().SetAside, make(chan bool)
		h := submitted(t, p, func(*pool.Worker) *cargo {
			close(begun)
			until(t, "the job that joins is set aside", func() bool { return p.Stats().SetAside > before })
			return load()
		})
		<-begun
		h.Wait(background)
	})
	add("group", true, func(p *pool.Pool, load loader) {
		for round := range 5 {
			pool.RunGroup(context.WithValue(background, contextKey{}, load()), p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.SetLimit(1 + 100*(round%2))
				for range 5 {
					c := load()
					g.Spawn(w, func(context.Context, *pool.Worker) error { runtime.KeepAlive(c); return nil })
				}
				return nil
			})
		}
	})
	eachCase(t, cases, 2)
}

// If this fails, a context that lives on keeps a closed pool, because somebody has waited with
// it there.
func TestContextOutlivesPool(t *testing.T) {
	fn := func(context.Context, *pool.Worker) (int, error) { return 7, nil }
	for name, use := range map[string]func(p *pool.Pool, ctx context.Context){
		"SubmitErr": func(p *pool.Pool, ctx context.Context) {
			free := hold(t, p, 1)
			runs, canceled := submittedErr(t, p, ctx, fn), submittedErr(t, p, ctx, fn)
			check(t, canceled.Cancel(), "P20: Cancel of a job that waits for a worker returned false")
			free()
			result(t, runs)
			result(t, submittedErr(t, p, ctx, fn))
		},
		"Wait": func(p *pool.Pool, ctx context.Context) {
			untilSleeping(t, p) // so that the job has the only worker
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
	p := poolOf(t, 2)
	func() {
		forgotten, err := pool.New(pool.WithWorkers(2))
		check(t, err == nil, "P29: New returned the error %v", err)
		mustRun(t, forgotten, fib, 15)
		untilSleeping(t, forgotten)
	}()
	during(t, "P30", "the two goroutines of a pool that was forgotten show in the profile of leaks, and no others", func() {
		for leaked := 0; leaked != 2; runtime.Gosched() {
			var s strings.Builder
			noError(t, profile.WriteTo(&s, 2), "P30: the profile of leaks cannot be written:")
			leaked = 0
			for g := range strings.SplitSeq(s.String(), "\n\n") {
				if strings.Contains(g, "(leaked)") && strings.Contains(g, "pool.(*seat).awaitJob(") {
					leaked++
				}
			}
		}
	})
	runtime.KeepAlive(p)
}

// A worker at rest holds at most 3.5 KiB besides its goroutine, also after a deep
// recursion. The pool is so large that one worker's share of what else the program
// holds is small, but for threads and descriptors of goroutines, which Go keeps: so the
// smallest of some pools counts.
func TestMemoryAtRest(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand workers take a second")
	}
	const workers, most = 1001, 3584
	least := int64(math.MaxInt64)
	for tries := 0; tries < 10 && least > most; tries++ {
		before := pool.Heap()
		p := poolOf(t, workers)
		during(t, "P5", "as many jobs as there are workers meet, and meet again after deep recursions", func() {
			var met, again atomic.Int32
			all := func(n *atomic.Int32) {
				n.Add(1)
				until(t, "all workers have met", func() bool { return n.Load() == workers })
			}
			// Nobody is idle until they meet again, and steals.
			give(t, 2584, submittedTimes(t, p, workers, func(w *pool.Worker) int {
				all(&met)
				defer all(&again)
				return fib(w, 18)
			}), "P1: fib(18) is")
		})
		untilSleeping(t, p)
		least = min(least, (pool.Heap()-before)/workers)
		noError(t, p.Close(), "P6: Close returned")
	}
	expect(t, least <= most, "Cost: a worker at rest holds %d bytes, want at most %d", least, most)
}

package pool_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

// A cargo is something large enough to have a block of its own, handed to the pool and back.
type cargo struct{ _ [128]byte }

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
	var mu sync.Mutex
	loaded := map[string][]weak.Pointer[cargo]{}
	load := func(what string) *cargo {
		mu.Lock()
		defer mu.Unlock()
		c := new(cargo)
		loaded[what] = append(loaded[what], weak.Make(c))
		return c
	}
	var hoards []*hoard
	p := newPool(t, pool.WithWorkers(2), pool.WithEagerPublish(), pool.WithDeque(func() api.Deque[pool.Job] {
		h := &hoard{Deque: pool.DefaultDeque()}
		hoards = append(hoards, h)
		return h
	}))
	spawn := func(w *pool.Worker, fn func()) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) { fn() }) })
	}
	during(t, "P1", "jobs return, panic and exit", func() {
		for range 10 {
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				c := load("function of a spawned job")
				spawn(w, func() { runtime.KeepAlive(c) })
				pool.Fork(w, func(_ *pool.Worker, c *cargo) *cargo { return c }, load("argument and result of a fork")).Join(w)
				recovered(func() { spawn(w, func() { panic(load("panic of a spawned job")) }) })
				recovered(func() {
					pool.Fork(w, func(*pool.Worker, int) int { panic(load("panic of a fork")) }, 0).Join(w)
				})
				stolen(t, w, func(*pool.Worker) *cargo { return load("result of a stolen fork") }).Join(w)
				f := stolen(t, w, func(*pool.Worker) int { panic(load("panic of a stolen fork")) })
				recovered(func() { f.Join(w) })
				return 0
			}, 0)
			h := submitted(t, p, func(w *pool.Worker) int {
				c := load("function of a spawned job that exits")
				spawn(w, func() { runtime.KeepAlive(c); runtime.Goexit() })
				return 0
			})
			if _, err := h.Wait(background); !errors.Is(err, pool.ErrGoexit) {
				t.Errorf("P3: Wait returned %v, want ErrGoexit", err)
			}
		}
	})
	during(t, "S7", "the workers sleep after the last job", func() {
		until(t, "all workers sleep", func() bool { return p.Sleeping() == p.Workers() })
	})
	for range 3 {
		runtime.GC()
	}
	for what, all := range loaded {
		left := 0
		for _, c := range all {
			if c.Value() != nil {
				left++
			}
		}
		if left > 0 {
			t.Errorf("P8: %s: %d of %d are reachable by a job that has ended", what, left, len(all))
		}
	}
	for _, h := range hoards {
		runtime.KeepAlive(h.kept)
	}
	runtime.KeepAlive(p)
}

// forgets has use make cargo and hand it to the pool, and fails if any of it stays reachable
// once use has returned, by which time all was joined.
func forgets(t *testing.T, what string, use func(load func() *cargo)) {
	t.Helper()
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
	left := -1
	// A worker may be on the last instructions of a job when its result is there, so one look is
	// not enough.
	for range 100 {
		runtime.GC()
		left = 0
		for _, ref := range refs {
			if ref.Value() != nil {
				left++
			}
		}
		if left == 0 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("P8: of %d things handed to the pool and back (%s), %d are still reachable", len(refs), what, left)
}

func pass(_ *pool.Worker, c *cargo) *cargo { return c }

// If this fails, an open pool keeps what users have handed over, and got back.
func TestForgotten(t *testing.T) {
	eachCase(t, []poolCase{
		{"run", "P8", func(t *testing.T, p *pool.Pool) {
			forgets(t, "arguments and results of Run", func(load func() *cargo) {
				for range 10 {
					c := load()
					pool.Run(background, p, pass, load())
					pool.Run(background, p, func(*pool.Worker, int) *cargo { return c }, 0)
					recovered(func() {
						pool.Run(background, p, func(*pool.Worker, *cargo) int { runtime.KeepAlive(c); panic("a panic") }, load())
					})
				}
			})
		}},
		{"fork", "P8", func(t *testing.T, p *pool.Pool) {
			forgets(t, "arguments and results of forks", func(load func() *cargo) {
				for range 5 {
					enter(t, p, func(w *pool.Worker) int {
						f, g, c := pool.Fork(w, pass, load()), pool.Fork(w, pass, load()), load()
						h := fork(w, func(*pool.Worker) int { runtime.KeepAlive(c); return 0 })
						f.Join(w) // out of order
						h.Join(w)
						g.Join(w)
						pool.Fork(w, pass, load()) // and never
						recovered(func() {
							pool.Both(w, func(*pool.Worker) int { panic(load()) }, func(*pool.Worker) *cargo { return c })
						})
						return 0
					})
				}
			})
		}},
		{"submit", "P8", func(t *testing.T, p *pool.Pool) {
			forgets(t, "functions and results of submitted jobs", func(load func() *cargo) {
				for range 10 {
					c, d := load(), load()
					result(t, submitted(t, p, func(*pool.Worker) *cargo { return c }))
					submitted(t, p, func(*pool.Worker) int { panic(d) }).Wait(background)
				}
			})
		}},
		{"queued", "P8", func(t *testing.T, p *pool.Pool) { // workers take several from the queue at a time
			forgets(t, "functions and results of jobs that were queued together", func(load func() *cargo) {
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
			})
		}},
		{"withdrawn", "P8", func(t *testing.T, p *pool.Pool) { // their places in the queue stay
			free := hold(t, p, p.Workers())
			forgets(t, "functions and arguments of calls of Run that were withdrawn", func(load func() *cargo) {
				for range 5 {
					ctx, cancel := context.WithCancel(background)
					c := load()
					done := queued(t, p, func() {
						pool.Run(ctx, p, func(_ *pool.Worker, d *cargo) *cargo { runtime.KeepAlive(c); return d }, load())
					})
					cancel()
					<-done
				}
			})
			free()
		}},
		{"joined", "P8", func(t *testing.T, p *pool.Pool) {
			enter(t, p, func(w *pool.Worker) int {
				forgets(t, "the result of a job that one which still runs was set aside for", func(load func() *cargo) {
					before, begun := p.Stats().SetAside, make(chan bool)
					h := submitted(t, p, func(*pool.Worker) *cargo {
						close(begun)
						until(t, "the job that joins is set aside", func() bool { return p.Stats().SetAside > before })
						return load()
					})
					<-begun
					h.Join(w)
				})
				return 0
			})
		}},
		{"group", "P8", func(t *testing.T, p *pool.Pool) {
			enter(t, p, func(w *pool.Worker) int {
				forgets(t, "contexts and functions of groups, while the job goes on", func(load func() *cargo) {
					for round := range 5 {
						ctx := context.WithValue(background, contextKey{}, load())
						w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
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
				})
				return 0
			})
		}},
	}, 2)
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
		forgets(t, "the parts of a pool that New has refused to make", func(load func() *cargo) {
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
		"Run": func(p *pool.Pool, ctx context.Context) {
			free := hold(t, p, 1)
			done := queued(t, p, func() { pool.Run(ctx, p, fib, 5) })
			free()
			<-done
		},
		"SubmitErr": func(p *pool.Pool, ctx context.Context) {
			free := hold(t, p, 1)
			runs, canceled := submittedErr(t, p, ctx, fn), submittedErr(t, p, ctx, fn)
			check(t, canceled.Cancel(), "P20: Cancel of a job that waits for a worker returned false")
			free()
			result(t, runs)
			result(t, submittedErr(t, p, ctx, fn))
		},
		"Wait": func(p *pool.Pool, ctx context.Context) {
			enter(t, p, func(*pool.Worker) int {
				n, _ := submitted(t, p, func(*pool.Worker) int { return 7 }).Wait(ctx)
				return n
			})
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

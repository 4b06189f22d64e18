package conformance

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// What Group.SetLimit promises. With one worker, too.
var poolLimit = []poolCase{
	{name: "Group/limit/bound", rule: "P24", run: limitBounds},
	{name: "Group/limit/in_Block", rule: "P24", run: limitInBlock},
	{name: "Group/limit/order", rule: "P24", run: limitOrder},
	{name: "Group/limit/spawned_by_jobs", rule: "P24", run: limitSpawnedByJobs},
	{name: "Group/limit/nested", rule: "P24", run: limitNested},
	{name: "Group/limit/context_ends", rule: "P24", run: limitContextEnds},
	{name: "Group/limit/error", rule: "P24", run: limitError},
	{name: "Group/limit/panic", rule: "P24", run: limitPanics},
	{name: "Group/limit/Goexit", rule: "P24", run: limitExits},
	{name: "Group/limit/Close", rule: "P6", run: limitWhileClosing},
	{name: "Group/limit/misuse", rule: "P29", run: limitMisuse},
}

// A crossing counts the jobs that are in it.
type crossing struct{ now, most, passed atomic.Int32 }

func (c *crossing) enter() {
	n := c.now.Add(1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
		continue
	}
}

func (c *crossing) leave() {
	c.passed.Add(1)
	c.now.Add(-1)
}

// within checks that all have passed, and never more than so many at once.
func (c *crossing) within(r *run, limit, jobs int32) {
	r.T.Helper()
	r.Check(c.most.Load() <= limit, "P24", "%d jobs of a group with a limit of %d have been under way at once", c.most.Load(), limit)
	r.Check(c.passed.Load() == jobs, "P24", "%d of %d jobs of a group with a limit of %d have run", c.passed.Load(), jobs, limit)
}

// limitBounds has jobs that fork, wait and spawn, in groups with several limits.
func limitBounds(r *run, p *pool.Pool) {
	const jobs = 40
	for _, limit := range []int32{1, 2, 3, jobs, 2 * jobs} {
		var c crossing
		err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.SetLimit(int(limit))
			for i := range jobs {
				g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
					c.enter()
					defer c.leave()
					switch i % 4 {
					case 0:
						fib(w, 6)
					case 1:
						w.Block(runtime.Gosched)
					case 2:
						w.Scope(func(w *pool.Worker, s *pool.Scope) {
							for range 3 {
								s.Spawn(w, func(*pool.Worker) { runtime.Gosched() })
							}
						})
					}
					return nil
				})
			}
			return nil
		})
		r.Check(err == nil, "P24", "a group with a limit and without errors returned %v", err)
		c.within(r, limit, jobs)
	}
	fullWidth(r, p)
}

// limitInBlock has as many jobs in Block as the limit allows, more than there are workers,
// and Spawn returns meanwhile.
func limitInBlock(r *run, p *pool.Pool) {
	const limit, jobs = 5, 20
	var c crossing
	release := make(chan struct{})
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.SetLimit(limit)
		for range jobs {
			g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
				c.enter()
				defer c.leave()
				w.Block(func() { r.Receive(release) })
				return nil
			})
		}
		r.During("P24", "as many jobs of a group as its limit allows are in Block")
		w.Block(func() { r.Until(func() bool { return c.now.Load() == limit }) })
		close(release)
		return nil
	})
	r.Check(err == nil, "P24", "a group whose jobs are in Block returned %v", err)
	c.within(r, limit, jobs)
	fullWidth(r, p)
}

// limitOrder has one job after the other, in the order of Spawn, whichever worker ends one.
func limitOrder(r *run, p *pool.Pool) {
	const jobs = 100
	var order []int // by one job at a time
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.SetLimit(1)
		for i := range jobs {
			g.Spawn(w, func(context.Context, *pool.Worker) error {
				order = append(order, i)
				if i%7 == 0 {
					runtime.Gosched()
				}
				return nil
			})
		}
		return nil
	})
	r.Check(err == nil && len(order) == jobs, "P24", "%d of %d jobs of a group with a limit of 1 have run, and it returned %v", len(order), jobs, err)
	for i, n := range order {
		r.Check(i == n, "P24", "job %d of a group with a limit of 1 was begun as number %d", n, i)
	}
}

// limitSpawnedByJobs has jobs spawn into their own group, which is full.
func limitSpawnedByJobs(r *run, p *pool.Pool) {
	for _, limit := range []int32{1, 2} {
		var c crossing
		err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.SetLimit(int(limit))
			var tree func(depth int) failing
			tree = func(depth int) failing {
				return func(_ context.Context, w *pool.Worker) error {
					c.enter()
					defer c.leave()
					for range 2 {
						if depth > 0 {
							g.Spawn(w, tree(depth-1))
						}
					}
					return nil
				}
			}
			g.Spawn(w, tree(6))
			return nil
		})
		r.Check(err == nil, "P24", "a group into which its jobs spawn returned %v", err)
		c.within(r, limit, 1<<7-1)
	}
}

// limitNested has each job of a group wait for one of its own, both with a limit of 1.
func limitNested(r *run, p *pool.Pool) {
	var outer, inner crossing
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.SetLimit(1)
		for range 5 {
			g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
				outer.enter()
				defer outer.leave()
				return w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
					g.SetLimit(1)
					for range 5 {
						g.Spawn(w, func(context.Context, *pool.Worker) error {
							inner.enter()
							defer inner.leave()
							runtime.Gosched()
							return nil
						})
					}
					return nil
				})
			})
		}
		return nil
	})
	r.Check(err == nil, "P24", "a group of groups returned %v", err)
	outer.within(r, 1, 5)
	inner.within(r, 1, 25)
}

// limitContextEnds ends the context while jobs are kept, and then spawns more.
func limitContextEnds(r *run, p *pool.Pool) {
	ctx, cancel := context.WithCancel(background)
	var began atomic.Int32
	err := group(r, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.SetLimit(2)
		c := newCrowd(2)
		for range 2 {
			g.Spawn(w, c.job(r, context.Canceled, nil))
		}
		spawn := func() {
			for range 50 {
				g.Spawn(w, func(context.Context, *pool.Worker) error { began.Add(1); return nil })
			}
		}
		spawn()
		c.all(r, w)
		cancel()
		spawn()
		return nil
	})
	r.Check(err == context.Canceled, "P24", "the context ended while jobs of a group were kept: Group returned %v, want the context's error", err)
	r.Check(began.Load() == 0, "P24", "%d jobs began that were kept when the context of their group ended", began.Load())
	fullWidth(r, p)
}

// limitError has the only job that may run fail, while others are kept.
func limitError(r *run, p *pool.Pool) {
	why := &thrown{"why"}
	began := 0
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.SetLimit(1)
		for range 5 {
			g.Spawn(w, func(context.Context, *pool.Worker) error { began++; return nil })
		}
		g.Spawn(w, func(context.Context, *pool.Worker) error { began++; return why })
		for range 50 {
			g.Spawn(w, func(context.Context, *pool.Worker) error { began++; return nil })
		}
		return nil
	})
	r.Check(err == error(why), "P24", "the sixth job of a group failed: Group returned %v, want its error", err)
	r.Check(began == 6, "P24", "the sixth job of a group with a limit of 1 failed, and %d have begun", began)
}

// limitPanics has a job panic, while others are kept.
func limitPanics(r *run, p *pool.Pool) {
	value := &thrown{"value"}
	began := 0
	enter(r, p, func(w *pool.Worker) int {
		got := caught(func() {
			w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.SetLimit(1)
				g.Spawn(w, func(context.Context, *pool.Worker) error { panic(value) })
				for range 50 {
					g.Spawn(w, func(context.Context, *pool.Worker) error { began++; return nil })
				}
				return nil
			})
		})
		r.Check(got == any(value), "P2", "a job of a group with a limit panicked with %v, and the group with %v", value, got)
		return 0
	})
	r.Check(began == 0, "P24", "%d jobs began that were kept when a job of their group panicked", began)
	fullWidth(r, p)
}

// limitExits has a job call Goexit, while others are kept.
func limitExits(r *run, p *pool.Pool) {
	began := 0
	h := submit(r, p, func(w *pool.Worker) int {
		w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.SetLimit(1)
			g.Spawn(w, func(context.Context, *pool.Worker) error { runtime.Goexit(); return nil })
			for range 50 {
				g.Spawn(w, func(context.Context, *pool.Worker) error { began++; return nil })
			}
			return nil
		})
		return 0
	})
	_, err := h.Wait(background)
	r.Check(err == pool.ErrGoexit, "P3", "a job of a group with a limit called Goexit: Wait returned %v, want ErrGoexit", err)
	r.Check(began == 0, "P24", "%d jobs began that were kept when a job of their group called Goexit", began)
	fullWidth(r, p)
}

// limitWhileClosing has Close wait for jobs that are kept.
func limitWhileClosing(r *run, p *pool.Pool) {
	var c crossing
	kept, release := make(chan struct{}), make(chan struct{})
	h := submit(r, p, func(w *pool.Worker) error {
		return w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.SetLimit(1)
			for range 20 {
				g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
					c.enter()
					defer c.leave()
					w.Block(func() { r.Receive(release) })
					return nil
				})
			}
			close(kept)
			return nil
		})
	})
	r.During("P24", "jobs of a group are kept")
	r.Wait(kept)
	var fails error
	closed := make(chan struct{})
	go func() { defer close(closed); fails = p.Close() }()
	r.During("P6", "the pool refuses jobs, since Close was called")
	r.Until(func() bool { return pool.Go(p, func(*pool.Worker) {}) == pool.ErrClosed })
	close(release)
	r.During("P6", "Close waits for the jobs of a group that are kept, and returns")
	r.Wait(closed)
	r.Check(fails == nil, "P6", "Close returned %v", fails)
	failed, err := h.Wait(background)
	r.Check(failed == nil && err == nil, "P6", "a group of a pool that closed meanwhile returned %v, and its job %v", failed, err)
	c.within(r, 1, 20)
}

// limitMisuse has limits that are none, or come too late.
func limitMisuse(r *run, p *pool.Pool) {
	said := func(what, want string, f func()) {
		if v, ok := caught(f).(string); !ok || !strings.Contains(v, want) {
			r.Report("P29", "%s panics with %v, want a message that says %q", what, v, want)
		}
	}
	ran := 0
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for _, n := range []int{0, -1} {
			said("SetLimit below 1", "must be at least 1", func() { g.SetLimit(n) })
		}
		g.SetLimit(1)
		said("a second SetLimit", "before the first Spawn", func() { g.SetLimit(3) })
		release := make(chan struct{})
		defer close(release)
		spawn := func() {
			g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
				w.Block(func() { r.Receive(release) })
				ran++
				return nil
			})
		}
		w.Block(func() { complains(r, "P29", "Spawn in Block, in a group with room", spawn) })
		spawn()
		w.Block(func() { complains(r, "P29", "Spawn in Block, in a group without room", spawn) })
		return nil
	})
	r.Check(err == nil && ran == 1, "P29", "after misuse that was refused a group returned %v, and its only job was run %d times", err, ran)
	err = group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(context.Context, *pool.Worker) error { return nil })
		said("SetLimit after Spawn", "before the first Spawn", func() { g.SetLimit(2) })
		return nil
	})
	r.Check(err == nil, "P29", "after a SetLimit that was refused a group returned %v", err)
}

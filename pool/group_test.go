package pool_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What Worker.Group, RunGroup and Group.SetLimit promise.
func TestGroup(t *testing.T) {
	eachCase(t, []poolCase{
		{"returns", "P24", groupReturns},
		{"fails", "P24", groupFails},
		{"skipped", "P24", groupSkips},
		{"context_ends", "P24", groupContextEnds},
		{"nested", "P24", groupNested},
		{"in_a_scope", "P24", groupInScope},
		{"worker_in_context", "P24", groupWorkers},
		{"misuse", "P24", groupMisuse},
		{"RunGroup", "P24", runGroup},
		{"limit/bound", "P24", limitBounds},
		{"limit/in_Block", "P24", limitInBlock},
		{"limit/order", "P24", limitOrder},
		{"limit/spawned_by_jobs", "P24", limitSpawnedByJobs},
		{"limit/nested", "P24", limitNested},
		{"limit/context_ends", "P24", limitContextEnds},
		{"limit/fails", "P24", limitFails},
		{"limit/Close", "P6", limitWhileClosing},
		{"limit/misuse", "P29", limitMisuse},
	}, 1, 2, 3)
}

type (
	groupJob  = func(ctx context.Context, w *pool.Worker) error
	groupBody = func(ctx context.Context, w *pool.Worker, g *pool.Group) error
)

// group runs a group in a job of its own, whose body returns the error of fn.
func group(t *testing.T, p *pool.Pool, ctx context.Context, body groupBody) error {
	t.Helper()
	return enter(t, p, func(w *pool.Worker) error { return w.Group(ctx, body) })
}

// spawnMany spawns the same job several times.
func spawnMany(g *pool.Group, w *pool.Worker, n int, job groupJob) {
	for range n {
		g.Spawn(w, job)
	}
}

// counts is a job that counts itself, and returns err.
func counts(began *atomic.Int32, err error) groupJob {
	return func(context.Context, *pool.Worker) error { began.Add(1); return err }
}

// hasEnded reports a context that has not ended as it should.
func hasEnded(t *testing.T, what string, ctx context.Context, cause error) {
	if ctx.Err() != context.Canceled || context.Cause(ctx) != cause {
		t.Errorf("P24: %s has the error %v and the cause %v, want context.Canceled and %v", what, ctx.Err(), context.Cause(ctx), cause)
	}
}

func untilEnded(ctx context.Context, w *pool.Worker) { w.Block(func() { <-ctx.Done() }) }

// A crowd is some jobs of a group that have begun and wait until its context ends.
type crowd struct {
	begun          chan bool // closed when all have
	missing, ended atomic.Int32
}

const crowded = 3

// spawn spawns the jobs, which return err in the end. The cause of the end is to be the one given.
func (c *crowd) spawn(t *testing.T, g *pool.Group, w *pool.Worker, cause, err error) {
	c.begun = make(chan bool)
	c.missing.Store(crowded)
	spawnMany(g, w, crowded, func(ctx context.Context, w *pool.Worker) error {
		if c.missing.Add(-1) == 0 {
			close(c.begun)
		}
		untilEnded(ctx, w)
		hasEnded(t, "the context of a job that runs as its group ends", ctx, cause)
		c.ended.Add(1)
		return err
	})
}

// all waits in a job until all of the crowd have begun.
func (c *crowd) all(w *pool.Worker) { w.Block(func() { <-c.begun }) }

// has checks that the crowd has ended.
func (c *crowd) has(t *testing.T) {
	t.Helper()
	if n := c.ended.Load(); n != crowded {
		t.Errorf("P24: Group has returned when %d of %d jobs that had begun have ended", n, crowded)
	}
}

func groupReturns(t *testing.T, p *pool.Pool) {
	var ran atomic.Int32
	var handed context.Context
	err := group(t, p, context.WithValue(background, contextKey{}, 7), func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
		handed = ctx
		spawnMany(g, w, 20, func(_ context.Context, w *pool.Worker) error {
			g.Spawn(w, func(ctx context.Context, _ *pool.Worker) error {
				if ctx.Err() != nil || ctx.Value(contextKey{}) != 7 {
					t.Errorf("P24: the context of a job has the error %v and the value %v, want none and 7", ctx.Err(), ctx.Value(contextKey{}))
				}
				ran.Add(1)
				return nil
			})
			return nil
		})
		return ctx.Err()
	})
	check(t, err == nil, "P24: a group without errors returned %v", err)
	check(t, ran.Load() == 20, "P24: Group returned when %d of 20 jobs that jobs had spawned had run", ran.Load())
	hasEnded(t, "after Group, its context", handed, context.Canceled)
	var none *thrown
	err = group(t, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, counts(&ran, none))
		return nil
	})
	check(t, err == error(none) && err != nil, "P24: a group with the error (*thrown)(nil) returned %v", err)
}

// groupFails has a job, the body, or a fork that a job has not joined fail while others run,
// which fail later.
func groupFails(t *testing.T, p *pool.Pool) {
	first, later := &thrown{"first"}, &thrown{"later"}
	for _, c := range []struct {
		in    string
		fail  func() error
		how   string
		cause error // of the end of the context
	}{
		{"the body", func() error { return first }, "returned", first},
		{"the body", func() error { panic(first) }, "panicked", context.Canceled},
		{"the body", func() error { runtime.Goexit(); return nil }, "exited", context.Canceled},
		{"a job", func() error { return first }, "returned", first},
		{"a job", func() error { panic(first) }, "panicked", context.Canceled},
		{"a job", func() error { runtime.Goexit(); return nil }, "exited", context.Canceled},
		{"a fork", func() error { panic(first) }, "panicked", context.Canceled},
	} {
		var others crowd
		var err error
		got := endOf(func() {
			err = pool.RunGroup(background, p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				others.spawn(t, g, w, c.cause, later)
				if c.in == "the body" {
					others.all(w)
					return c.fail()
				}
				g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
					others.all(w)
					if c.in == "a job" {
						return c.fail()
					}
					pool.Fork(w, func(*pool.Worker, int) int { c.fail(); return 0 }, 0)
					return nil
				})
				return nil
			})
		})
		check(t, got.how == c.how && (c.how != "panicked" || got.value == any(first)) && (c.how != "returned" || err == error(first)),
			"P24: %s of a group fails first, and it %s, with %v and %v, want that it %s", c.in, got.how, got.value, err, c.how)
		others.has(t)
	}
	err := group(t, p, background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(context.Context, *pool.Worker) error { return first })
		untilEnded(ctx, w)
		hasEnded(t, "the context of the body", ctx, first)
		return later
	})
	check(t, err == error(first), "P24: a group returned %v, want the error of the job, which is the first", err)
}

// groupSkips spawns jobs when a job has failed, and, on the only worker, before the body
// fails.
func groupSkips(t *testing.T, p *pool.Pool) {
	first := &thrown{"first"}
	var began atomic.Int32
	err := group(t, p, background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(context.Context, *pool.Worker) error { return first })
		untilEnded(ctx, w)
		spawnMany(g, w, 20, counts(&began, nil))
		return nil
	})
	check(t, err == error(first) && began.Load() == 0, "P24: a group whose first job has failed returned %v, and %d jobs have begun since, want its error and none", err, began.Load())
	if p.Workers() > 1 {
		return
	}
	for _, panics := range []bool{false, true} {
		v := recovered(func() {
			err = group(t, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				spawnMany(g, w, 20, counts(&began, nil))
				if panics {
					panic(first)
				}
				return first
			})
		})
		check(t, err == error(first) && panics == (v == any(first)) && began.Load() == 0, "P24: the body of a group has failed on the only worker (by a panic: %t): %v, %v, and %d jobs have begun since, want none", panics, err, v, began.Load())
	}
}

// groupContextEnds ends the context from outside.
func groupContextEnds(t *testing.T, p *pool.Pool) {
	why := &thrown{"why"}
	var c crowd
	ctx, cancel := context.WithCancelCause(background)
	err := group(t, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		c.spawn(t, g, w, why, nil)
		c.all(w)
		cancel(why)
		return nil
	})
	check(t, err == nil, "P24: all jobs of a group had begun when its context ended, and have returned nil: Group returned %v", err)
	c.has(t)

	var began atomic.Int32
	ctx, cancel = context.WithCancelCause(background)
	err = group(t, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		cancel(why)
		g.Spawn(w, counts(&began, why))
		return nil
	})
	check(t, err == context.Canceled && began.Load() == 0, "P24: a job was spawned when the context had ended (and %d have begun): Group returned %v, want the context's error", began.Load(), err)

	late, pass := newTimely()
	pass()
	called := func(context.Context, *pool.Worker, *pool.Group) error { began.Add(1); return nil }
	for ctx, want := range map[context.Context]error{ctx: context.Canceled, late: context.DeadlineExceeded} {
		for _, err := range []error{group(t, p, ctx, called), pool.RunGroup(ctx, p, called)} {
			check(t, err == want && began.Load() == 0, "P24: Group or RunGroup with a context that has ended has called its body %d times and returned %v, want the context's error", began.Load(), err)
		}
	}

	ctx, cancel = context.WithCancelCause(background)
	err = group(t, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
			cancel(nil)
			untilEnded(ctx, w)
			return why
		})
		return nil
	})
	check(t, err == error(why), "P24: a job of a group whose context has ended returned an error, and Group %v, want that", err)
}

// groupNested has a group in a job of another one fail, and end early with that.
func groupNested(t *testing.T, p *pool.Pool) {
	inner, outer := &thrown{"inner"}, &thrown{"outer"}
	err := group(t, p, background, func(outerCtx context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
			err := w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.Spawn(w, func(context.Context, *pool.Worker) error { return inner })
				return nil
			})
			if err != error(inner) || ctx.Err() != nil || outerCtx.Err() != nil {
				t.Errorf("P24: an inner group returned %v, want its error; the context of the outer one has the error %v, want none", err, ctx.Err())
			}
			return nil
		})
		return nil
	})
	check(t, err == nil, "P24: an error of an inner group was kept to itself by the job, and the outer one returned %v", err)
	var c crowd
	spawned := make(chan bool)
	err = group(t, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
			return w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				c.spawn(t, g, w, outer, nil)
				close(spawned)
				return nil
			})
		})
		g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
			w.Block(func() { <-spawned })
			c.all(w)
			return outer
		})
		return nil
	})
	check(t, err == error(outer), "P24: a group returned %v, want its first error", err)
	c.has(t)
}

// groupInScope has a group in a scope in a group, jobs of each, and an error that passes
// through.
func groupInScope(t *testing.T, p *pool.Pool) {
	failed := &thrown{"failed"}
	var ran atomic.Int32
	err := group(t, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) (err error) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				for range 5 {
					s.Spawn(w, func(w *pool.Worker) {
						inner := w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
							spawnMany(g, w, 5, counts(&ran, nil))
							return nil
						})
						if inner != nil {
							t.Errorf("P24: a group without errors in a scope returned %v", inner)
						}
					})
				}
				err = failed
			})
			if n := ran.Load(); n != 25 {
				t.Errorf("P24: a scope ended when %d of 25 jobs of the groups of its jobs had run", n)
			}
			return err
		})
		return nil
	})
	check(t, err == error(failed), "P24: a group returned %v, want the error of its job", err)
}

// groupWorkers looks for the worker in each context.
func groupWorkers(t *testing.T, p *pool.Pool) {
	look := func(ctx context.Context, w *pool.Worker) error {
		if v, ok := pool.FromContext(ctx); !ok || v != w {
			t.Errorf("P24: the context of a group's body or job carries the worker %p, want that of the job, %p", v, w)
		}
		return nil
	}
	for range 5 {
		group(t, p, background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
			spawnMany(g, w, 10, func(ctx context.Context, w *pool.Worker) error {
				w.Group(ctx, func(ctx context.Context, w *pool.Worker, inner *pool.Group) error {
					inner.Spawn(w, look)
					return look(ctx, w)
				})
				return look(ctx, w)
			})
			return look(ctx, w)
		})
	}
}

// groupMisuse hands nil over, and spawns when a group or a scope has ended.
func groupMisuse(t *testing.T, p *pool.Pool) {
	var none context.Context
	body := func(context.Context, *pool.Worker, *pool.Group) error { return nil }
	enter(t, p, func(w *pool.Worker) int {
		wantPanic(t, "P29", "Group with a nil context", func() { w.Group(none, body) })
		wantPanic(t, "P29", "Group with a nil function", func() { w.Group(background, nil) })
		wantPanic(t, "P29", "Scope with a nil function", func() { w.Scope(nil) })
		var g *pool.Group
		var s *pool.Scope
		w.Group(background, func(_ context.Context, w *pool.Worker, made *pool.Group) error {
			g = made
			wantPanic(t, "P29", "Spawn of a nil function", func() { g.Spawn(w, nil) })
			return nil
		})
		w.Scope(func(w *pool.Worker, made *pool.Scope) {
			s = made
			wantPanic(t, "P29", "Spawn of a nil function", func() { s.Spawn(w, nil) })
		})
		for range 2 {
			wantPanic(t, "P24", "Spawn after the end", func() {
				g.Spawn(w, func(context.Context, *pool.Worker) error {
					t.Error("P24: a job ran that was spawned after the end of its group")
					return nil
				})
			})
			wantPanic(t, "P24", "Spawn after the end", func() {
				s.Spawn(w, func(*pool.Worker) { t.Error("P1: a job ran that was spawned after the end of its scope") })
			})
		}
		w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) {}) })
		return 0
	})
	wantPanic(t, "P29", "RunGroup with a nil context", func() { pool.RunGroup(none, p, body) })
	wantPanic(t, "P29", "RunGroup with a nil function", func() { pool.RunGroup(background, p, nil) })
	wantPanic(t, "P29", "nil pool", func() { pool.RunGroup(background, nil, body) })
}

// runGroup has groups from outside and in a job, without errors and with one.
func runGroup(t *testing.T, p *pool.Pool) {
	why := &thrown{"why"}
	for where, call := range map[string]func(ctx context.Context, body groupBody) error{
		"outside": func(ctx context.Context, body groupBody) error { return pool.RunGroup(ctx, p, body) },
		"in a job": func(ctx context.Context, body groupBody) error {
			return enter(t, p, func(*pool.Worker) error { return pool.RunGroup(ctx, p, body) })
		},
	} {
		for want, cause := range map[error]error{nil: context.Canceled, why: why} {
			var ran atomic.Int32
			var handed context.Context
			err := call(context.WithValue(background, contextKey{}, 7), func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
				handed = ctx
				if carried, _ := pool.FromContext(ctx); carried != w || w.Pool() != p || ctx.Value(contextKey{}) != 7 {
					t.Errorf("P24: %s: the body of RunGroup has a context with the value %v, want 7, or that of another worker", where, ctx.Value(contextKey{}))
				}
				spawnMany(g, w, 20, counts(&ran, nil))
				return want
			})
			check(t, err == want, "P24: %s: RunGroup returned %v, want %v", where, err, want)
			check(t, want != nil || ran.Load() == 20, "P24: %s: RunGroup returned when %d of 20 jobs had run", where, ran.Load())
			hasEnded(t, where+": after RunGroup, its context", handed, cause)
		}
	}
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

// limited runs a group with a limit, and checks that all jobs have crossed, and never more
// than so many at once.
func (c *crossing) limited(t *testing.T, p *pool.Pool, limit, jobs int, body groupBody) {
	t.Helper()
	err := group(t, p, background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
		g.SetLimit(limit)
		return body(ctx, w, g)
	})
	check(t, err == nil, "P24: a group with a limit and without errors returned %v", err)
	check(t, int(c.most.Load()) <= limit, "P24: %d jobs of a group with a limit of %d have been under way at once", c.most.Load(), limit)
	check(t, int(c.passed.Load()) == jobs, "P24: %d of %d jobs of a group with a limit of %d have run", c.passed.Load(), jobs, limit)
}

// limitBounds has jobs that fork, wait and spawn, in groups with several limits.
func limitBounds(t *testing.T, p *pool.Pool) {
	const jobs = 40
	for _, limit := range []int{1, 2, 3, jobs, 2 * jobs} {
		var c crossing
		c.limited(t, p, limit, jobs, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
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
	}
}

// limitInBlock has as many jobs in Block as the limit allows, more than there are workers,
// and Spawn returns meanwhile.
func limitInBlock(t *testing.T, p *pool.Pool) {
	const limit, jobs = 5, 20
	var c crossing
	release := make(chan bool)
	c.limited(t, p, limit, jobs, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		spawnMany(g, w, jobs, func(_ context.Context, w *pool.Worker) error {
			c.enter()
			defer c.leave()
			w.Block(func() { <-release })
			return nil
		})
		w.Block(func() {
			until(t, "as many jobs of a group as its limit allows are in Block", func() bool { return c.now.Load() == limit })
		})
		close(release)
		return nil
	})
}

// limitOrder has one job after the other, in the order of Spawn, whichever worker ends one.
func limitOrder(t *testing.T, p *pool.Pool) {
	const jobs = 100
	var order []int // by one job at a time
	var c crossing
	c.limited(t, p, 1, jobs, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for i := range jobs {
			g.Spawn(w, func(context.Context, *pool.Worker) error {
				c.enter()
				defer c.leave()
				order = append(order, i)
				if i%7 == 0 {
					runtime.Gosched()
				}
				return nil
			})
		}
		return nil
	})
	for i, n := range order {
		check(t, i == n, "P24: job %d of a group with a limit of 1 was begun as number %d", n, i)
	}
}

// limitSpawnedByJobs has jobs spawn into their own group, which is full.
func limitSpawnedByJobs(t *testing.T, p *pool.Pool) {
	for _, limit := range []int{1, 2} {
		var c crossing
		c.limited(t, p, limit, 1<<7-1, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			var tree func(depth int) groupJob
			tree = func(depth int) groupJob {
				return func(_ context.Context, w *pool.Worker) error {
					c.enter()
					defer c.leave()
					if depth > 0 {
						spawnMany(g, w, 2, tree(depth-1))
					}
					return nil
				}
			}
			g.Spawn(w, tree(6))
			return nil
		})
	}
}

// limitNested has each job of a group wait for one of its own, both with a limit of 1.
func limitNested(t *testing.T, p *pool.Pool) {
	var outer, inner crossing
	outer.limited(t, p, 1, 5, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		spawnMany(g, w, 5, func(ctx context.Context, w *pool.Worker) error {
			outer.enter()
			defer outer.leave()
			return w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.SetLimit(1)
				spawnMany(g, w, 5, func(context.Context, *pool.Worker) error {
					inner.enter()
					defer inner.leave()
					runtime.Gosched()
					return nil
				})
				return nil
			})
		})
		return nil
	})
	check(t, inner.most.Load() == 1 && inner.passed.Load() == 25, "P24: of 25 jobs of groups with a limit of 1, in jobs of such a group, %d have run, %d at once", inner.passed.Load(), inner.most.Load())
}

// limitContextEnds ends the context while jobs are kept, and then spawns more.
func limitContextEnds(t *testing.T, p *pool.Pool) {
	ctx, cancel := context.WithCancel(background)
	var began atomic.Int32
	err := group(t, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		var c crowd
		g.SetLimit(crowded)
		c.spawn(t, g, w, context.Canceled, nil)
		spawnMany(g, w, 50, counts(&began, nil))
		c.all(w)
		cancel()
		spawnMany(g, w, 50, counts(&began, nil))
		return nil
	})
	check(t, err == context.Canceled, "P24: the context ended while jobs of a group were kept: Group returned %v, want the context's error", err)
	check(t, began.Load() == 0, "P24: %d jobs began that were kept when the context of their group ended", began.Load())
}

// limitFails has the only job that may run fail, panic or exit, while others are kept.
func limitFails(t *testing.T, p *pool.Pool) {
	why := &thrown{"why"}
	for _, c := range []struct {
		how  string
		fail func() error
		want end
	}{
		{"fails", func() error { return why }, end{how: "returned"}},
		{"panics", func() error { panic(why) }, end{how: "panicked", value: why}},
		{"exits", func() error { runtime.Goexit(); return nil }, end{how: "exited"}},
	} {
		var began atomic.Int32
		var err error
		got := endOf(func() {
			err = pool.RunGroup(background, p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.SetLimit(1)
				spawnMany(g, w, 5, counts(&began, nil))
				g.Spawn(w, func(context.Context, *pool.Worker) error { began.Add(1); return c.fail() })
				spawnMany(g, w, 50, counts(&began, nil))
				return nil
			})
		})
		check(t, got.how == c.want.how && got.value == c.want.value, "P24: the sixth job of a group %s: RunGroup %s, with %v", c.how, got.how, got.value)
		check(t, c.how != "fails" || err == error(why), "P24: the sixth job of a group failed: RunGroup returned %v, want its error", err)
		check(t, began.Load() == 6, "P24: the sixth job of a group with a limit of 1 %s, and %d have begun", c.how, began.Load())
	}
}

// limitWhileClosing has Close wait for jobs that are kept.
func limitWhileClosing(t *testing.T, p *pool.Pool) {
	const jobs = 20
	var c crossing
	kept, release, closed := make(chan bool), make(chan bool), make(chan error)
	h := submitted(t, p, func(w *pool.Worker) error {
		return w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.SetLimit(1)
			spawnMany(g, w, jobs, func(_ context.Context, w *pool.Worker) error {
				c.enter()
				defer c.leave()
				w.Block(func() { <-release })
				return nil
			})
			close(kept)
			return nil
		})
	})
	<-kept
	go func() { closed <- p.Close() }()
	until(t, "the pool refuses jobs", func() bool { return pool.Go(p, func(*pool.Worker) {}) == pool.ErrClosed })
	close(release)
	err := <-closed
	check(t, err == nil, "P6: Close returned %v", err)
	check(t, result(t, h) == nil, "P6: a group of a pool that closed meanwhile returned an error")
	check(t, c.most.Load() == 1 && c.passed.Load() == jobs, "P24: in a pool that closed meanwhile %d of %d jobs of a group with a limit of 1 have run, %d at once", c.passed.Load(), jobs, c.most.Load())
}

// limitMisuse has limits that are none, or come too late.
func limitMisuse(t *testing.T, p *pool.Pool) {
	ran := 0
	err := group(t, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		wantPanic(t, "P29", "must be at least 1", func() { g.SetLimit(0) })
		wantPanic(t, "P29", "must be at least 1", func() { g.SetLimit(-1) })
		g.SetLimit(1)
		wantPanic(t, "P29", "before the first Spawn", func() { g.SetLimit(3) })
		release := make(chan bool)
		defer close(release)
		spawn := func() {
			g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
				w.Block(func() { <-release })
				ran++
				return nil
			})
		}
		w.Block(func() { wantPanic(t, "P29", "pool: ", spawn) })
		spawn()
		w.Block(func() { wantPanic(t, "P29", "pool: ", spawn) }) // there is no room
		return nil
	})
	check(t, err == nil && ran == 1, "P29: after misuse that was refused a group returned %v, and its only job was run %d times", err, ran)
	err = group(t, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(context.Context, *pool.Worker) error { return nil })
		wantPanic(t, "P29", "before the first Spawn", func() { g.SetLimit(2) })
		return nil
	})
	check(t, err == nil, "P29: after a SetLimit that was refused a group returned %v", err)
}

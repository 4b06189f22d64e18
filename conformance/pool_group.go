package conformance

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// What Worker.Group promises.
var poolGroup = []poolCase{
	{name: "Group/returns", rule: "P24", run: groupReturns},
	{name: "Group/first_error", rule: "P24", run: groupFirstError},
	{name: "Group/error_of_body", rule: "P24", run: groupErrorOfBody},
	{name: "Group/skipped", rule: "P24", run: groupSkips},
	{name: "Group/nil_pointer", rule: "P24", run: groupNilPointer},
	{name: "Group/context_ends", rule: "P24", run: groupContextEnds},
	{name: "Group/nested", rule: "P24", run: groupNested},
	{name: "Group/in_a_scope", rule: "P24", run: groupInScope},
	{name: "Group/panic", rule: "P24", run: groupPanics},
	{name: "Group/Goexit", rule: "P24", run: groupExits},
	{name: "Group/fork_left_behind", rule: "P24", run: groupForkFails},
	{name: "Group/worker_in_context", rule: "P24", run: groupWorkers},
	{name: "Group/misuse", rule: "P24", run: groupMisuse},
	{name: "RunGroup/returns", rule: "P24", run: runGroupReturns},
	{name: "RunGroup/ends", rule: "P24", run: runGroupEnds},
}

// A failing is a function of a group.
type failing = func(ctx context.Context, w *pool.Worker) error

// group runs a group in a job of its own.
func group(r *run, p *pool.Pool, ctx context.Context, body func(ctx context.Context, w *pool.Worker, g *pool.Group) error) error {
	r.T.Helper()
	return enter(r, p, func(w *pool.Worker) error {
		return w.Group(ctx, body)
	})
}

// untilEnded waits in a job until ctx ends.
func untilEnded(r *run, ctx context.Context, w *pool.Worker) {
	w.Block(func() { r.Receive(ctx.Done()) })
}

// hasEnded reports a context that has not ended as it should.
func hasEnded(r *run, what string, ctx context.Context, cause error) {
	if ctx.Err() != context.Canceled || context.Cause(ctx) != cause {
		r.Report("P24", "%s has the error %v and the cause %v, want context.Canceled and %v", what, ctx.Err(), context.Cause(ctx), cause)
	}
}

// A crowd is some jobs of a group that have begun and wait until its context ends.
type crowd struct {
	begun   chan struct{} // closed when all have
	missing atomic.Int32
	ended   atomic.Int32
}

func newCrowd(n int) *crowd {
	c := &crowd{begun: make(chan struct{})}
	c.missing.Store(int32(n))
	return c
}

// job is one of the crowd, which returns err in the end. The cause of the end is to be
// the one given.
func (c *crowd) job(r *run, cause, err error) failing {
	return func(ctx context.Context, w *pool.Worker) error {
		if c.missing.Add(-1) == 0 {
			close(c.begun)
		}
		untilEnded(r, ctx, w)
		hasEnded(r, "the context of a job that runs as its group ends", ctx, cause)
		c.ended.Add(1)
		return err
	}
}

// all waits in a job until all of the crowd have begun.
func (c *crowd) all(r *run, w *pool.Worker) { w.Block(func() { r.Receive(c.begun) }) }

const crowded = 3

// has checks that the crowd has ended.
func (c *crowd) has(r *run) {
	r.T.Helper()
	n := c.ended.Load()
	r.Check(n == crowded, "P24", "Group has returned when %d of %d jobs that had begun have ended", n, crowded)
}

// groupReturns has a group without errors.
func groupReturns(r *run, p *pool.Pool) {
	var ran atomic.Int32
	var handed context.Context
	key := new(int)
	err := group(r, p, context.WithValue(background, key, 7), func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
		handed = ctx
		for range 20 {
			g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
				g.Spawn(w, func(ctx context.Context, _ *pool.Worker) error {
					if ctx.Err() != nil || ctx.Value(key) != 7 {
						r.Report("P24", "the context of a job has the error %v and the value %v, want none and 7", ctx.Err(), ctx.Value(key))
					}
					ran.Add(1)
					return nil
				})
				return nil
			})
		}
		return ctx.Err()
	})
	r.Check(err == nil, "P24", "a group without errors returned %v", err)
	r.Check(ran.Load() == 20, "P24", "Group returned when %d of 20 jobs that jobs had spawned had run", ran.Load())
	hasEnded(r, "after Group, its context", handed, context.Canceled)
}

// groupFirstError has a job fail while others run, which fail later.
func groupFirstError(r *run, p *pool.Pool) {
	first, later := &thrown{"first"}, &thrown{"later"}
	c := newCrowd(crowded)
	r.During("P24", "the first error of a group ends its context")
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for range crowded {
			g.Spawn(w, c.job(r, first, later))
		}
		g.Spawn(w, func(_ context.Context, w *pool.Worker) error { c.all(r, w); return first })
		return nil
	})
	r.Check(err == error(first), "P24", "a group returned %v, want the first error in time", err)
	c.has(r)
	fullWidth(r, p)
}

// groupErrorOfBody has the body fail first, and then later than a job.
func groupErrorOfBody(r *run, p *pool.Pool) {
	first, later := &thrown{"first"}, &thrown{"later"}
	c := newCrowd(crowded)
	r.During("P24", "the error of the body ends the context of the group")
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for range crowded {
			g.Spawn(w, c.job(r, first, later))
		}
		c.all(r, w)
		return first
	})
	r.Check(err == error(first), "P24", "a group returned %v, want the error of the body, which is the first", err)
	c.has(r)
	err = group(r, p, background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(context.Context, *pool.Worker) error { return first })
		untilEnded(r, ctx, w)
		hasEnded(r, "the context of the body", ctx, first)
		return later
	})
	r.Check(err == error(first), "P24", "a group returned %v, want the error of the job, which is the first", err)
}

// groupSkips spawns jobs when a job has failed, and, on the only worker, before the body
// fails.
func groupSkips(r *run, p *pool.Pool) {
	first := &thrown{"first"}
	var began atomic.Int32
	count := func(context.Context, *pool.Worker) error { began.Add(1); return nil }
	err := group(r, p, background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(context.Context, *pool.Worker) error { return first })
		untilEnded(r, ctx, w)
		for range 20 {
			g.Spawn(w, count)
		}
		return nil
	})
	r.Check(err == error(first) && began.Load() == 0, "P24", "a group whose first job has failed returned %v, and %d jobs have begun since, want its error and none", err, began.Load())
	if p.Workers() > 1 {
		return
	}
	err = group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for range 20 {
			g.Spawn(w, count)
		}
		return first
	})
	r.Check(err == error(first) && began.Load() == 0, "P24", "a group whose body has failed on the only worker returned %v, and %d jobs have begun since, want its error and none", err, began.Load())
}

// groupNilPointer returns an error that is a nil pointer.
func groupNilPointer(r *run, p *pool.Pool) {
	var none *thrown
	job := func(context.Context, *pool.Worker) error { return none }
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, job)
		return nil
	})
	r.Check(err == error(none) && err != nil, "P24", "a group with the error (*thrown)(nil) returned %v", err)
}

// groupContextEnds ends the context from outside.
func groupContextEnds(r *run, p *pool.Pool) {
	why := &thrown{"why"}
	c := newCrowd(crowded)
	r.During("P24", "the context of a group ends with the one that it was given")
	ctx, cancel := context.WithCancelCause(background)
	err := group(r, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		for range crowded {
			g.Spawn(w, c.job(r, why, nil))
		}
		c.all(r, w)
		cancel(why)
		return nil
	})
	r.Check(err == nil, "P24", "all jobs of a group had begun when its context ended, and have returned nil: Group returned %v", err)
	c.has(r)

	began, called := false, false
	ctx, cancel = context.WithCancelCause(background)
	err = group(r, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		cancel(why)
		g.Spawn(w, func(context.Context, *pool.Worker) error { began = true; return why })
		return nil
	})
	r.Check(err == context.Canceled && !began, "P24", "a job was spawned when the context had ended (and has begun: %t): Group returned %v, want the context's error", began, err)

	err = group(r, p, ctx, func(context.Context, *pool.Worker, *pool.Group) error { called = true; return nil })
	r.Check(err == context.Canceled && !called, "P24", "Group with a context that has ended has called its body (%t) and returned %v, want the context's error", called, err)

	late, cancelLate := context.WithTimeout(background, 0)
	defer cancelLate()
	err = group(r, p, late, func(context.Context, *pool.Worker, *pool.Group) error { called = true; return nil })
	r.Check(err == context.DeadlineExceeded && !called, "P24", "Group after the deadline has called its body (%t) and returned %v, want the context's error", called, err)

	ctx, cancel = context.WithCancelCause(background)
	err = group(r, p, ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
			cancel(nil)
			untilEnded(r, ctx, w)
			return why
		})
		return nil
	})
	r.Check(err == error(why), "P24", "a job of a group whose context has ended returned an error, and Group %v, want that", err)
}

// groupNested has a group in a job of another one fail, and end early with that.
func groupNested(r *run, p *pool.Pool) {
	inner, outer := &thrown{"inner"}, &thrown{"outer"}
	r.During("P24", "groups end that lie in each other")
	err := group(r, p, background, func(outerCtx context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
			err := w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.Spawn(w, func(context.Context, *pool.Worker) error { return inner })
				return nil
			})
			if err != error(inner) || ctx.Err() != nil || outerCtx.Err() != nil {
				r.Report("P24", "an inner group returned %v, want its error; the context of the outer one has the error %v, want none", err, ctx.Err())
			}
			return nil
		})
		return nil
	})
	r.Check(err == nil, "P24", "an error of an inner group was kept to itself by the job, and the outer one returned %v", err)
	c := newCrowd(crowded)
	err = group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
			return w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				for range crowded {
					g.Spawn(w, c.job(r, outer, nil))
				}
				return nil
			})
		})
		g.Spawn(w, func(_ context.Context, w *pool.Worker) error { c.all(r, w); return outer })
		return nil
	})
	r.Check(err == error(outer), "P24", "a group returned %v, want its first error", err)
	c.has(r)
}

// groupInScope has a group in a scope in a group, jobs of each, and an error that passes
// through.
func groupInScope(r *run, p *pool.Pool) {
	failed := &thrown{"failed"}
	var ran atomic.Int32
	r.During("P24", "a group ends that lies in a scope, in a group")
	err := group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
		g.Spawn(w, func(ctx context.Context, w *pool.Worker) (err error) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				for range 5 {
					s.Spawn(w, func(w *pool.Worker) {
						inner := w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
							for range 5 {
								g.Spawn(w, func(context.Context, *pool.Worker) error { ran.Add(1); return nil })
							}
							return nil
						})
						if inner != nil {
							r.Report("P24", "a group without errors in a scope returned %v", inner)
						}
					})
				}
				err = failed
			})
			if n := ran.Load(); n != 25 {
				r.Report("P24", "a scope ended when %d of 25 jobs of the groups of its jobs had run", n)
			}
			return err
		})
		return nil
	})
	r.Check(err == error(failed), "P24", "a group returned %v, want the error of its job", err)
	fullWidth(r, p)
}

// groupPanics has a job panic, and then the body, while others run.
func groupPanics(r *run, p *pool.Pool) {
	value, failed := &thrown{"a panic"}, &thrown{"failed"}
	for _, inBody := range []bool{false, true} {
		c := newCrowd(crowded)
		r.During("P24", "a panic in a group (of its body: %t) ends its context", inBody)
		got := caught(func() {
			group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				for range crowded {
					g.Spawn(w, c.job(r, context.Canceled, failed))
				}
				if inBody {
					c.all(r, w)
					panic(value)
				}
				g.Spawn(w, func(_ context.Context, w *pool.Worker) error { c.all(r, w); panic(value) })
				return nil
			})
		})
		r.Check(got == any(value), "P24", "a panic in a group (of its body: %t) left it as %v, want %v", inBody, got, value)
		c.has(r)
	}
	if p.Workers() == 1 {
		began := 0
		caught(func() {
			group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				for range 5 {
					g.Spawn(w, func(context.Context, *pool.Worker) error { began++; return nil })
				}
				panic(value)
			})
		})
		r.Check(began == 0, "P24", "the body of a group has panicked on the only worker, and %d jobs have begun since", began)
	}
	fullWidth(r, p)
}

// groupExits has a job call Goexit, and then the body, while others run.
func groupExits(r *run, p *pool.Pool) {
	for _, inBody := range []bool{false, true} {
		c := newCrowd(crowded)
		returned := false
		r.During("P24", "Goexit in a group (of its body: %t) ends its context", inBody)
		_, err := submit(r, p, func(w *pool.Worker) int {
			w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				for range crowded {
					g.Spawn(w, c.job(r, context.Canceled, nil))
				}
				if inBody {
					c.all(r, w)
					runtime.Goexit()
				}
				g.Spawn(w, func(_ context.Context, w *pool.Worker) error { c.all(r, w); runtime.Goexit(); return nil })
				return nil
			})
			returned = true
			return 0
		}).Wait(background)
		r.Check(errors.Is(err, pool.ErrGoexit) && !returned, "P24", "Goexit in a group (of its body: %t): Group has returned: %t, and the error of the job is %v", inBody, returned, err)
		c.has(r)
	}
	fullWidth(r, p)
}

// groupForkFails has a job leave a fork behind that panics, when its function has
// returned.
func groupForkFails(r *run, p *pool.Pool) {
	value := &thrown{"of a fork"}
	c := newCrowd(crowded)
	r.During("P24", "the panic of a fork that a job of a group has not joined ends the group's context")
	got := caught(func() {
		group(r, p, background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			for range crowded {
				g.Spawn(w, c.job(r, context.Canceled, nil))
			}
			g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
				c.all(r, w)
				pool.Fork(w, func(*pool.Worker, int) int { panic(value) }, 0)
				return nil
			})
			return nil
		})
	})
	r.Check(got == any(value), "P24", "the panic of a fork that a job of a group has not joined left the group as %v, want %v", got, value)
	c.has(r)
}

// groupWorkers looks for the worker in each context.
func groupWorkers(r *run, p *pool.Pool) {
	look := func(ctx context.Context, w *pool.Worker) error {
		if v, ok := pool.FromContext(ctx); !ok || v != w {
			r.Report("P24", "the context of a group's body or job carries the worker %p, want that of the job, %p", v, w)
		}
		return nil
	}
	r.Rounds(5, func(int) {
		group(r, p, background, func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
			for range 10 {
				g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
					w.Group(ctx, func(ctx context.Context, w *pool.Worker, inner *pool.Group) error {
						inner.Spawn(w, look)
						return look(ctx, w)
					})
					return look(ctx, w)
				})
			}
			return look(ctx, w)
		})
	})
}

// groupMisuse hands nil over, and spawns when a group or a scope has ended.
func groupMisuse(r *run, p *pool.Pool) {
	enter(r, p, func(w *pool.Worker) int {
		var none context.Context
		complains(r, "P29", "Group with a nil context", func() { w.Group(none, func(context.Context, *pool.Worker, *pool.Group) error { return nil }) })
		complains(r, "P29", "Group with a nil function", func() { w.Group(background, nil) })
		complains(r, "P29", "Scope with a nil function", func() { w.Scope(nil) })
		var g *pool.Group
		var s *pool.Scope
		w.Group(background, func(_ context.Context, w *pool.Worker, made *pool.Group) error {
			g = made
			complains(r, "P29", "Spawn of a nil function in a group", func() { g.Spawn(w, nil) })
			return nil
		})
		w.Scope(func(w *pool.Worker, made *pool.Scope) {
			s = made
			complains(r, "P29", "Spawn of a nil function in a scope", func() { s.Spawn(w, nil) })
		})
		late := func(what string, spawn func()) {
			if v, ok := caught(spawn).(string); !ok || !strings.Contains(v, "Spawn after the end") {
				r.Report("P24", "Spawn after the end of a %s panics with %v, want a message that says so", what, v)
			}
		}
		for range 2 {
			late("group", func() {
				g.Spawn(w, func(context.Context, *pool.Worker) error {
					r.Report("P24", "a job ran that was spawned after the end of its group")
					return nil
				})
			})
			late("scope", func() {
				s.Spawn(w, func(*pool.Worker) { r.Report("P1", "a job ran that was spawned after the end of its scope") })
			})
		}
		w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) {}) })
		return 0
	})
	fullWidth(r, p)
}

// runGroupReturns has groups from outside and in a job, without errors and with one.
func runGroupReturns(r *run, p *pool.Pool) {
	why := &thrown{"why"}
	check := func(where string, call func(ctx context.Context, body func(ctx context.Context, w *pool.Worker, g *pool.Group) error) error) {
		for _, want := range []error{nil, why} {
			var ran atomic.Int32
			var handed context.Context
			key := new(int)
			err := call(context.WithValue(background, key, 7), func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
				handed = ctx
				if carried, _ := pool.FromContext(ctx); carried != w || w.Pool() != p || ctx.Value(key) != 7 {
					r.Report("P24", "%s: the body of RunGroup has a context with the value %v, want 7, or that of another worker", where, ctx.Value(key))
				}
				for range 20 {
					g.Spawn(w, func(context.Context, *pool.Worker) error { ran.Add(1); return nil })
				}
				return want
			})
			r.Check(err == want, "P24", "%s: RunGroup returned %v, want %v", where, err, want)
			r.Check(want != nil || ran.Load() == 20, "P24", "%s: RunGroup returned when %d of 20 jobs had run", where, ran.Load())
			cause := want
			if cause == nil {
				cause = context.Canceled
			}
			hasEnded(r, where+": after RunGroup, its context", handed, cause)
		}
	}
	check("outside", func(ctx context.Context, body func(ctx context.Context, w *pool.Worker, g *pool.Group) error) error {
		return pool.RunGroup(ctx, p, body)
	})
	check("in a job", func(ctx context.Context, body func(ctx context.Context, w *pool.Worker, g *pool.Group) error) error {
		return enter(r, p, func(*pool.Worker) error { return pool.RunGroup(ctx, p, body) })
	})
}

// runGroupEnds has a context that has ended, a panic, a Goexit, and nil handed over.
func runGroupEnds(r *run, p *pool.Pool) {
	called := false
	body := func(context.Context, *pool.Worker, *pool.Group) error { called = true; return nil }
	ctx, cancel := context.WithCancel(background)
	cancel()
	err := pool.RunGroup(ctx, p, body)
	r.Check(err == context.Canceled && !called, "P24", "RunGroup with a context that has ended has called its body (%t) and returned %v, want the context's error", called, err)
	value := &thrown{"value"}
	got := caught(func() {
		pool.RunGroup(background, p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.Spawn(w, func(context.Context, *pool.Worker) error { panic(value) })
			return nil
		})
	})
	r.Check(got == any(value), "P2", "a job of a RunGroup panicked with %v, and that with %v", value, got)
	var none context.Context
	complains(r, "P29", "RunGroup with a nil context", func() { pool.RunGroup(none, p, body) })
	complains(r, "P29", "RunGroup with a nil function", func() { pool.RunGroup(background, p, nil) })
	complains(r, "P29", "RunGroup with a nil pool", func() { pool.RunGroup(background, nil, body) })
	fullWidth(r, p)
}

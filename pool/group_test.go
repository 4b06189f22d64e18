package pool_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What Worker.Group and RunGroup promise.
func TestGroup(t *testing.T) {
	eachCase(t, []poolCase{
		{"fails", "P24", groupFails},
		{"skipped", "P24", groupSkips},
		{"context_ends", "P24", groupContextEnds},
		{"nested", "P24", groupNested},
		{"in_a_scope", "P24", groupInScope},
		{"worker_in_context", "P24", groupWorkers},
		{"misuse", "P24", groupMisuse},
		{"RunGroup", "P24", runGroup},
	}, 1, 2, 3)
}

type (
	groupJob  = func(ctx context.Context, w *pool.Worker) error
	groupBody = func(ctx context.Context, w *pool.Worker, g *pool.Group) error
)

// A round is a group in a job of its own, or in another group.
type round struct {
	*pool.Group
	ctx context.Context
	w   *pool.Worker
}

// group runs a group in a job of its own, whose body returns the error of fn.
func group(t *testing.T, p *pool.Pool, ctx context.Context, fn func(g round) error) error {
	t.Helper()
	return enter(t, p, func(w *pool.Worker) error { return groupOf(ctx, w, fn) })
}

func groupOf(ctx context.Context, w *pool.Worker, fn func(g round) error) error {
	return w.Group(ctx, bodyOf(fn))
}

func bodyOf(fn func(g round) error) groupBody {
	return func(ctx context.Context, w *pool.Worker, g *pool.Group) error { return fn(round{g, ctx, w}) }
}

// spawn spawns the same job several times.
func (g round) spawn(n int, job groupJob) {
	for range n {
		g.Spawn(g.w, job)
	}
}

// gives is a job that returns err.
func gives(err error) groupJob { return func(context.Context, *pool.Worker) error { return err } }

// counts is a job that counts itself.
func counts(began *atomic.Int32) groupJob {
	return func(context.Context, *pool.Worker) error { began.Add(1); return nil }
}

// hasEnded reports a context that has not ended as it should.
func hasEnded(t *testing.T, what string, ctx context.Context, cause error) {
	expect(t, ctx.Err() == context.Canceled && context.Cause(ctx) == cause,
		"P24: %s has the error %v and the cause %v, want context.Canceled and %v", what, ctx.Err(), context.Cause(ctx), cause)
}

func untilEnded(ctx context.Context, w *pool.Worker) { w.Block(func() { <-ctx.Done() }) }

// A crowd is some jobs of a group that have begun and wait until its context ends.
type crowd struct {
	begun sync.WaitGroup // of those that have not
	ended atomic.Int32
}

const crowded = 3

// spawn spawns the jobs, which return err in the end. The cause of the end is to be the one given.
func (c *crowd) spawn(t *testing.T, g round, cause, err error) {
	c.begun.Add(crowded)
	g.spawn(crowded, func(ctx context.Context, w *pool.Worker) error {
		c.begun.Done()
		untilEnded(ctx, w)
		hasEnded(t, "the context of a job that runs as its group ends", ctx, cause)
		c.ended.Add(1)
		return err
	})
}

// all waits in a job until all of the crowd have begun.
func (c *crowd) all(w *pool.Worker) { w.Block(c.begun.Wait) }

// has checks that the crowd has ended.
func (c *crowd) has(t *testing.T) {
	t.Helper()
	equal(t, c.ended.Load(), crowded, "P24: Group has returned, and of the jobs that had begun the number that have ended is")
}

// ways for a function of a group to fail.
var failures = []struct {
	how  string
	fail func(err error) error
}{
	{"returned", func(err error) error { return err }},
	{"panicked", func(err error) error { panic(err) }},
	{"exited", func(error) error { runtime.Goexit(); return nil }},
}

// failed checks how RunGroup has ended, with what error or panic.
func failed(t *testing.T, got end, err error, how string, first error, what string) {
	t.Helper()
	check(t, got.how == how && (how != "panicked" || got.value == any(first)) && (how != "returned" || err == first),
		"P24: %s fails first, and RunGroup %s, with %v and %v, want that it %s", what, got.how, got.value, err, how)
}

// groupFails has a job, the body, or a fork that a job has not joined fail while others run,
// which fail later.
func groupFails(t *testing.T, p *pool.Pool) {
	first, later := &thrown{"first"}, &thrown{"later"}
	for _, in := range []string{"the body", "a job", "a fork"} {
		for _, f := range failures {
			if in == "a fork" && f.how != "panicked" {
				continue
			}
			cause := error(first)
			if f.how != "returned" {
				cause = context.Canceled
			}
			var others crowd
			var err error
			got := endOf(func() {
				err = pool.RunGroup(background, p, bodyOf(func(g round) error {
					others.spawn(t, g, cause, later)
					if in == "the body" {
						others.all(g.w)
						return f.fail(first)
					}
					g.spawn(1, func(_ context.Context, w *pool.Worker) error {
						others.all(w)
						if in == "a job" {
							return f.fail(first)
						}
						fork(w, func(*pool.Worker) int { f.fail(first); return 0 })
						return nil
					})
					return nil
				}))
			})
			failed(t, got, err, f.how, first, in+" of a group")
			others.has(t)
		}
	}
	err := group(t, p, background, func(g round) error {
		g.spawn(1, gives(first))
		untilEnded(g.ctx, g.w)
		hasEnded(t, "the context of the body", g.ctx, first)
		return later
	})
	equal(t, err, error(first), "P24: the job of a group has failed first, and it returned")
	var none *thrown
	err = group(t, p, background, func(g round) error { g.spawn(1, gives(none)); return nil })
	equal(t, err, error(none), "P24: a group with the error (*thrown)(nil) returned")
}

// groupSkips spawns jobs when a job has failed, and, on the only worker, before the body
// fails.
func groupSkips(t *testing.T, p *pool.Pool) {
	first := &thrown{"first"}
	var began atomic.Int32
	err := group(t, p, background, func(g round) error {
		g.spawn(1, gives(first))
		untilEnded(g.ctx, g.w)
		g.spawn(20, counts(&began))
		return nil
	})
	check(t, err == error(first) && began.Load() == 0,
		"P24: a group whose first job has failed returned %v, and %d jobs have begun since, want its error and none", err, began.Load())
	for _, panics := range []bool{false, true} {
		if p.Workers() > 1 {
			break
		}
		untilSleeping(t, p) // or the body would run beside it, as a guest
		v := recovered(func() {
			err = group(t, p, background, func(g round) error {
				g.spawn(20, counts(&began))
				if panics {
					panic(first)
				}
				return first
			})
		})
		check(t, err == error(first) && panics == (v == any(first)) && began.Load() == 0,
			"P24: the body of a group has failed on the only worker (by a panic: %t): %v, %v, and %d jobs have begun since, want none",
			panics, err, v, began.Load())
	}
}

// groupContextEnds ends the context from outside.
func groupContextEnds(t *testing.T, p *pool.Pool) {
	why := &thrown{"why"}
	var c crowd
	ctx, cancel := context.WithCancelCause(background)
	err := group(t, p, ctx, func(g round) error {
		c.spawn(t, g, why, nil)
		c.all(g.w)
		cancel(why)
		return nil
	})
	noError(t, err, "P24: all jobs of a group had begun when its context ended, and have returned nil: Group returned")
	c.has(t)

	var began atomic.Int32
	ctx, cancel = context.WithCancelCause(background)
	err = group(t, p, ctx, func(g round) error {
		cancel(why)
		g.spawn(1, counts(&began))
		return nil
	})
	check(t, err == context.Canceled && began.Load() == 0,
		"P24: a job was spawned when the context had ended (and %d have begun): Group returned %v, want the context's error", began.Load(), err)

	late, pass := newTimely()
	pass()
	called := func(round) error { began.Add(1); return nil }
	for ctx, want := range map[context.Context]error{ctx: context.Canceled, late: context.DeadlineExceeded} {
		for _, err := range []error{group(t, p, ctx, called), pool.RunGroup(ctx, p, bodyOf(called))} {
			check(t, err == want && began.Load() == 0,
				"P24: Group or RunGroup with a context that has ended has called its body %d times and returned %v, want %v", began.Load(), err, want)
		}
	}

	ctx, cancel = context.WithCancelCause(background)
	err = group(t, p, ctx, func(g round) error {
		g.spawn(1, func(ctx context.Context, w *pool.Worker) error {
			cancel(nil)
			untilEnded(ctx, w)
			return why
		})
		return nil
	})
	equal(t, err, error(why), "P24: a job of a group whose context has ended returned an error, and Group")
}

// groupNested has a group in a job of another one fail, and end early with that.
func groupNested(t *testing.T, p *pool.Pool) {
	inner, outer := &thrown{"inner"}, &thrown{"outer"}
	err := group(t, p, background, func(outer round) error {
		outer.spawn(1, func(ctx context.Context, w *pool.Worker) error {
			err := groupOf(ctx, w, func(g round) error { g.spawn(1, gives(inner)); return nil })
			expect(t, err == error(inner) && ctx.Err() == nil && outer.ctx.Err() == nil,
				"P24: an inner group returned %v, want its error; the context of the outer one has the error %v, want none", err, ctx.Err())
			return nil
		})
		return nil
	})
	noError(t, err, "P24: an error of an inner group was kept to itself by the job, and the outer one returned")
	var c crowd
	spawned := make(chan bool)
	err = group(t, p, background, func(g round) error {
		g.spawn(1, func(ctx context.Context, w *pool.Worker) error {
			return groupOf(ctx, w, func(g round) error {
				c.spawn(t, g, outer, nil)
				close(spawned)
				return nil
			})
		})
		g.spawn(1, func(_ context.Context, w *pool.Worker) error {
			w.Block(func() { <-spawned })
			c.all(w)
			return outer
		})
		return nil
	})
	equal(t, err, error(outer), "P24: a group returned")
	c.has(t)
}

// groupInScope has a group in a scope in a group, jobs of each, and an error that passes
// through.
func groupInScope(t *testing.T, p *pool.Pool) {
	failed := &thrown{"failed"}
	var ran atomic.Int32
	err := group(t, p, background, func(g round) error {
		g.spawn(1, func(ctx context.Context, w *pool.Worker) error {
			scopeOfMany(w, 5, func(w *pool.Worker) {
				err := groupOf(ctx, w, func(g round) error { g.spawn(5, counts(&ran)); return nil })
				noError(t, err, "P24: a group without errors in a scope returned")
			})
			equal(t, ran.Load(), 25, "P24: a scope ended, and of 25 jobs of the groups of its jobs the number that had run is")
			return failed
		})
		return nil
	})
	equal(t, err, error(failed), "P24: a group returned")
}

// groupWorkers looks for the worker in each context.
func groupWorkers(t *testing.T, p *pool.Pool) {
	look := func(ctx context.Context, w *pool.Worker) error {
		v, ok := pool.FromContext(ctx)
		expect(t, ok && v == w, "P24: the context of a group's body or job carries the worker %p, want that of the job, %p", v, w)
		return nil
	}
	for range 5 {
		group(t, p, background, func(g round) error {
			g.spawn(10, func(ctx context.Context, w *pool.Worker) error {
				groupOf(ctx, w, func(g round) error { g.spawn(1, look); return look(g.ctx, g.w) })
				return look(ctx, w)
			})
			return look(g.ctx, g.w)
		})
	}
}

// groupMisuse hands nil over, and spawns when a group or a scope has ended.
func groupMisuse(t *testing.T, p *pool.Pool) {
	var none context.Context
	do(t, p, func(w *pool.Worker) {
		wantPanic(t, "P29", "Group with a nil context", func() { groupOf(none, w, func(round) error { return nil }) })
		wantPanic(t, "P29", "Group with a nil function", func() { w.Group(background, nil) })
		wantPanic(t, "P29", "Scope with a nil function", func() { w.Scope(nil) })
		var g round
		var s *pool.Scope
		groupOf(background, w, func(made round) error {
			g = made
			wantPanic(t, "P29", "Spawn of a nil function", func() { g.Spawn(w, nil) })
			return nil
		})
		w.Scope(func(w *pool.Worker, made *pool.Scope) {
			s = made
			wantPanic(t, "P29", "Spawn of a nil function", func() { s.Spawn(w, nil) })
		})
		late := func(*pool.Worker) { t.Error("P24: a job ran that was spawned after the end of its group or scope") }
		for range 2 {
			wantPanic(t, "P24", "Spawn after the end", func() {
				g.Spawn(w, func(_ context.Context, w *pool.Worker) error { late(w); return nil })
			})
			wantPanic(t, "P24", "Spawn after the end", func() { s.Spawn(w, late) })
		}
		scopeOf(w, func(*pool.Worker) {})
	})
}

// runGroup has groups from outside and in a job, without errors and with one, whose jobs spawn others.
func runGroup(t *testing.T, p *pool.Pool) {
	why := &thrown{"why"}
	for where, call := range map[string]func(ctx context.Context, fn func(g round) error) error{
		"outside": func(ctx context.Context, fn func(g round) error) error { return pool.RunGroup(ctx, p, bodyOf(fn)) },
		"in a job": func(ctx context.Context, fn func(g round) error) error {
			return enter(t, p, func(*pool.Worker) error { return pool.RunGroup(ctx, p, bodyOf(fn)) })
		},
		"Group": func(ctx context.Context, fn func(g round) error) error { return group(t, p, ctx, fn) },
	} {
		for want, cause := range map[error]error{nil: context.Canceled, why: why} {
			var ran atomic.Int32
			var handed context.Context
			err := call(context.WithValue(background, contextKey{}, 7), func(g round) error {
				handed = g.ctx
				carried, _ := pool.FromContext(g.ctx)
				expect(t, carried == g.w && g.w.Pool() == p && g.ctx.Value(contextKey{}) == 7 && g.ctx.Err() == nil,
					"P24: %s: the body has a context with the value %v, want 7, with the error %v, or of another worker",
					where, g.ctx.Value(contextKey{}), g.ctx.Err())
				g.spawn(20, func(_ context.Context, w *pool.Worker) error {
					g.Spawn(w, func(ctx context.Context, _ *pool.Worker) error {
						expect(t, want != nil || ctx.Err() == nil && ctx.Value(contextKey{}) == 7,
							"P24: %s: the context of a job has the error %v and the value %v", where, ctx.Err(), ctx.Value(contextKey{}))
						ran.Add(1)
						return nil
					})
					return nil
				})
				return want
			})
			check(t, err == want, "P24: %s: the group returned %v, want %v", where, err, want)
			check(t, want != nil || ran.Load() == 20, "P24: %s: the group returned when %d of 20 jobs had run", where, ran.Load())
			hasEnded(t, where+": after the group, its context", handed, cause)
		}
	}
}

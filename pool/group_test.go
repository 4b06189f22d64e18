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

// groupFails has a job, or the body, fail while others run, which fail later.
func groupFails(t *testing.T, p *pool.Pool) {
	first, later := &thrown{"first"}, &thrown{"later"}
	for how, fail := range map[string]func() error{
		"returned": func() error { return first },
		"panicked": func() error { panic(first) },
		"exited":   func() error { runtime.Goexit(); return nil },
	} {
		for _, inBody := range []bool{false, true} {
			var others crowd
			cause, err := error(first), error(nil)
			if how != "returned" {
				cause = context.Canceled
			}
			got := endOf(func() {
				err = pool.RunGroup(background, p, bodyOf(func(g round) error {
					others.spawn(t, g, cause, later)
					if inBody {
						others.all(g.w)
						return fail()
					}
					g.spawn(1, func(_ context.Context, w *pool.Worker) error { others.all(w); return fail() })
					untilEnded(g.ctx, g.w)
					hasEnded(t, "the context of the body", g.ctx, cause)
					return later
				}))
			})
			check(t, got.how == how && (how != "panicked" || got.value == any(first)) && (how != "returned" || err == first),
				"P24: in the body: %t; it %s first, and RunGroup %s, with %v and %v", inBody, how, got.how, got.value, err)
			equal(t, others.ended.Load(), crowded, "P24: Group has returned, and of the jobs that had begun the number that have ended is")
		}
	}
	var none *thrown
	err := group(t, p, background, func(g round) error { g.spawn(1, gives(none)); return nil })
	equal(t, err, error(none), "P24: a group with the error (*thrown)(nil) returned")
}

// groupMisuse hands nil over, and spawns when a group or a scope has ended.
func groupMisuse(t *testing.T, p *pool.Pool) {
	var none context.Context
	do(t, p, func(w *pool.Worker) {
		wantPanic(t, "P29", "Group with a nil context", func() { groupOf(none, w, func(round) error { return nil }) })
		wantPanic(t, "P29", "Group of a nil function", func() { w.Group(background, nil) })
		wantPanic(t, "P29", "Scope of a nil function", func() { w.Scope(nil) })
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
	for where, call := range map[string]func(ctx context.Context, fn groupBody) error{
		"outside": func(ctx context.Context, fn groupBody) error { return pool.RunGroup(ctx, p, fn) },
		"in a job": func(ctx context.Context, fn groupBody) error {
			return enter(t, p, func(*pool.Worker) error { return pool.RunGroup(ctx, p, fn) })
		},
	} {
		for want, cause := range map[error]error{nil: context.Canceled, why: why} {
			var ran atomic.Int32
			var handed context.Context
			carries := func(ctx context.Context, w *pool.Worker) bool {
				carried, _ := pool.FromContext(ctx)
				return carried == w && w.Pool() == p && ctx.Value(contextKey{}) == 7
			}
			err := call(context.WithValue(background, contextKey{}, 7), func(ctx context.Context, w *pool.Worker, g *pool.Group) error {
				handed = ctx
				expect(t, carries(ctx, w) && ctx.Err() == nil, "P24: %s: the context of the body lacks the worker or a value, or has ended", where)
				for range 20 {
					g.Spawn(w, func(_ context.Context, w *pool.Worker) error {
						g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
							expect(t, carries(ctx, w) && (want != nil || ctx.Err() == nil), "P24: %s: the context of a job lacks the worker or a value, or has ended", where)
							ran.Add(1)
							return nil
						})
						return nil
					})
				}
				return want
			})
			check(t, err == want, "P24: %s: the group returned %v, want %v", where, err, want)
			check(t, want != nil || ran.Load() == 20, "P24: %s: the group returned when %d of 20 jobs had run", where, ran.Load())
			hasEnded(t, where+": after the group, its context", handed, cause)
		}
	}
}

package pool_test

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What Group.SetLimit promises.
func TestGroupLimit(t *testing.T) {
	eachCase(t, []poolCase{
		{"bound", "P24", limitBounds},
		{"producer", "P24", limitOfProducer},
		{"beside_busy", "P24", limitBesideBusy},
		{"order", "P24", limitOrder},
		{"context_ends", "P24", limitContextEnds},
		{"misuse", "P29", limitMisuse},
	}, 1, 2, 3)
}

// A crossing counts the jobs that are in it.
type crossing struct {
	now, passed atomic.Int32
	most        peak
}

// through is a job that crosses, and does something meanwhile.
func (c *crossing) through(fn func(ctx context.Context, w *pool.Worker)) groupJob {
	return func(ctx context.Context, w *pool.Worker) error {
		c.most.reach(c.now.Add(1))
		fn(ctx, w)
		c.passed.Add(1)
		c.now.Add(-1)
		return nil
	}
}

// limited runs a group with a limit, and checks that all jobs have crossed, and never more
// than so many at once.
func (c *crossing) limited(t *testing.T, p *pool.Pool, limit, jobs int, body func(g round)) {
	t.Helper()
	err := group(t, p, background, func(g round) error {
		g.SetLimit(limit)
		body(g)
		return nil
	})
	noError(t, err, "P24: a group with a limit and without errors returned")
	check(t, int(c.most.Load()) <= limit, "P24: %d jobs of a group with a limit of %d have been under way at once", c.most.Load(), limit)
	check(t, int(c.passed.Load()) == jobs, "P24: %d of %d jobs of a group with a limit of %d have run", c.passed.Load(), jobs, limit)
}

// limitBounds has jobs that fork and wait, in groups with several limits.
func limitBounds(t *testing.T, p *pool.Pool) {
	const jobs = 40
	for _, limit := range []int{1, 2, 3, jobs, 2 * jobs} {
		var c crossing
		c.limited(t, p, limit, jobs, func(g round) {
			for i := range jobs {
				g.spawn(1, c.through(func(_ context.Context, w *pool.Worker) {
					switch i % 4 {
					case 0:
						fib(w, 6)
					case 1:
						w.Block(runtime.Gosched)
					case 2:
						scopeOf(w, func(*pool.Worker) { runtime.Gosched() })
					}
				}))
			}
		})
	}
}

// limitOfProducer has a body that spawns until a job fails: it has never spawned more than the limit
// allows and one more that have not ended.
func limitOfProducer(t *testing.T, p *pool.Pool) {
	for _, limit := range []int{1, 4} {
		var ended atomic.Int32
		why := &thrown{"why"}
		err := group(t, p, background, func(g round) error {
			g.SetLimit(limit)
			for n := int32(1); g.ctx.Err() == nil; n++ {
				g.spawn(1, func(_ context.Context, w *pool.Worker) error {
					fib(w, 3)
					if ended.Add(1) == 200 {
						return why
					}
					return nil
				})
				left := n - ended.Load()
				check(t, left <= int32(limit)+1 || g.ctx.Err() != nil, "P24: with a limit of %d the body has spawned %d jobs that have not ended", limit, left)
			}
			return nil
		})
		equal(t, err, error(why), "P24: a group whose body spawns until an error returned")
	}
}

// limitBesideBusy has a body that is a guest wait for jobs, while others keep all workers until these
// have run.
func limitBesideBusy(t *testing.T, p *pool.Pool) {
	const jobs = 10
	var ran atomic.Int32
	var free func()
	err := group(t, p, background, func(g round) error {
		g.SetLimit(1)
		g.w.Block(func() { free = hold(t, p, p.Workers()) })
		g.spawn(1, func(_ context.Context, w *pool.Worker) error { // others are kept before the body's
			for range jobs / 2 {
				g.Spawn(w, counts(&ran))
			}
			return nil
		})
		g.spawn(jobs/2, counts(&ran))
		return nil
	})
	free()
	noError(t, err, "P24: a group whose body was a guest returned")
	equal(t, ran.Load(), jobs, "P24: of a group whose body was a guest the jobs that have run are")
}

// limitOrder has one job after the other, in the order of Spawn, whichever worker ends one.
func limitOrder(t *testing.T, p *pool.Pool) {
	const jobs = 100
	var order []int // by one job at a time
	var c crossing
	c.limited(t, p, 1, jobs+1, func(g round) {
		g.spawn(1, c.through(func(_ context.Context, w *pool.Worker) { // all others are kept
			for i := range jobs {
				g.Spawn(w, c.through(func(context.Context, *pool.Worker) {
					order = append(order, i)
					if i%7 == 0 {
						runtime.Gosched()
					}
				}))
			}
		}))
	})
	check(t, slices.IsSorted(order), "P24: the jobs of a group with a limit of 1 were begun in the order %v", order)
}

// limitContextEnds ends the context while jobs are kept, and then spawns more.
func limitContextEnds(t *testing.T, p *pool.Pool) {
	ctx, cancel := context.WithCancel(background)
	var began atomic.Int32
	err := group(t, p, ctx, func(g round) error {
		var c crowd
		g.SetLimit(crowded + 1)
		c.spawn(t, g, context.Canceled, nil)
		spawned := make(chan bool)
		g.spawn(1, func(ctx context.Context, w *pool.Worker) error {
			for range 50 {
				g.Spawn(w, counts(&began))
			}
			close(spawned)
			w.Block(func() { <-ctx.Done() })
			return nil
		})
		c.all(g.w)
		g.w.Block(func() { <-spawned })
		cancel()
		g.spawn(50, counts(&began))
		return nil
	})
	check(t, err == context.Canceled, "P24: the context ended while jobs of a group were kept: Group returned %v, want the context's error", err)
	check(t, began.Load() == 0, "P24: %d jobs began that were kept when the context of their group ended", began.Load())
}

// limitMisuse has limits that are none, or come too late.
func limitMisuse(t *testing.T, p *pool.Pool) {
	ran := 0
	err := group(t, p, background, func(g round) error {
		wantPanic(t, "P29", "must be at least 1", func() { g.SetLimit(0) })
		wantPanic(t, "P29", "must be at least 1", func() { g.SetLimit(-1) })
		g.SetLimit(1)
		wantPanic(t, "P29", "before the first Spawn", func() { g.SetLimit(3) })
		release := make(chan bool)
		defer close(release)
		spawn := func() {
			g.spawn(1, func(_ context.Context, w *pool.Worker) error { w.Block(func() { <-release }); ran++; return nil })
		}
		g.w.Block(func() { wantPanic(t, "P29", "pool: ", spawn) })
		spawn()
		g.w.Block(func() { wantPanic(t, "P29", "pool: ", spawn) }) // there is no room
		return nil
	})
	check(t, err == nil && ran == 1, "P29: after misuse that was refused a group returned %v, and its only job was run %d times", err, ran)
	err = group(t, p, background, func(g round) error {
		g.spawn(1, gives(nil))
		wantPanic(t, "P29", "before the first Spawn", func() { g.SetLimit(2) })
		return nil
	})
	noError(t, err, "P29: after a SetLimit that was refused a group returned")
}

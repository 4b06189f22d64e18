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

// through calls fn, and returns how many have come through then.
func (c *crossing) through(fn func()) int {
	c.most.reach(c.now.Add(1))
	defer c.now.Add(-1)
	fn()
	return int(c.passed.Add(1))
}

// limitOfProducer has a body that spawns until a job fails: so many jobs run at once, and it has never
// spawned more than these and one more that have not ended.
func limitOfProducer(t *testing.T, p *pool.Pool) {
	for _, limit := range []int{1, 4} {
		var c crossing
		why := &thrown{"why"}
		err := group(t, p, background, func(g round) error {
			g.SetLimit(limit)
			for n := 1; g.ctx.Err() == nil; n++ {
				g.spawn(1, func(_ context.Context, w *pool.Worker) error {
					if c.through(func() { fib(w, 3); w.Block(runtime.Gosched) }) == 200 {
						return why
					}
					return nil
				})
				left := n - int(c.passed.Load())
				check(t, left <= limit+1 || g.ctx.Err() != nil, "P24: with a limit of %d the body has spawned %d jobs that have not ended", limit, left)
			}
			return nil
		})
		check(t, err == error(why) && int(c.most.Load()) <= limit,
			"P24: with a limit of %d a group whose body spawns until an error returned %v, and at most %d of its jobs ran at once", limit, err, c.most.Load())
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
	err := group(t, p, background, func(g round) error {
		g.SetLimit(1)
		g.spawn(1, func(_ context.Context, w *pool.Worker) error { // all others are kept
			c.through(func() {
				for i := range jobs {
					g.Spawn(w, func(context.Context, *pool.Worker) error {
						c.through(func() { order = append(order, i); runtime.Gosched() })
						return nil
					})
				}
			})
			return nil
		})
		return nil
	})
	check(t, err == nil && c.most.Load() == 1 && len(order) == jobs && slices.IsSorted(order),
		"P24: a group with a limit of 1 returned %v, %d jobs of it have been under way at once, and they were begun in the order %v", err, c.most.Load(), order)
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

package pool_test

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// forkMeeting forks n jobs. all is closed when all have begun.
func forkMeeting(w *pool.Worker, n int) (forks []pool.Forked[int, int], all chan bool) {
	missing := new(atomic.Int32)
	missing.Store(int32(n))
	all = make(chan bool)
	for i := range n {
		forks = append(forks, pool.Fork(w, func(_ *pool.Worker, i int) int {
			if missing.Add(-1) == 0 {
				close(all)
			}
			return i
		}, i))
	}
	return forks, all
}

// joinAll joins forks, the newest first, and adds up what they give.
func joinAll(w *pool.Worker, forks []pool.Forked[int, int]) (sum int) {
	for _, f := range slices.Backward(forks) {
		sum += f.Join(w)
	}
	return sum
}

// A worker turns idle while the only other one forks no more, but unwinds what it has forked:
// then that hands over its oldest fork.
func TestUnwindingHandsOver(t *testing.T) {
	const joins = 1000
	for name, unwind := range map[string]func(w *pool.Worker, forks int, forked func()){"join": joinMany, "invoke": invokeMany} {
		subtest(t, name, "P5", "a job unwinds its forks", func(t *testing.T) {
			p := poolOf(t, 2)
			for range 3 {
				var begun atomic.Bool
				do(t, p, func(w *pool.Worker) {
					free := make(chan bool)
					other := stolen(t, w, func(*pool.Worker) int { <-free; return 0 })
					// The first time makes frames, and takes the long way.
					unwind(w, joins+1, func() {})
					// The worker that took the other job has asked for this one, and for no more.
					fork(w, nothing).Join(w)
					oldest := fork(w, func(*pool.Worker) int { begun.Store(true); return 0 })
					before := p.Stats().Published
					unwind(w, joins, func() {
						close(free)
						until(t, "the other worker sleeps", func() bool { return p.Sleeping() == 1 })
					})
					handed := p.Stats().Published > before
					expect(t, handed,
						"P5: a worker has joined %d forks, and not handed over the oldest to the one that is idle", joins)
					if handed {
						until(t, "the oldest fork has begun", begun.Load)
					}
					oldest.Join(w)
					other.Join(w)
				})
			}
		})
	}
}

// joinMany forks so many times, calls forked, and joins then.
func joinMany(w *pool.Worker, forks int, forked func()) {
	all := make([]pool.Forked[int, int], forks)
	for i := range all {
		all[i] = fork(w, nothing)
	}
	forked()
	for _, f := range slices.Backward(all) {
		f.Join(w)
	}
}

// invokeMany does the same by calls of Invoke, each in the one before.
func invokeMany(w *pool.Worker, forks int, forked func()) {
	if forks == 0 {
		forked()
		return
	}
	pool.Invoke(w, func(w *pool.Worker, left int) int {
		invokeMany(w, left, forked)
		return 0
	}, forks-1, func(*pool.Worker, int) int { return 0 }, 0)
}

// A job makes forks while no other worker is without work, and then neither forks nor joins
// until all of them have begun: because it has called Publish, or by WithEagerPublish.
func TestPublishedForksBegin(t *testing.T) {
	for name, c := range map[string]struct {
		opts    []pool.Option
		publish func(w *pool.Worker)
	}{
		"Publish":          {nil, loops.Publish},
		"WithEagerPublish": {[]pool.Option{pool.WithEagerPublish()}, func(*pool.Worker) {}},
	} {
		subtest(t, name, "P5", "forks that are published begin while their job is blocked", func(t *testing.T) {
			p := newPool(t, append(c.opts, pool.WithWorkers(3))...)
			free := hold(t, p, 2)
			forked := make(chan bool)
			h := submitted(t, p, func(w *pool.Worker) int {
				forks, all := forkMeeting(w, 50)
				c.publish(w)
				close(forked)
				<-all
				return joinAll(w, forks)
			})
			<-forked
			free()
			equal(t, result(t, h), 50*49/2, "P1: published forks gave the sum")
			meet(t, p)
		})
	}
}

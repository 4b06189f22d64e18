package pool_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, one who looks for the reason of a delay is told of a wait, or a steal,
// that was none, or is not told of one.
func TestStatsOfAWait(t *testing.T) {
	p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithEagerPublish()))
	during(t, "P5", "a job waits for a fork that another worker runs", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			begun, release := make(chan bool), make(chan bool)
			f := pool.Fork(w, func(*pool.Worker, int) int { close(begun); <-release; return 1 }, 0)
			<-begun
			go func() {
				until(t, "the job that joins is counted as set aside", func() bool { return p.Stats().SetAside > 0 })
				close(release)
			}()
			return f.Join(w)
		}, 0)
	})
	s := p.Stats()
	if s.Forks != 1 || s.Published != 1 || s.Steals != 1 || s.SetAside != 1 {
		t.Errorf("P26: one fork was published, stolen and waited for once: %+v", s)
	}
	if s.Spawned != 0 || s.Seatless != 0 || s.Injected != 0 {
		t.Errorf("P26: a job is counted as spawned, without a seat or queued, and none was: %+v", s)
	}
	if s.Borrowed == 0 {
		t.Errorf("P26: Run took the seat of a worker that slept, which is not counted: %+v", s)
	}
	during(t, "P6", "Close returns", func() { p.Close() })
	if after := p.Stats(); after.Forks != s.Forks || after.Steals != s.Steals || after.SetAside != s.SetAside {
		t.Errorf("P26: after Close the counts are %+v, and were %+v", after, s)
	}
}

// If this fails, one that looks for the cost of steals counts what was taken along with
// others, which costs next to nothing, or misses a steal.
func TestStatsOfStealsOfSeveral(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2), pool.WithEagerPublish())
	during(t, "P5", "forks run on another worker", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			begun, release := make(chan bool), make(chan bool)
			h := submitted(t, p, func(*pool.Worker) int { close(begun); <-release; return 1 })
			<-begun // there is no thief yet
			var ran atomic.Int32
			var forks [8]pool.Forked[int, int]
			for i := range forks {
				forks[i] = pool.Fork(w, func(*pool.Worker, int) int { ran.Add(1); return 1 }, 0)
			}
			close(release)
			until(t, "the other worker has done all forks", func() bool { return ran.Load() == 8 })
			// It finds 8 and takes half of the 7 that are left along; then it finds 4, and
			// takes one along, then 2, then 1.
			if n := p.Stats().Steals; n != 4 {
				t.Errorf("P26: a worker has taken 8 jobs from another one, in 4 steals, and the count is %d", n)
			}
			sum := 0
			for i := len(forks) - 1; i >= 0; i-- {
				sum += forks[i].Join(w)
			}
			one, _ := h.Join(w)
			return sum + one
		}, 0)
	})
}

// If this fails, one that asks how full the queue is, or how many workers have jobs, is told
// something else.
func TestStatsOfNow(t *testing.T) {
	const limit = 40
	for name, opts := range map[string][]pool.Option{"no limit": nil, "limit": {pool.WithQueueLimit(limit)}} {
		subtest(t, name, "P26", "queued jobs begin", func(t *testing.T) {
			p := asleep(t, newPool(t, append(opts, pool.WithWorkers(2))...))
			is := func(queued, running int) {
				t.Helper()
				if s := p.Stats(); s.Queued != queued || s.Running != running {
					t.Errorf("P26: Stats says that %d jobs are queued and %d workers have one, want %d and %d", s.Queued, s.Running, queued, running)
				}
			}
			is(0, 0)
			begun, release := make(chan bool), make(chan bool)
			hold := func(*pool.Worker) int { begun <- true; <-release; return 1 }
			var held []*pool.Handle[int]
			for range 2 {
				held = append(held, submitted(t, p, hold))
				<-begun
			}
			is(0, 2) // they began at once, or one after the other
			var queued []*pool.Handle[int]
			for range 10 {
				queued = append(queued, submitted(t, p, func(*pool.Worker) int { return 1 }))
			}
			// One holds a worker that has taken others along.
			all, err := pool.SubmitAll(p, []func(*pool.Worker) int{hold, func(*pool.Worker) int { return 1 }, func(*pool.Worker) int { return 1 }})
			if err != nil {
				t.Errorf("P1: SubmitAll returned the error %v", err)
			}
			is(13, 2)
			if !queued[3].Cancel() || !all[2].Cancel() {
				t.Error("P20: a job that is queued cannot be canceled")
			}
			is(11, 2)
			ctx, cancel := context.WithCancel(background)
			late, err := pool.SubmitErr(ctx, p, func(context.Context, *pool.Worker) (int, error) { return 1, nil })
			if err != nil {
				t.Errorf("P1: SubmitErr returned the error %v", err)
			}
			is(12, 2)
			cancel()
			late.Wait(background)
			is(11, 2)
			release <- true
			<-begun // in the order of coming, so nine have ended
			is(1, 2)
			close(release)
			for _, h := range append(held, append(queued, all...)...) {
				h.Wait(background)
			}
			until(t, "all workers sleep", func() bool { return p.Sleeping() == 2 })
			is(0, 0)
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				is(0, 1)
				w.Block(func() {
					until(t, "its worker sleeps", func() bool { return p.Sleeping() == 2 })
					is(0, 0)
				})
				return 0
			}, 0)
		})
	}
}

package pool_test

import (
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

package pool_test

import (
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

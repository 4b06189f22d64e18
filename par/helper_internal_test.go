package par

import (
	"math"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A helper that leaves and finds that there is something after all counts as before. If it
// does not, the feeder takes the others for fewer than they are, and does alone what they
// could.
func TestHelperStays(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := &stream[int, int]{config: config{pool: p}}
	s.out = sequence[int, int]{s}
	s.start()
	s.share(time.Millisecond)
	h := &helper[int, int]{stream: s}
	check := func(when string, stays bool, want int32) {
		t.Helper()
		s.engaged.Add(1)
		h.join()
		h.leave()
		if e, a := s.engaged.Load(), s.active.Load(); e != 0 || a != 0 {
			t.Errorf("F7: a helper has left, and %d count as engaged, %d as active", e, a)
		}
		got := s.left() && h.stay()
		if got != stays {
			t.Errorf("F7: %s, and the helper stays: %t", when, got)
		}
		if e, a := s.engaged.Load(), s.active.Load(); e != want || a != want {
			t.Errorf("F7: %s, and of one helper %d count as engaged, %d as active", when, e, a)
		}
	}
	s.put(0)
	c := (*s.cells.Load()).at(0)
	c.state.Store(cellDone)
	check("nothing is left", false, 0)
	c.state.Store(cellReady)
	check("an element is left", true, 1)
	h.leave()
	s.failed.Store(-1)
	check("the stream has ended", false, 0)
	s.failed.Store(math.MaxInt64)
	s.active.Store(closed)
	if h.stay() || s.active.Load() != closed {
		t.Errorf("F4: a helper stays when the stream is closed, and %d count as active", s.active.Load()-closed)
	}
}

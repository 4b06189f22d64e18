package par

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A helper that leaves and finds that there is something after all counts as before. If it
// does not, the consumer takes the others for fewer than they are, and does alone what they
// could.
func TestHelperStays(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := &stream[int, int]{config: config{pool: p}}
	s.failed.Store(1)
	s.share(time.Millisecond)
	h := &helper[int, int]{stream: s, owned: cellOwned}
	begin := func() {
		h.engaged.Store(true)
		s.engaged.Add(1)
		s.active.Add(1)
	}
	check := func(when string, stays bool, want int32) {
		t.Helper()
		begin()
		h.leave()
		if e, a := s.engaged.Load(), s.active.Load(); e != 0 || a != 0 || h.engaged.Load() {
			t.Errorf("F7: a helper has left, and %d count as engaged, %d as active", e, a)
		}
		if got := h.stay(); got != stays {
			t.Errorf("F7: %s, and the helper stays: %t", when, got)
		}
		if e, a := s.engaged.Load(), s.active.Load(); e != want || a != want {
			t.Errorf("F7: %s, and of one helper %d count as engaged, %d as active", when, e, a)
		}
	}
	check("nothing is left", false, 0)
	c := s.at(0)
	c.state.Store(cellReady)
	s.taken.Store(1)
	check("an element is left", true, 1)
	h.leave()
	c.state.Store(cellDone)
	check("an element is done", false, 0)
}

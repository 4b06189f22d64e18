package pool

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/testrule"
)

// A stingy backend has no seat that sleeps, and counts how often it is asked for one.
type stingy struct {
	api.Lender
	inactive, asked int
	takes           time.Duration // to ask
}

func (s *stingy) Borrow() (seat int, ok bool)      { s.asked++; time.Sleep(s.takes); return 0, false }
func (s *stingy) Counts() (inactive, sleeping int) { return s.inactive, 0 }

// If this fails, a Run gives way to jobs that have all processors, each for a time slice of the Go
// scheduler; or it is a guest, and a worker would have slept a moment later.
func TestGivesWay(t *testing.T) {
	testrule.Bubble(t, givesWay) // where the clock stands still
}

func givesWay(t *testing.T) {
	for _, c := range []struct{ workers, processors, inactive, times int }{
		{1, 1, 1, 8}, {2, 2, 1, 8}, {2, 4, 2, 8}, {2, 2, 0, 0},
		{8, 2, 8, 1}, {8, 2, 7, 1}, {8, 2, 6, 0}, {8, 2, 1, 0}, {8, 2, 0, 0},
	} {
		b := &stingy{inactive: c.inactive}
		p := &Pool{lender: b, seats: make([]*seat, c.workers), processors: int32(c.processors)}
		p.shutdown.entered.Store(2)
		p.borrow()
		if n := b.asked - 1; n != c.times {
			t.Errorf("Seats: of %d workers on %d processors %d look for work, and a Run gives way %d times, want %d", c.workers, c.processors, c.inactive, n, c.times)
		}
	}
	b := &stingy{inactive: 1, takes: 2 * longWork}
	p := &Pool{lender: b, seats: make([]*seat, 1), processors: 1}
	p.shutdown.entered.Store(2)
	p.borrow()
	if n := b.asked - 1; n != 1 {
		t.Errorf("Seats: other goroutines have the processor, and a Run gives way %d times, want once", n)
	}
}

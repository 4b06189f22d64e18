package pool

import (
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/testrule"
)

// lingers reports whether the seat of a pool with two lingers after what work did. It is in a
// bubble, whose clock moves only as work sleeps.
func lingers(t *testing.T, work func(l lone, s *seat)) (lingers bool) {
	testrule.Bubble(t, func(t *testing.T) {
		l := newLone(t, 2)
		l.pool.lingers, l.pool.eager = true, true
		s := l.pool.seats[1]
		s.woken()
		work(l, s)
		lingers = s.startLooking().Lingers
	})
	return lingers
}

// If this fails, workers wait for the next loop in vain, or wait where there is none.
func TestWhatCountsAsLongWork(t *testing.T) {
	for _, c := range []struct {
		name string
		want bool
		work func(l lone, s *seat)
	}{
		{"nothing", false, func(lone, *seat) {}},
		{"half of what it takes", false, func(lone, *seat) { time.Sleep(longWork / 2) }},
		{"what it takes", true, func(lone, *seat) { time.Sleep(longWork) }},
		{"what it takes, in two parts", true, func(_ lone, s *seat) {
			time.Sleep(longWork / 2)
			idle := s.startLooking()
			s.found(&idle)
			time.Sleep(longWork / 2)
		}},
		{"as much as it has lingered since", false, func(_ lone, s *seat) {
			time.Sleep(longWork)
			idle := s.startLooking()
			time.Sleep(longWork)
			s.found(&idle)
		}},
		{"what it takes, behind a sleep before which it has lingered in vain", true, func(_ lone, s *seat) {
			time.Sleep(longWork)
			idle := s.startLooking()
			time.Sleep(longWork)
			s.woken()
			s.found(&idle)
			time.Sleep(longWork)
		}},
		{"jobs of no time", false, func(l lone, s *seat) {
			var forks []Forked[int, int]
			for range 100 {
				forks = append(forks, l.fork())
			}
			w := s.worker()
			for w.next = w.find(); w.next != nil; w.next = w.find() {
				(*rootTask)(w).Run()
			}
			for _, f := range slices.Backward(forks) {
				l.join(f)
			}
			time.Sleep(longWork)
		}},
		{"a borrowed seat, whenever it was woken", false, func(_ lone, s *seat) {
			s.linger.since = untimed
			time.Sleep(longWork)
		}},
		{"what it takes, in a borrowed seat that has looked before", true, func(_ lone, s *seat) {
			s.linger.since = untimed
			idle := s.startLooking()
			s.found(&idle)
			time.Sleep(longWork)
		}},
	} {
		if got := lingers(t, c.work); got != c.want {
			t.Errorf("Idle.Lingers: after %s it is %t, want %t", c.name, got, c.want)
		}
	}
}

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

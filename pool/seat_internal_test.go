package pool

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// lingers reports whether the seat of a pool with two lingers after what work did. It is in a
// bubble, whose clock moves only as work sleeps.
func lingers(t *testing.T, work func(l lone, s *seat)) (lingers bool) {
	synctest.Test(t, func(t *testing.T) {
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
				(*rootTask)(w).run(w)
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

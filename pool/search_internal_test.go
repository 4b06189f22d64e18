package pool

import (
	"runtime"
	"testing"
)

func untilAllSleep(p *Pool) {
	for ; ; runtime.Gosched() {
		if _, sleeping := p.sleep.Counts(); sleeping == len(p.seats) {
			return
		}
	}
}

// If this fails, workers that sleep get no forks of those that have none to give just now, or a worker
// that does not count as idle asks in vain.
func TestSearchAsksOthers(t *testing.T) {
	const seats = 300
	l := newLone(t, seats)
	for n := range l.pool.occupants {
		l.pool.occupants[n].Load().wanted.Store(0)
	}
	for _, want := range []bool{false, true} {
		expect(t, l.seat.search(want) == nil, "P1: a search has found a job, and there is none")
		asked := 0
		for n := range l.pool.occupants {
			asked += int(l.pool.occupants[n].Load().wanted.Load() & wantForks)
		}
		if want {
			equal(t, asked, seats-1, "S2: a search that finds nothing, of a seat that is counted inactive, has asked other seats:")
		} else {
			equal(t, asked, 0, "P5: a search of a seat that is not counted inactive has asked other seats, where nobody looks again:")
		}
	}
	expect(t, l.queue() == l.seat.search(true), "P1: a search has not found the only job, which is queued")
}

// If this fails, a guest that has forks is not shown, or one that has none is.
func TestGuestsAreShownAtOnce(t *testing.T) {
	p := open(t, WithWorkers(1))
	a, b := p.guestSeat(), p.guestSeat()
	defer a.leave()
	defer b.leave()
	shown := func() uint64 { return a.home.shown.Load() }
	atOnce(t, func() { a.home.shown.Store(0) }, func() {
		expect(t, shown() == 0b11, "P5: two guests are shown at once, and those that searches visit are %b", shown())
	}, a.showGuest, b.showGuest)
	atOnce(t, func() { a.home.shown.Store(0b11) }, func() {
		expect(t, shown() == 0, "P5: two guests are hidden at once, and those that searches visit are %b", shown())
	}, a.hide, b.hide)
}

// If this fails, each worker of a large pool that ends a job of a scope looks at as many lists as
// there are seats, or a job is in none that others look at.
func TestListsOfLargePool(t *testing.T) {
	const seats = 3 * mostLists
	l := newLone(t, seats)
	s := &Scope{owner: newWorker(l.pool)}
	for _, seat := range l.pool.seats {
		s.jobs.list(s.spot(seat.worker()), seats).add(&link{job: new(Job)})
	}
	lists, jobs := 0, 0
	for u := range s.jobs.lists(s.spot(l.Worker)) {
		for lists++; u.begin() != nil; jobs++ {
		}
	}
	if most := mostLists + 1; lists > most {
		t.Errorf("Cost: of a scope in a pool of %d seats a worker looks at %d lists, want at most %d", seats, lists, most)
	}
	if jobs != seats {
		t.Errorf("P1: the workers of %d seats have spawned a job each, and %d of those are found", seats, jobs)
	}
}

package pool

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// untilAllSleep waits until all seats can be borrowed: a worker is counted asleep before that, and blocks
// after it.
func untilAllSleep(p *Pool) {
	for ; ; runtime.Gosched() {
		_, sleeping := p.sleep.Counts()
		blocked := p.sleep.Sleep.(api.Meter).Meter()
		if n := len(p.seats); sleeping == n && blocked.Parks-blocked.Wakes == uint64(n) {
			return
		}
	}
}

// If this fails, workers that sleep get no forks of those that have none to give just now, or a worker
// that does not count as idle asks in vain.
func TestSearchAsksOthers(t *testing.T) {
	const seats = 300
	l := newLone(t, seats)
	for n := range seats {
		l.pool.seats[n].occupant.Load().wanted.Store(0)
	}
	for _, want := range []bool{false, true} {
		expect(t, l.seat.search(want) == nil, "P1: a search has found a job, and there is none")
		asked := 0
		for n := range seats {
			asked += int(l.pool.seats[n].occupant.Load().wanted.Load() & wantForks)
		}
		if want {
			equal(t, asked, seats-1, "S2: a search that finds nothing, of a seat that is counted inactive, has asked other seats:")
		} else {
			equal(t, asked, 0, "P5: a search of a seat that is not counted inactive has asked other seats, where nobody looks again:")
		}
	}
	expect(t, l.queue() == l.seat.search(true), "P1: a search has not found the only job, which is queued")
}

// If this fails, a guest that has no forks stays shown, and each search looks there in vain.
func TestGuestsAreHiddenAtOnce(t *testing.T) {
	p := open(t, WithWorkers(1))
	a, b := p.guestSeat(), p.guestSeat()
	defer a.leaveGuestSeat()
	defer b.leaveGuestSeat()
	atOnce(t, func() { a.home.shown[0].Store(0b11) }, func() {
		expect(t, a.home.shown[0].Load() == 0, "P5: two guests are hidden at once, and those that searches visit are %b", a.home.shown[0].Load())
	}, a.hide, b.hide)
}

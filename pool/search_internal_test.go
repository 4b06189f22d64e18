package pool

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
)

// If this fails, a search of a large pool passes by a seat in view, or visits one that
// has nothing.
func TestView(t *testing.T) {
	const seats = 3 * manySeats
	seen := func(v view, from, to int) (all []int) {
		for n := v.next(from, to); n < to; n = v.next(n+1, to) {
			all = append(all, n)
		}
		return all
	}
	v := newView(seats)
	p := &Pool{view: v}
	inView := []int{0, 63, 64, 192, 200, seats - 1}
	for _, n := range inView {
		(&seat{pool: p, index: n}).show()
	}
	for _, c := range []struct {
		from, to int
		want     []int
	}{
		{0, seats, inView}, {65, seats, inView[3:]}, {1, 63, nil}, {1, 64, []int{63}}, {65, 192, nil}, {193, 200, nil},
		{seats, seats, nil}, {0, 0, nil},
	} {
		got := seen(v, c.from, c.to)
		expect(t, slices.Equal(got, c.want), "Seats in view: from %d to %d a search visits %v, want %v", c.from, c.to, got, c.want)
	}
	equal(t, len(seen(newView(manySeats-1), 5, manySeats-1)), manySeats-6,
		"Seats in view: a search of a pool of %d seats visits, of those from 5 on,", manySeats-1)
}

func untilAllSleep(p *Pool) {
	for ; ; runtime.Gosched() {
		if _, sleeping := p.sleep.Counts(); sleeping == len(p.seats) {
			return
		}
	}
}

// An unhurried backend lets those that are woken go as far as they can before Wake returns.
type unhurried struct{ api.Sleep }

func (u unhurried) Wake(worker int) bool {
	defer synctest.Wait()
	return u.Sleep.Wake(worker)
}

// If this fails, Close has the workers of a large pool search it for each of them that
// ends.
func TestCloseWakesEachOnce(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		var m api.Meter
		p := open(t, WithWorkers(16), WithSleep(func(workers int) (api.Sleep, error) {
			s, err := defaultSleep(workers)
			m = s.(api.Meter)
			return unhurried{s}, err
		}))
		synctest.Wait()
		before := m.Meter().Parks
		mustClose(t, p)
		equal(t, m.Meter().Parks, before, "Cost: as a pool of 16 idle workers closes, some go to sleep again: the number of parks is")
	})
}

// newCrowd returns a lone worker of a large pool. All seats are in view, no deque has a job, and
// no flag is up.
func newCrowd(t *testing.T, seats int) lone {
	t.Helper()
	l := newLone(t, seats)
	l.pool.view = newView(seats)
	for n := range l.pool.occupants {
		l.pool.view.add(n)
		l.pool.occupants[n].Load().wanted.Store(0)
	}
	return l
}

// flagged returns how many workers have a bit of their flags up.
func (l lone) flagged(bit uint32) (n int) {
	for i := range l.pool.occupants {
		if l.pool.occupants[i].Load().wanted.Load()&bit != 0 {
			n++
		}
	}
	return n
}

// searchInVain searches, finds nothing, and has asked all others.
func (l lone) searchInVain() {
	l.t.Helper()
	expect(l.t, l.seat.search(true) == nil, "P1: a search has found a job, and there is none")
	equal(l.t, l.flagged(wantForks), len(l.pool.seats)-1, "S2: a search that finds nothing has visited other seats:")
}

// If this fails, each worker of a large pool that looks for work visits all the others whose jobs
// have forked and wait for something: in all that takes a time that grows with the square of their
// number.
func TestSeatsWithoutJobsLeaveView(t *testing.T) {
	const seats = 4 * manySeats
	l := newCrowd(t, seats)
	expect(t, l.seat.search(false) == nil, "P1: a search has found a job, and there is none")
	expect(t, l.pool.view.has(1),
		"P5: a worker that does not count as idle has taken a seat out of view: nobody is left that looks there again")
	l.searchInVain()
	for n := l.pool.view.next(0, seats); n < seats; n = l.pool.view.next(n+1, seats) {
		check(t, n == l.seat.index,
			"Cost: a search has met an empty deque at seat %d and asked its worker, and the seat is in view", n)
	}
	other := l.pool.seats[7]
	other.worker()
	other.push(new(Job))
	expect(t, l.pool.view.has(7), "P5: a seat that was taken out of view has a job, and stays there")
}

// If this fails, each end of a job in a pool of thousands of workers, all of which have jobs that
// have forked, takes as long as a visit to all of them.
func TestQueueOfLargePool(t *testing.T) {
	l := newCrowd(t, 4*manySeats)
	expect(t, l.queue() == l.seat.search(true), "P1: a search has not found the only job, which is queued")
	expect(t, l.flagged(wantForks) <= fewVisits,
		"Cost: a search has visited %d seats before it came to the queue, must after %d", l.flagged(wantForks), fewVisits)
	l.searchInVain()
}

// If this fails, a seat with jobs is not in view, or an empty one stays there.
func TestSeatsComeIntoViewAtOnce(t *testing.T) {
	l := newLone(t, 2)
	p := l.pool
	p.view.words = make([]prim.Uint64, 1)
	word := &p.view.words[0]
	atOnce(t, func() { word.Store(0) }, func() {
		expect(t, word.Load() == 0b11, "P5: two seats come into view, and those in view are %b", word.Load())
	}, p.seats[0].show, p.seats[1].show)
	atOnce(t, func() { word.Store(0b11) }, func() {
		expect(t, word.Load() == 0, "Seats in view: two seats leave it, and those in view are %b", word.Load())
	}, func() { p.pass(0) }, func() { p.pass(1) })
}

// If this fails, each worker of a large pool that ends a job of a scope looks at as many lists as
// there are seats, or a job is in none that others look at.
func TestListsOfLargePool(t *testing.T) {
	const seats = 3 * manySeats
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

package pool

import (
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/api"
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
	for _, n := range []int{0, 63, 64, 192, 200, seats - 1} {
		(&seat{pool: p, index: n}).show()
	}
	for _, c := range []struct {
		from, to int
		want     []int
	}{
		{0, seats, []int{0, 63, 64, 192, 200, seats - 1}},
		{65, seats, []int{192, 200, seats - 1}},
		{1, 63, nil},
		{1, 64, []int{63}},
		{65, 192, nil},
		{193, 200, nil},
		{seats, seats, nil},
		{0, 0, nil},
	} {
		if got := seen(v, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("Seats in view: from %d to %d a search visits %v, want %v", c.from, c.to, got, c.want)
		}
	}
	if got := len(seen(newView(manySeats-1), 5, manySeats-1)); got != manySeats-6 {
		t.Errorf("Seats in view: a search of a pool of %d seats visits %d of those from 5 on, want all", manySeats-1, got)
	}
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
	synctest.Test(t, func(t *testing.T) {
		var m api.Meter
		p, err := New(WithWorkers(16), WithSleep(func(workers int) (api.Sleep, error) {
			s, err := defaultSleep(workers)
			m = s.(api.Meter)
			return unhurried{s}, err
		}))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		synctest.Wait()
		before := m.Meter().Parks
		if err := p.Close(); err != nil {
			t.Fatalf("P6: Close returned the error %v", err)
		}
		if n := m.Meter().Parks - before; n > 0 {
			t.Errorf("Cost: as a pool of 16 idle workers closes, %d go to sleep again", n)
		}
	})
}

// newCrowd returns a lone worker of a large pool. All seats are in view, no deque has a job, and
// no flag is up.
func newCrowd(t *testing.T, seats int) lone {
	t.Helper()
	l := newLone(t, seats)
	l.pool.view, l.pool.looked = newView(seats), newView(seats)
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

// If this fails, each worker of a large pool that looks for work visits all the others whose jobs
// have forked and wait for something: in all that takes a time that grows with the square of their
// number.
func TestSeatsWithoutJobsLeaveView(t *testing.T) {
	const seats = 4 * manySeats
	l := newCrowd(t, seats)
	if j := l.seat.search(false); j != nil {
		t.Error("P1: a search has found a job, and there is none")
	}
	if !l.pool.view.has(1) {
		t.Error("P5: a worker that does not count as idle has taken a seat out of view: nobody is left that looks there again")
	}
	if j := l.seat.search(true); j != nil {
		t.Error("P1: a search has found a job, and there is none")
	}
	if n := l.flagged(wantForks); n != seats-1 {
		t.Errorf("S2: a search that finds nothing has asked %d of %d other workers for forks", n, seats-1)
	}
	for n := l.pool.view.next(0, seats); n < seats; n = l.pool.view.next(n+1, seats) {
		if n != l.seat.index {
			t.Fatalf("Cost: a search has met an empty deque at seat %d and asked its worker, and the seat is in view", n)
		}
	}
	other := l.pool.seats[7]
	other.worker()
	other.push(new(Job))
	if !l.pool.view.has(7) {
		t.Error("P5: a seat that was taken out of view has a job, and stays there")
	}
}

// If this fails, each job that is queued in a pool of thousands of workers takes as long as a visit
// to all of them.
func TestCallAsksThoseThatHaveLooked(t *testing.T) {
	const seats = 4 * manySeats
	l := newCrowd(t, seats)
	w := l.Worker
	for range 2 {
		w.wanted.Or(wantLook)
		w.hear()
		if w.asked() {
			t.Fatal("P32: a worker has looked at the queue, and is asked to")
		}
		if l.pool.call(); !w.asked() {
			t.Error("P32: a job is queued, and a worker that has looked before is not asked to look again")
		}
		if n := l.flagged(wantLook); n != 1 {
			t.Errorf("Cost: one worker has looked at the queue since the last call, and the next one comes to %d", n)
		}
	}
	w.wanted.Store(0)
	l.pool.called.Store(false)
	if l.pool.call(); w.asked() {
		t.Error("Cost: nobody has looked at the queue since the last call, and the next one comes to a worker")
	}
}

// If this fails, each end of a job in a pool of thousands of workers, all of which have jobs that
// have forked, takes as long as a visit to all of them.
func TestQueueOfLargePool(t *testing.T) {
	const seats = 4 * manySeats
	l := newCrowd(t, seats)
	j := &unheld{fn: func(*Worker) {}}
	j.task, j.from = j, &l.pool.direct
	l.pool.injector.Push(&j.Job)
	if found := l.seat.search(true); found != &j.Job {
		t.Error("P1: a search has not found the only job, which is queued")
	}
	if n := l.flagged(wantForks); n > fewVisits {
		t.Errorf("Cost: a search has visited %d seats before it came to the queue, must after %d", n, fewVisits)
	}
	if found := l.seat.search(true); found != nil {
		t.Error("P1: a search has found a job, and there is none")
	}
	if n := l.flagged(wantForks); n != seats-1 {
		t.Errorf("S2: a search that finds nothing has visited %d of %d other seats", n, seats-1)
	}
}

// If this fails, each worker of a large pool that ends a job of a scope looks at as many lists as
// there are seats, or a job is in none that others look at.
func TestListsOfLargePool(t *testing.T) {
	const seats = 3 * manySeats
	l := newLone(t, seats)
	s := &Scope{owner: newWorker(l.pool)}
	for _, seat := range l.pool.seats {
		s.list(seat.worker()).add(&link{job: new(Job)})
	}
	lists, jobs := 0, 0
	for u := range s.lists(l.Worker) {
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

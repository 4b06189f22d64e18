package pool

import (
	"slices"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// Steps that several goroutines take in one word at the same time. None may be lost.

// atOnce calls all functions at the same time, again and again, with a check after each time. The
// one that is started last tends to begin first, so each other time they are started backwards.
func atOnce(t *testing.T, again func(), check func(), fns ...func()) {
	for range 200 {
		again()
		var all sync.WaitGroup
		for _, fn := range fns {
			all.Go(fn)
		}
		slices.Reverse(fns)
		all.Wait()
		if check(); t.Failed() {
			return
		}
	}
}

// The flag of a worker has two bits, for forks and for a look at the queue. If this fails, one of
// them is lost as another one is raised or lowered: what waits for it waits forever.
func TestFlagKeepsItsOtherBit(t *testing.T) {
	l := newLone(t, 2)
	p, flag := l.pool, &l.Worker.wanted
	wants, calls := func() { p.want(0) }, func() { p.call() }
	check := func() {
		v := flag.Load()
		if v&wantForks == 0 {
			t.Error("P5: a worker asks for forks, and the flag does not say so")
		}
		if v&wantLook == 0 {
			t.Error("P32: a job is queued, and the flag does not say so")
		}
	}
	set := func(v uint32) func() { return func() { flag.Store(v); p.called.Store(v&wantLook != 0) } }
	atOnce(t, set(0), check, wants, calls)
	atOnce(t, set(wantLook), func() {
		if flag.Load() != wantForks {
			t.Error("P5: a worker asks for forks while the flag is lowered for a look, and the flag does not say so")
		}
	}, wants, l.hear)
	var f Forked[int, int]
	atOnce(t, func() {
		set(0)()
		if f.frame != nil {
			l.join(f)
		}
		set(0)()
		f = l.fork()
		set(wantForks)()
	}, func() {
		if flag.Load()&wantLook == 0 {
			t.Error("P32: a job is queued while the flag is lowered for forks, and the flag does not say so")
		}
	}, calls, l.publish)
}

// If this fails, a seat with jobs is not in view, or an empty one stays there.
func TestSeatsComeIntoViewAtOnce(t *testing.T) {
	l := newLone(t, 2)
	p := l.pool
	p.view.words = make([]prim.Uint64, 1)
	word := &p.view.words[0]
	a, b := p.seats[0], p.seats[1]
	atOnce(t, func() { word.Store(0) }, func() {
		if v := word.Load(); v != 0b11 {
			t.Errorf("P5: two seats come into view, and those in view are %b", v)
		}
	}, a.show, b.show)
	atOnce(t, func() { word.Store(0b11) }, func() {
		if v := word.Load(); v != 0 {
			t.Errorf("Seats in view: two seats leave it, and those in view are %b", v)
		}
	}, func() { p.pass(0) }, func() { p.pass(1) })
}

// A worker of a large pool that lowers its bit of the flag is called by the next caller. If this
// fails, it is passed by, and a job that is queued waits for the end of its job.
func TestLookIsToldOf(t *testing.T) {
	const seats = manySeats
	l := newCrowd(t, seats)
	p, flag := l.pool, &l.Worker.wanted
	calls := func() { p.call() }
	atOnce(t, func() {
		p.looked.drop(l.seat.index)
		flag.Store(wantLook)
		p.called.Store(false)
	}, func() {
		if flag.Load()&wantLook == 0 && !p.looked.has(l.seat.index) {
			t.Error("P32: a worker has looked at the queue, and the next call does not come to it")
		}
	}, calls, l.hear)
}

// If this fails, a job that is spawned is in no list, and the scope does not find it.
func TestListKeepsAll(t *testing.T) {
	var u *jobList
	add := func() { u.add(&link{job: new(Job)}) }
	atOnce(t, func() { u = new(jobList) }, func() {
		n := 0
		for l := u.top.Load(); l != nil; l = l.below {
			n++
		}
		if n != 3 {
			t.Errorf("P33: three jobs are spawned, and %d are in the list", n)
		}
	}, add, add, add)
}

// If this fails, two workers make a list each for the same scope, and one of them is lost.
func TestScopeKeepsAllLists(t *testing.T) {
	l := newLone(t, 2)
	a, b, owner := l.Worker, l.pool.seats[1].worker(), newWorker(l.pool)
	var s *Scope
	var lists [2]*jobList
	atOnce(t, func() { s = &Scope{owner: owner} }, func() {
		for i, u := range lists {
			if kept := (*s.jobs.others.Load())[i].Load(); kept == nil || &kept.jobList != u {
				t.Errorf("P33: a worker adds jobs to a list, and the scope has another one of seat %d", i)
			}
		}
	}, func() { lists[0] = s.jobs.list(s.spot(a), 2) }, func() { lists[1] = s.jobs.list(s.spot(b), 2) })
}

// If this fails, more jobs run beside others than there are workers.
func TestBesideIsBoundedAtOnce(t *testing.T) {
	l := newLone(t, 2)
	var let prim.Int32
	come := func() {
		if l.pool.comeBeside() {
			let.Add(1)
		}
	}
	atOnce(t, func() { l.pool.beside.Store(0); let.Store(0) }, func() {
		if n := let.Load(); n != 2 {
			t.Errorf("P32: on two workers, %d jobs are let begin beside others", n)
		}
	}, come, come, come, come)
}

// If this fails, room is lost, or there is too much of it.
func TestRoomAddsUp(t *testing.T) {
	var r *room
	leaves, comes := func() { r.leave() }, func() { r.try(1) }
	atOnce(t, func() {
		r = newRoom(4)
		r.idle = func() int { return 0 }
		r.try(2)
	}, func() {
		if n := r.taken(); n != 2 {
			t.Errorf("P23: of two jobs that have room, two leave while two others come, and %d have room", n)
		}
	}, leaves, leaves, comes, comes)
}

// If this fails, room that two jobs leave at the same time is lost, until nothing is accepted any
// more.
func TestRoomIsLeftByEach(t *testing.T) {
	r := &room{limit: 4}
	atOnce(t, func() { r.given = 2; r.left.Store(0) }, func() {
		if n := r.taken(); n != 0 {
			t.Errorf("P23: two jobs have left at the same time, and %d count as queued", n)
		}
	}, r.leave, r.leave)
}

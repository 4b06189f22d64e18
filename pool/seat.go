package pool

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
	"github.com/rouse-go/rouse/pool/record"
)

// A seat is what a job runs on: a deque, and for each worker of the pool a place in the sleep backend.
// Guests have seats of their own: see guest.go.
//
// Only the goroutine that holds the seat touches its plain fields. The seat passes to another
// goroutine by the start of that, by an Unpark, or by Borrow and Return of the sleep backend.
// With a backend that is an [api.Starter], no goroutine holds a seat that sleeps.
type seat struct {
	// The first two cache lines have all that a job needs to begin on a seat at rest: they
	// are cold then.

	pool  *Pool
	index int
	// spares are workers for the next goroutines with the seat, the last one first. Their
	// frames are warm. They lie in room.
	spares struct {
		workers []*Worker
		room    [maxSpares]*Worker
	}
	// next is the claimed job that the next goroutine begins with, or nil, and whether it begins beside
	// others, counted in inbox.beside.
	next struct {
		job    *Job
		beside bool
	}
	body func() // main; made once, because a method value allocates
	// lent says that the seat is borrowed, and must be returned to the sleep backend.
	// The goroutine that keeps it, if there is one, is blocked there.
	lent bool
	// looking says that the seat is counted inactive although no goroutine is in awaitJob.
	looking bool
	thief   thief
	linger  linger

	// home is where a guest's seat is, nil for others.
	home *block
	// strays is how many pointers to claimed jobs there may be in the deque.
	strays int32
	// stop is set when the pool closes.
	stop latch.Core
	// idle is the sleep backend's state of the seat.
	idle api.Idle

	// Others read what follows. It begins with a cache line, as each seat does.

	deque api.Deque[Job]
	// occupant is the worker that has the seat, or had it last.
	//
	// Writers: a worker that takes the seat; a guest that leaves, and keeps no worker.
	// Pairs:   see Worker.attach.
	occupant prim.Pointer[Worker]

	_     [80]byte
	stats counts
}

// A thief is the part of a seat that its searches use.
type thief struct {
	// victim is the seat from which this one took its last job.
	victim int
	random uint64
	// stole is how many jobs the last search has stolen, until the first of them begins.
	stole uint16
	// seasoned says that the pool has been used, as far as the seat knows.
	seasoned bool
}

// counts are the statistics of the workers that have the seat, or had it last.
type counts struct {
	forks, published, spawned, steals, borrowed prim.Uint64
	aside, seatless                             prim.Uint64
	// begun counts queued jobs that have begun.
	//
	// Wraps: only its difference from the number of jobs that were queued matters.
	begun prim.ReportNumber
	// doing counts the jobs in each state. A worker may come with one seat and leave with another.
	//
	// Wraps: only the sum of all seats matters.
	doing [states]prim.ReportNumber
}

// counts returns where the worker counts: with its seat, or the last one that it had.
func (w *Worker) counts() *counts { return &w.last.stats }

// takeSeat returns the seat of a worker that sleeps, or a guest's.
func (p *Pool) takeSeat() *seat {
	if s := p.borrow(); s != nil {
		return s
	}
	return p.guestSeat()
}

// start has a new goroutine go on with the caller's seat: with a claimed job, or with one
// that it finds.
func (s *seat) start(j *Job) {
	s.next.job = j
	prim.Go(s.body)
}

// wakeUp has a new goroutine go on with a seat that is counted inactive: one that sleeps without a goroutine, or
// that of a worker that waits.
func (s *seat) wakeUp() {
	s.looking = true
	s.start(nil)
}

// maxSpares is how many workers a seat keeps: one, and as many as tend to be set aside at once.
const maxSpares = 4

// borrow returns a seat that slept, or nil.
func (p *Pool) borrow() *seat {
	if l := p.sleep.lender; l != nil {
		if i, ok := l.Borrow(); ok {
			s := p.seats[i]
			s.lent, s.linger.since = true, untimed
			return s
		}
	}
	return nil
}

// giveBack returns a borrowed seat.
func (s *seat) giveBack() {
	s.stats.borrowed.Store(s.stats.borrowed.Load() + 1)
	s.lent = false
	s.pool.sleep.lender.Return(s.index, s.pool.sleep.hasWork)
	if s.stop.Probe() { // Close has met the seat lent
		s.pool.sleep.Wake(s.index)
	}
}

// handOff leaves the caller's seat to others. That of a worker sleeps if there is no work.
func (s *seat) handOff() {
	if s.isGuest() {
		s.leaveGuestSeat()
	} else if s.lent {
		s.event(record.EventSleep)
		s.giveBack()
	} else {
		s.start(nil)
	}
}

// handOffLast is handOff at the end of one of the pool's goroutines. Close waits for that: the
// seat may have ended before its goroutine has looked a last time.
func (s *seat) handOffLast() {
	lives := &s.pool.shutdown.lives
	lives.Add(1)
	s.handOff()
	lives.Done()
}

// attach puts the worker on the seat. A new occupant is stored first, then its flag raised: a request
// that went to the one before came earlier. The same one could be asked all the while, but for a guest's.
func (w *Worker) attach(s *seat) {
	w.seat, w.last = s, s
	if on := uint32(s.index) + 1; w.shown.on.Load() != on {
		w.shown.on.Store(on)
	}
	isNew := s.occupant.Load() != w
	if isNew {
		s.occupant.Store(w)
	}
	if isNew || s.isGuest() { // or a guest's may be down, and nobody would come to raise it
		w.wanted.Or(wantForks)
	}
}

// detach takes the worker, which has published all, off its seat, and returns that.
func (w *Worker) detach() *seat {
	w.event(record.EventLeave)
	s := w.seat
	w.wanted.Or(wantForks)
	w.reportCounts()
	w.seat = nil
	return s
}

// sitOn puts the worker, whose job has begun, on a seat.
func (w *Worker) sitOn(s *seat) {
	w.attach(s)
	if w.state == covered {
		return
	}
	if s.isGuest() {
		w.event(record.EventSeatless)
	} else {
		w.event(record.EventTake)
	}
	w.setRunning()
}

// resume lets a worker that is set aside go on, with the seat, or nil if it has one or is to take
// one. It is called once for each FallAsleep that has succeeded.
func (w *Worker) resume(s *seat) {
	w.aside.seat = s
	w.aside.parker.Unpark()
}

// rouse resumes w, whose latch the caller has set. by is the worker whose job ends with that, or
// nil.
//
// If by has no more jobs of its own, its seat is the best: no seat is counted, woken or searched
// then. If it has, a seat that sleeps is better, for then both go on. So it is if the goroutine of
// w called Run: it would soon have to start another one for by's seat.
func (w *Worker) rouse(by *Worker) {
	if w.seat != nil { // a guest keeps its own
		w.resume(nil)
		return
	}
	leaves := by != nil && by.pool == w.pool && !by.seat.isGuest() && by.successor == nil
	if leaves && w.origin != fromRun && by.seat.deque.Len() == 0 {
		by.successor = w
	} else if s := w.pool.borrow(); s != nil {
		w.resume(s)
	} else if leaves {
		by.successor = w
	} else {
		w.resume(nil)
	}
}

// startLooking counts the seat inactive. If it was at work for long, it lingers: it looks
// for longer before it sleeps.
func (s *seat) startLooking() api.Idle {
	idle := s.pool.sleep.StartLooking(s.index) // B1
	if l := &s.linger; s.pool.looks.lingers {
		l.looks = prim.Now()
		l.since = min(l.since, l.looks)
		idle.Lingers = l.workedLong()
	}
	return idle
}

// found counts the seat active. The time that it has lingered does not count as work, and is taken off the time of
// work: so it never wastes more time than it has worked.
func (s *seat) found(idle *api.Idle) {
	s.pool.sleep.Found(idle)
	if l := &s.linger; l.workedLong() {
		l.since += 2 * (prim.Now() - l.looks)
	}
}

// woken notes that the seat is at work from now on.
func (s *seat) woken() {
	if s.pool.looks.lingers {
		s.linger.since = prim.Now()
	}
}

// A linger says whether a seat that finds no work was at work for long: then it looks for
// longer before it sleeps.
type linger struct {
	// since is when the seat was woken, in a pool whose seats linger, and later for each
	// job and each time that it has lingered; looks is when it last began to look for
	// work.
	since, looks time.Duration
}

// workedLong reports whether the seat was at work for long when it last began to look for
// work. Once it has slept, it was not.
func (l *linger) workedLong() bool { return l.looks-l.since >= longWork }

const (
	// longWork is how long a seat must have been at work to linger: as long as it may
	// linger then.
	longWork = 40 * time.Microsecond
	// untimed is since when a seat is at work that was borrowed, until it looks for work:
	// the clock would cost a short Run an eighth of its time.
	untimed = math.MaxInt64 / 2
	// trifle is how much time of each job does not count as work. Where jobs are over at
	// once, a second worker that is awake is in the way of the first.
	trifle = time.Microsecond
)

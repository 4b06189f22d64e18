package pool

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A seat is what a worker needs to find jobs and to be found: a deque, and a
// place in the sleep backend. A pool has a fixed number of seats, and so many
// jobs run at once.
//
// Only the goroutine that holds the seat touches its plain fields. The seat passes to
// another goroutine by the start of that, by an Unpark, or by the claim and the return of
// the sleep backend. With a backend that is an [api.Starter], no goroutine holds a seat
// that sleeps until it is claimed.
type seat struct {
	// What a job needs to begin on a seat at rest comes first, on two cache lines: they
	// are cold then.

	pool  *Pool
	index int
	// spares are workers for whoever has the seat next, the last one first. Their
	// frames are warm. They lie in places.
	spares []*Worker
	// hand is the job that the next goroutine is to begin with. It is claimed.
	hand  *Job
	serve func() // main; made once, because a method value allocates
	// hosts says that hand is a job of Submit, counted in Pool.starting.
	hosts bool
	// lent says that the seat is borrowed, and must be returned to the sleep backend.
	// The goroutine that keeps it, if there is one, is blocked there.
	lent bool
	// looking says that the seat is counted as inactive although nobody is in
	// await now.
	looking bool
	// seasoned says that the pool has been used, as far as the seat knows.
	seasoned bool
	// stole says that the seat has taken a job from another one just now, served that it
	// has taken one from the queue.
	stole, served bool
	// carrying says that the deque may have submitted jobs, loads how often some were put
	// there.
	carrying bool
	places   [maxSpares]*Worker
	deque    api.Deque[Job]
	linger   linger

	// victim is the seat from which this one took its last job.
	victim int
	loads  uint32
	// passed is how often the seat has passed by one that was raided, since it
	// last came in.
	passed int32
	// batch is room for what comes from the injector, made when there is something.
	batch  []*Job
	random uint64
	// strays is how many pointers to claimed jobs there may be in the deque.
	strays int
	watch  watch
	// stop is set when the pool closes.
	stop latch.Core
	// idle is what the sleep backend keeps of the seat.
	idle api.Idle

	_     [64]byte // what follows is read by others
	stats counts   // it ends so that each seat begins with a cache line
}

// counts are what the workers of a seat have counted, and some without one.
type counts struct {
	forks, published, spawned, steals, borrowed prim.Uint64
	// submitted is how many submitted jobs have ended. A worker counts them, and its
	// forks, plainly, and hands over when it rests.
	submitted       prim.Uint64
	aside, seatless prim.Uint64
	// begun counts the jobs that were queued and that workers have begun, in a pool without a
	// limit of the queue.
	//
	// Wraps: only its difference from the number of jobs that were queued matters.
	begun prim.ReportNumber
}

// counts returns where the worker counts: with its seat, or the last one that it had.
// One place for all that have none would be a line that all write.
func (w *Worker) counts() *counts { return &w.pool.seats[w.last].stats }

// start has a new goroutine go on with the seat: with a job, which is claimed, or
// with whatever it finds. The caller has the seat, and no longer has it then.
func (s *seat) start(j *Job) {
	s.hand = j
	prim.Go(s.serve)
}

// goOn goes on with a seat that sleeps without a goroutine. The caller has claimed it
// in the sleep backend.
func (s *seat) goOn() {
	s.looking = true
	s.start(nil)
}

// maxSpares is how many workers a seat keeps: one, and as many as tend to be set
// aside at once and are then at hand for the next time.
const maxSpares = 4

// borrow returns a seat that slept, or nil.
func (p *Pool) borrow() *seat {
	if p.lender == nil {
		return nil
	}
	for try := 0; ; try++ {
		if s := p.tryBorrow(); s != nil {
			return s
		}
		// The seats of a new pool have no jobs, so one of them sleeps soon: it only needs
		// a processor for that.
		first := p.shutdown.entered.Load()&^closing <= 1
		if inactive, _ := p.lender.Counts(); inactive == 0 || (try >= patience || try > 0 && p.crowded) && !first {
			return nil
		}
		prim.Yield()
	}
}

// patience is how often a caller gives way to a seat that looks for work and
// is about to sleep, to have it. It takes about as long as the other looks;
// through the queue a job would take longer, and leave that one awake for the
// next caller to find. Where there are more workers than processors it gives way once: each
// time takes as long as all the goroutines that could run have of the Go scheduler, 10 ms
// each.
const patience = 8

// tryBorrow is borrow without patience.
func (p *Pool) tryBorrow() *seat {
	if p.lender == nil {
		return nil
	}
	i, ok := p.lender.Borrow()
	if !ok {
		return nil
	}
	s := p.seats[i]
	s.lent, s.linger.since = true, untimed
	return s
}

// giveBack returns a borrowed seat.
func (s *seat) giveBack() {
	s.stats.borrowed.Store(s.stats.borrowed.Load() + 1)
	s.lent = false
	s.watch.sleep()
	s.pool.lender.Return(s.index, s.pool.look)
	if s.stop.Probe() { // Close has met the seat lent
		s.pool.sleep.Wake(s.index)
	}
}

// handOff leaves the seat to others. It goes to sleep if there is no work.
func (s *seat) handOff() {
	if s.lent {
		s.giveBack()
	} else {
		s.start(nil)
	}
}

// handOffLast is handOff at the end of one of the pool's goroutines, for which Close waits
// then: a seat that is returned may end before the one who returns it has looked.
func (s *seat) handOffLast() {
	lives := &s.pool.shutdown.lives
	lives.Add(1)
	s.handOff()
	lives.Done()
}

// attach makes the worker the occupant of the seat.
//
// Its flag is raised after others can find the worker there. Whoever asked the
// one before for work, and meant this one, did so before.
func (w *Worker) attach(s *seat) {
	w.seat, w.last = s, int32(s.index)
	s.watch.come(w.forks())
	w.standAlone()
	if o := &s.pool.occupants[s.index]; o.Load() != w {
		o.Store(w)
		w.wanted.Store(wantForks | wantLook)
	}
}

// detach takes the worker off its seat, which the caller has then. The worker has
// published all.
func (w *Worker) detach() *seat {
	s := w.seat
	w.wanted.Store(wantForks | wantLook)
	s.watch.leave(w.forks())
	w.tell()
	w.seat = nil
	return s
}

// acquire takes a seat that sleeps, or lets the worker go on without one: its job
// has begun, and others may wait for what it has. A job in Block needs none.
func (w *Worker) acquire() {
	if w.seat != nil || w.state == blocked {
		return
	}
	if s := w.pool.borrow(); s != nil {
		w.attach(s)
	} else {
		w.goSeatless()
	}
}

// tryAcquire takes a seat for a worker that has none, if one sleeps. It reports whether
// the worker has one.
func (w *Worker) tryAcquire() bool {
	if w.seat == nil {
		if s := w.pool.tryBorrow(); s != nil {
			w.attach(s)
		}
	}
	return w.seat != nil
}

// goSeatless lets the worker go on without a seat. From now on Close waits for it, and
// not for whoever has its seat.
func (w *Worker) goSeatless() {
	w.counts().seatless.Add(1)
	w.goBeside()
	if !w.loose {
		w.loose = true
		w.pool.shutdown.lives.Add(1)
	}
}

// comeBeside counts a job that is to begin beside others, unless there are enough.
func (p *Pool) comeBeside() bool {
	for {
		n := p.beside.Load()
		if n >= uint32(len(p.seats)) {
			return false
		}
		if p.beside.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// leaveBeside is called when one runs no longer.
//
// Pairs: the count goes down before the look at the queue. A worker that has met the bound
// has looked there before, or is asked now.
func (p *Pool) leaveBeside() {
	p.beside.Add(^uint32(0))
	if p.hasQueued() {
		p.call()
	}
}

// goBeside counts the worker, which goes on without a seat, if its job was begun beside
// others.
func (w *Worker) goBeside() {
	if w.origin == fromQueue && w.state == running {
		w.state = runningBeside
		w.pool.beside.Add(1)
	}
}

// standAlone says that the worker runs no longer beside others: it has a seat, or waits, or
// its goroutine has ended.
func (w *Worker) standAlone() {
	if w.state == runningBeside {
		w.state = running
		w.pool.leaveBeside()
	}
}

// resume lets a worker that is set aside go on, with the seat or without one. It
// is called once for each time that FallAsleep has succeeded.
func (w *Worker) resume(s *seat) {
	w.given = s
	w.parker.Unpark()
}

// rouse is called by whoever has set a latch at which w was set aside: by the
// worker by, in the last step of its job, or by none.
//
// If by has no more jobs of its own, its seat is the best: nobody counts, wakes or
// searches then. If it has, a seat that sleeps is, for then both go on. And so it is
// if w's goroutine called Run: it would soon have to start another one for by's seat.
func (w *Worker) rouse(by *Worker) {
	leaves := by != nil && by.pool == w.pool && by.seat != nil && by.successor == nil
	if leaves && w.origin != fromRun && by.seat.deque.Len() == 0 {
		by.successor = w
	} else if s := w.pool.tryBorrow(); s != nil {
		w.resume(s)
	} else if leaves {
		by.successor = w
	} else {
		w.resume(nil)
	}
}

// A watch is what the worker of a seat knows of jobs that wait in the queue while it has work.
// It goes with the seat: a job that waits for a handle leaves its seat to that, for one.
type watch struct {
	// on says that something is queued, as far as the worker knows, and that it looks
	// again by itself: it need not be asked.
	on bool
	// backlog says that the worker's job came from the queue, which has not been empty since.
	backlog bool
	// steps is how often the worker forks or joins before its next look.
	steps uint16
	// looks counts the looks at the queue that found something, since when the first was.
	// By then the worker had forked so often. While the seat has none, that is less what all
	// had forked since.
	looks uint32
	since time.Duration
	forks uint64
}

// come and leave go on with the count of forks as another worker.
func (t *watch) come(forks uint64) { t.forks += forks }

func (t *watch) leave(forks uint64) { t.forks -= forks }

// sleep is called before the seat looks a last time and sleeps: what is queued then, it takes.
func (t *watch) sleep() { *t = watch{on: t.on} }

// startLooking counts the seat inactive. If it was at work for long, it lingers: it looks
// for longer before it sleeps.
func (s *seat) startLooking() api.Idle {
	idle := s.pool.sleep.StartLooking(s.index) // B1
	if s.pool.lingers {
		idle.Lingers = s.linger.look(prim.Now())
	}
	return idle
}

// found counts the seat active.
func (s *seat) found(idle *api.Idle) {
	s.pool.sleep.Found(idle)
	s.linger.found()
}

// woken notes that the seat is at work from now on.
func (s *seat) woken() {
	if s.pool.lingers {
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

// look is called when the seat begins to look for work. It reports whether it lingers.
func (l *linger) look(now time.Duration) bool {
	l.looks = now
	l.since = min(l.since, now)
	return l.workedLong()
}

// found is called when the seat has found work. What it has lingered does not count as work,
// and uses up as much of that: so it never wastes more time than it has worked.
func (l *linger) found() {
	if l.workedLong() {
		l.since += 2 * (prim.Now() - l.looks)
	}
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

package pool

import (
	"math"
	"math/bits"
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
	// since is when the seat was woken, in a pool whose seats linger, and later for each
	// job and each time that it has lingered; looks is when it last began to look for
	// work.
	since, looks time.Duration

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

func newSeat(p *Pool, index int, d api.Deque[Job]) *seat {
	s := &seat{pool: p, index: index, deque: d, random: uint64(index)*2 + 1}
	prim.Declare(s)
	s.serve = s.main
	s.spares = append(s.places[:0], newWorker(p))
	return s
}

// start has a new goroutine go on with the seat: with a job, which is claimed, or
// with whatever it finds. The caller has the seat, and no longer has it then.
func (s *seat) start(j *Job) {
	s.hand = j
	prim.Go(s.serve)
}

// main is what a goroutine of the pool does.
func (s *seat) main() {
	p := s.pool
	j := s.hand
	s.hand = nil
	if s.hosts {
		s.hosts = false
		p.starting.Add(^uint32(0))
	}
	p.serve(s, j)
}

// serve goes on with a seat until the goroutine has lost it, or has given it back
// for want of work, or the pool closes.
func (p *Pool) serve(s *seat, j *Job) {
	for s != nil {
		if j == nil {
			if s.lent {
				s.part()
				return
			}
			if j = s.await(); j == nil {
				return
			}
		}
		w := s.worker()
		w.heed(s)
		s, j = w.work(j), nil
	}
}

// worker returns a worker that occupies the seat.
func (s *seat) worker() *Worker {
	var w *Worker
	if n := len(s.spares); n > 0 {
		w, s.spares = s.spares[n-1], s.spares[:n-1]
	} else {
		w = newWorker(s.pool)
	}
	w.state = running
	w.sit(s)
	return w
}

// maxSpares is how many workers a seat keeps: one, and as many as tend to be set
// aside at once and are then at hand for the next time.
const maxSpares = 4

// sit makes the worker the occupant of the seat.
//
// Its flag is raised after others can find the worker there. Whoever asked the
// one before for work, and meant this one, did so before.
func (w *Worker) sit(s *seat) {
	w.seat, w.last = s, int32(s.index)
	s.watch.come(w)
	w.standAlone()
	if o := &s.pool.occupants[s.index]; o.Load() != w {
		o.Store(w)
		w.wanted.Store(wantForks | wantLook)
	}
}

// rise takes the worker off its seat, which the caller has then. The worker has
// published all.
func (w *Worker) rise() *seat {
	s := w.seat
	w.wanted.Store(wantForks | wantLook)
	s.watch.leave(w)
	w.tell()
	w.seat = nil
	return s
}

// vacate gives the seat up, if the worker has one: others go on with it.
func (w *Worker) vacate() {
	w.publishAll()
	if w.seat != nil {
		w.rise().dispose()
	}
}

// dispose leaves the seat to others. It goes to sleep if there is no work.
func (s *seat) dispose() {
	if s.lent {
		s.giveBack()
	} else {
		s.start(nil)
	}
}

// part is dispose at the end of one of the pool's goroutines, for which Close waits
// then: a seat that is returned may end before the one who returns it has looked.
func (s *seat) part() {
	lives := &s.pool.shutdown.lives
	lives.Add(1)
	s.dispose()
	lives.Done()
}

// regain takes a seat that sleeps, or lets the worker go on without one: its job
// has begun, and others may wait for what it has. A job in Block needs none.
func (w *Worker) regain() {
	if w.seat != nil || w.state == blocked {
		return
	}
	if s := w.pool.borrow(); s != nil {
		w.sit(s)
	} else {
		w.goLoose()
	}
}

// retake takes a seat for a worker that has none, if one sleeps. It reports whether
// the worker has one.
func (w *Worker) retake() bool {
	if w.seat == nil {
		if s := w.pool.borrowNow(); s != nil {
			w.sit(s)
		}
	}
	return w.seat != nil
}

// goLoose lets the worker go on without a seat. From now on Close waits for it, and
// not for whoever has its seat.
func (w *Worker) goLoose() {
	w.counts().seatless.Add(1)
	w.goBeside()
	if !w.loose {
		w.loose = true
		w.pool.shutdown.lives.Add(1)
	}
}

// start has a new goroutine run a job, which is claimed: with a seat that sleeps,
// or without one.
//
// beside says that it takes the place of one that was begun beside others.
func (p *Pool) start(j *Job, beside bool) {
	if s := p.borrow(); s != nil {
		s.start(j)
		return
	}
	w := newWorker(p)
	w.state = running
	if beside {
		w.origin = fromQueue
	}
	w.startLoose(j)
}

// startLoose has a new goroutine run a job, which is claimed, as w, without a seat.
func (w *Worker) startLoose(j *Job) {
	w.goLoose()
	prim.Go(func() {
		if s := w.work(j); s != nil {
			s.part()
		}
	})
}

// borrow returns a seat that slept, or nil.
func (p *Pool) borrow() *seat {
	if p.lender == nil {
		return nil
	}
	for try := 0; ; try++ {
		if s := p.borrowNow(); s != nil {
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

// borrowNow is borrow without patience.
func (p *Pool) borrowNow() *seat {
	if p.lender == nil {
		return nil
	}
	i, ok := p.lender.Borrow()
	if !ok {
		return nil
	}
	s := p.seats[i]
	s.lent, s.since = true, untimed
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

// goOn goes on with a seat that sleeps without a goroutine. The caller has claimed it
// in the sleep backend.
func (s *seat) goOn() {
	s.looking = true
	s.start(nil)
}

// await looks for a job until there is one, and sleeps between. The seat is counted
// inactive meanwhile. It returns nil when the caller has the seat no longer: it sleeps
// without a goroutine, or has ended, because the pool closes.
func (s *seat) await() *Job {
	unlabel()
	b := s.pool.sleep
	if s.looking {
		s.stop.WakeUp() // if it has slept without a goroutine
		s.woken()
	} else {
		s.idle = s.startLooking()
	}
	s.looking = false
	for !s.stop.Probe() {
		// The seat's own deque is empty, unless somebody has left jobs there.
		if j := s.find(true); j != nil {
			s.found(&s.idle)
			return j
		}
		if b.NoWork(&s.idle) {
			s.watch.sleep()
			if !b.Park(&s.idle, &s.stop, s.pool.look) {
				return nil // goOn
			}
			s.woken()
		}
	}
	s.found(&s.idle)
	s.pool.shutdown.lives.Done()
	return nil
}

// startLooking counts the seat inactive. If it was at work for long, it lingers: it looks
// for longer before it sleeps.
func (s *seat) startLooking() api.Idle {
	idle := s.pool.sleep.StartLooking(s.index) // B1
	if s.pool.lingers {
		s.looks = prim.Now()
		s.since = min(s.since, s.looks)
		idle.Lingers = s.workedLong()
	}
	return idle
}

// found counts the seat active. What it has lingered does not count as work, and uses up
// as much of that: so it never wastes more time than it has worked.
func (s *seat) found(idle *api.Idle) {
	s.pool.sleep.Found(idle)
	if s.workedLong() {
		s.since += 2 * (prim.Now() - s.looks)
	}
}

// workedLong reports whether the seat was at work for long when it last began to look for
// work. Once it has slept, it was not.
func (s *seat) workedLong() bool { return s.looks-s.since >= longWork }

// woken notes that the seat is at work from now on.
func (s *seat) woken() {
	if s.pool.lingers {
		s.since = prim.Now()
	}
}

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

// A view says which seats of a large pool others must visit when they look for work: see
// "Seats in view" in INTERNALS.md. In a smaller pool it is empty, and all seats are in view.
type view struct {
	// words have a bit for each seat. While it is 0, the deque of the seat is empty, and
	// the flag of a worker with that seat is up: a visit would find nothing to do.
	//
	// Writers: whoever has the seat, by show (Or); a worker that looks for work and finds none
	// there, by pass (And, and Or if there is some after all).
	// Pairs:   the push or the lowering of the flag, then show, then the post or the look at
	// the counts, with the step of pass, then its look at the deque and the flag.
	// A look that meets 0 is what a visit at that moment would have been.
	words []prim.Uint64
}

// manySeats is from how many seats on a search does not visit all. With fewer a visit to
// each takes less time than processors would lose by writing words that all read.
const manySeats = 257

func newView(seats int) (v view) {
	if seats > prim.Size(manySeats-1) {
		v.words = make([]prim.Uint64, (seats+63)/64)
		prim.DeclareSlice(v.words)
	}
	return v
}

// isPartial reports whether seats can be out of view.
func (v view) isPartial() bool { return v.words != nil }

// next returns the first seat in view from one on, or to if there is none below that.
func (v view) next(from, to int) int {
	if v.words == nil {
		return from
	}
	return v.scan(from, to)
}

func (v view) scan(from, to int) int {
	for from < to {
		if word := v.words[from/64].Load() >> (from % 64); word != 0 {
			return min(from+bits.TrailingZeros64(word), to)
		}
		from = (from/64 + 1) * 64
	}
	return to
}

// has reports whether a seat is in view.
func (v view) has(n int) bool { return v.next(n, n+1) == n }

// add brings a seat into view.
func (v view) add(n int) {
	if !v.has(n) {
		v.words[n/64].Or(1 << (n % 64))
	}
}

// drop takes a seat out of view, if any can be.
func (v view) drop(n int) {
	if v.words != nil {
		v.words[n/64].And(^(1 << (n % 64)))
	}
}

// show has the seat in view. It comes after a push to its deque, and before the post; and after
// the flag of its worker is lowered, before the look at the counts. So no worker can take the
// seat out of view unseen in between.
func (s *seat) show() { s.pool.view.add(s.index) }

// pass is for a worker that looks for work, and has met an empty deque at another seat: it asks
// the worker there for forks. In a large pool it takes the seat out of view, or each that looks
// would visit thousands of jobs that have forked and wait for something.
//
// Pairs: V1, then V2 and V3, with a push, then show; and V1, then V2, with the lowering of the
// flag, then show. Whoever passes by between V1 and V4 leaves the job to the caller, which is
// counted inactive and has yet to look a last time.
func (p *Pool) pass(n int) {
	leaves := p.view.isPartial() && p.view.has(n)
	if leaves {
		p.view.drop(n) // V1: out of view
	}
	p.want(n)                                   // V2: the flag is up
	if leaves && p.victims[n].deque.Len() > 0 { // V3: was something pushed meanwhile?
		p.view.add(n) // V4: then in view again
	}
}

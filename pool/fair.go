package pool

import (
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// What waits in the queue begins although all workers have work, if that work forks, joins
// or spawns. See "Fairness" in INTERNALS.md.

const (
	// unserved is for how long a worker leaves jobs in the queue that it has seen there,
	// before it lets one begin beside its own. A worker whose job ends sooner takes one
	// itself: with a seat, and without a new goroutine.
	unserved = 100 * time.Microsecond
	// unservedForks and unservedLooks end it, too: the clock may stand still.
	unservedForks = 1 << 14
	unservedLooks = 1 << 10
	// unservedSteps is how often a worker forks, or joins, between two looks, at most: leaves
	// that were short may be long from now on.
	unservedSteps = 1 << 9
	// backlogged is how many times as much of each it leaves them if it has taken its own
	// job from the queue, and more were left. A queue that is served, however long it is,
	// needs nobody beside: that would take processors from the rest of a server.
	backlogged = 64
)

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
func (t *watch) come(w *Worker)  { t.forks += w.forks() }
func (t *watch) leave(w *Worker) { t.forks -= w.forks() }

// sleep is called before the seat looks a last time and sleeps: what is queued then, it takes.
func (t *watch) sleep() { *t = watch{on: t.on} }

// call asks all workers that have seats to look at the queue. The caller has put
// something there, or has made room beside.
//
// Pairs: whoever reads that called is up has done its part before; a worker lowers its bit,
// then called, then looks. So each worker with a seat looks after that, if it forks, joins
// or spawns. See "Fairness" in INTERNALS.md.
func (p *Pool) call() {
	if p.called.Load() {
		return
	}
	p.called.Store(true)
	for n := p.looked.next(0, len(p.occupants)); n < len(p.occupants); n = p.looked.next(n+1, len(p.occupants)) {
		p.looked.drop(n) // first: the worker lowers its bit, then says so
		if w := p.occupants[n].Load(); w.wanted.Load()&wantLook == 0 {
			w.wanted.Or(wantLook)
		}
	}
}

// asked reports whether the worker must look at the queue.
func (w *Worker) asked() bool {
	return w.seat != nil && (w.seat.watch.on || w.wanted.Load()&wantLook != 0)
}

// glance looks at the queue if the worker must.
func (w *Worker) glance() {
	if w.asked() {
		w.look()
	}
}

// hear lowers the bit. The caller looks at the queue after that.
func (w *Worker) hear() {
	if w.wanted.Load()&wantLook != 0 {
		w.wanted.And(^wantLook)
		w.pool.looked.add(w.seat.index)
		w.pool.called.Store(false)
	}
}

// look lets a job begin that waits in the queue, if this worker has seen some there for long
// enough. A worker without a seat keeps no queued job from beginning, and does not look.
//
//go:noinline
func (w *Worker) look() {
	if w.seat == nil {
		return
	}
	w.hear()
	switch {
	case !w.pool.hasQueued():
		w.seat.watch = watch{}
	case w.patient():
		return
	default:
		w.let()
	}
	if w.seat.watch.on {
		return // what has sent it here does so again
	}
	if w.seq&due != 0 {
		w.arm(due / seqStep)
	}
	if w.high != 0 {
		w.high = 0
		w.cutSlots()
	}
}

// let lets a job of the queue begin beside. It watches those that are left.
func (w *Worker) let() {
	more := w.letBegin() && w.pool.hasQueued()
	if w.seat != nil {
		w.seat.watch = watch{on: more}
	}
}

// patient reports whether it is too early to let a job begin beside. It has the worker look
// again then: when it has forked or joined twice as often as since its last look, or when it
// spawns, or ends a job.
func (w *Worker) patient() bool {
	t := &w.seat.watch
	t.on = true
	if t.looks++; t.looks == 1 {
		t.since, t.forks, t.steps = prim.Now(), w.forks(), 0
	}
	times := 1
	if t.backlog {
		times = prim.Size(backlogged)
	}
	if w.hasFallen() {
		t.forks -= uint64(t.steps) // joins of older forks count as forks do
	}
	n, most := w.forks()-t.forks, uint64(times*prim.Size(unservedForks))
	if n >= most || int(t.looks) >= times*prim.Size(unservedLooks) {
		return false
	}
	now := w.isDue()
	// The clock is read seldom: a look may be as short as a Spawn.
	if t.looks > 1 && (now || t.looks&(t.looks-1) == 0 || t.looks%64 == 0) && prim.Now()-t.since >= time.Duration(times)*unserved {
		return false
	}
	if now {
		t.steps = max(1, min(2*t.steps, uint16(prim.Size(unservedSteps))))
		w.lookAfter(min(uint64(t.steps), most-n))
	}
	return true
}

// lookAfter has the worker look at the queue again when it has forked or joined n times, or a
// few times as often. It costs those forks and joins nothing, for each of them compares a number
// and a height anyway. The n-th fork from now on, and those that follow, are joined the long way;
// so is the fork that lies n below the top, and a fork that comes to lie n above that takes the
// long way itself. A worker that looks at none of these has forked less than n times, or has not
// joined what it has forked since and has risen less than n; and it has fallen less than n.
func (w *Worker) lookAfter(n uint64) {
	w.arm(n)
	w.high, w.low = w.head+n, 0
	w.cutSlots()
	if height := w.head - w.bottom(); height > 0 {
		w.low = w.head - min(n, height)
		if f := w.frames[uint32(w.low)].header(); w.low >= w.public && f.seq != 0 {
			f.seq |= watched // what is public, or lies above a hole, is guarded
		}
	}
}

// isDue reports whether the worker has forked or joined as often as it was to before it looks
// again, or there is no such number.
func (w *Worker) isDue() bool {
	return w.high == 0 || w.seq&due != 0 || w.head > w.high || w.hasFallen()
}

func (s *stack) hasFallen() bool { return s.high != 0 && s.head <= s.low }

// arm has the joins of forks take the long way from the n-th fork on that comes now. It costs
// no fork anything, since a number is compared in each join anyway.
func (w *Worker) arm(n uint64) {
	next := (w.seq | (2*due - 1)) + 1 + due - n*seqStep
	w.skipped += next - w.seq
	w.seq = next
}

// hasQueued reports whether a submitted job waits to begin: in the queue, or where a seat has
// taken it along.
func (p *Pool) hasQueued() bool { return !p.injector.Empty() || p.carriers.Load() != 0 }

// letBegin has a queued job begin on a goroutine of its own, unless as many as there are
// workers run like this. Then whichever ends first asks for another look.
func (w *Worker) letBegin() bool {
	p := w.pool
	if !p.comeBeside() {
		return false
	}
	j := w.takeQueued()
	if j == nil {
		p.leaveBeside()
		return false
	}
	b := newWorker(p)
	b.state, b.origin = runningBeside, fromQueue
	b.startLoose(j)
	// Once in 61 times the Go runtime gives the processor right back.
	for range 3 {
		if prim.Yield(); j.runner.Load() != 0 {
			break
		}
	}
	return true
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

// takeQueued begins a job that waits in the queue, or that a seat has taken along from there:
// that one first, for it is older.
func (w *Worker) takeQueued() *Job {
	p := w.pool
	if p.carriers.Load() != 0 {
		for i := range p.victims {
			if j := w.takeCarried(i); j != nil {
				return j
			}
		}
	}
	return p.dequeueOne(p.injector)
}

// takeCarried is takeQueued for what a seat has taken along. That was put into an empty
// deque, so it lies above all else there.
func (w *Worker) takeCarried(n int) *Job {
	v := &w.pool.victims[n]
	for losses := 0; losses < maxLosses; {
		load := v.carries.Load()
		if load == 0 {
			return nil
		}
		j, outcome := v.deque.Steal()
		switch outcome {
		case api.Empty:
			w.pool.unload(n, load)
			return nil
		case api.Lost:
			prim.Spin(spinSteps << losses)
			losses++
			continue
		}
		w.pool.want(n) // the deque may be empty now, for others who look
		switch {
		case j.isSubmitted():
			if j.begin() {
				return j
			}
		default:
			w.pool.unload(n, load)
			if !j.isClaimed() {
				w.putBack(j)
			}
		}
	}
	return nil
}

package pool

import (
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// Queued jobs begin although all workers have work, if that forks, joins or spawns. See "Fairness"
// in INTERNALS.md.

const (
	// unserved is for how long a worker leaves queued jobs before it lets one begin beside its
	// own. A worker whose job ends sooner takes one itself, without a new goroutine.
	unserved = 100 * time.Microsecond
	// unservedForks and unservedLooks end it, too: the clock may stand still.
	unservedForks = 1 << 14
	unservedLooks = 1 << 10
	// unservedSteps is how often a worker forks or joins between two looks, at most: leaves may
	// get longer.
	unservedSteps = 1 << 9
	// A worker whose own job came from the queue, where more were left, leaves them backlogged
	// times as long. A queue that is served needs no jobs beside: they would take processors
	// from the rest of a server.
	backlogged = 64
)

// glance looks at the queue if the worker must.
func (w *Worker) glance() {
	if w.asked() {
		w.look()
	}
}

// look lets a queued job begin, if this worker has seen some for long enough. A guest keeps no queued
// job from beginning, and does not look.
//
//go:noinline
func (w *Worker) look() {
	if w.seat.isGuest() {
		w.wanted.And(^wantLook) // raised when it had the seat of a worker
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
		return // the same condition sends it here again
	}
	if w.seq&due != 0 {
		w.arm(due / seqStep)
	}
	if w.high != 0 {
		w.high = 0
		w.cutSlots()
	}
}

// let lets a queued job begin beside this one, and watches those that are left.
func (w *Worker) let() {
	more := w.letBegin() && w.pool.hasQueued()
	if !w.seat.isGuest() {
		w.seat.watch = watch{on: more}
	}
}

// patient reports whether it is too early to let a job begin beside. The worker then looks again
// when it has forked or joined twice as often as since its last look, or spawns, or ends a job.
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

// lookAfter has the worker look at the queue again when it has forked or joined n times, or a few
// times as often. Forks and joins compare a number and a height anyway, so it costs them nothing.
// The n-th fork from now on, and those that follow, are joined the long way. So is the fork that
// lies n below the top, and a fork that comes to lie n above it takes the long way itself. A worker
// that comes to none of these has forked less than n times, or has risen less than n and not joined
// its new forks; and it has fallen less than n.
func (w *Worker) lookAfter(n uint64) {
	w.arm(n)
	w.high, w.low = w.head+n, 0
	w.cutSlots()
	if height := w.head - w.bottom(); height > 0 {
		w.low = w.head - min(n, height)
		if f := w.frames[uint32(w.low)].header(); w.low >= w.public && f.seq != 0 {
			f.seq |= watched // a frame that is public, or lies above a hole, is guarded
		}
	}
}

// isDue reports whether the worker has forked or joined as often as lookAfter said, if it did.
func (w *Worker) isDue() bool {
	return w.high == 0 || w.seq&due != 0 || w.head > w.high || w.hasFallen()
}

// arm sends joins the long way from the n-th fork on that comes now.
func (w *Worker) arm(n uint64) {
	next := (w.seq | (2*due - 1)) + 1 + due - n*seqStep
	w.skipped += next - w.seq
	w.seq = next
}

package pool

import (
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/record"
)

// A job that must wait gives up its seat and is set aside: its goroutine is blocked, and runs
// nothing else. It resumes when its wait ends. See "How a job waits" in INTERNALS.md.

// wait returns when the latch is set: by a job that has begun, or by one that follows such a job.
func (w *Worker) wait(l api.Latch, on cause) {
	if l.Probe() {
		return
	}
	w.publishAll() // private forks would wait for this worker
	if !w.spin(l) && (w.seat.isGuest() || !w.lookOut(l)) {
		w.setAside(l, on)
	}
}

// spin looks at the latch for a moment, and reports whether it was set.
func (w *Worker) spin(l api.Latch) (set bool) {
	for range w.pool.looks.spins {
		if l.Probe() {
			return true
		}
		prim.Spin(spinSteps)
	}
	return false
}

// lookOut waits for as long as a seat looks for work before it sleeps. If the latch is set
// meanwhile, it returns true. Otherwise the worker has given up its seat: to a job that has turned
// up, or to sleep.
func (w *Worker) lookOut(l api.Latch) (set bool) {
	s := w.seat
	w.event(record.EventWait)
	if j := s.find(false); j != nil {
		w.handTo(j)
		return false
	}
	s.idle = s.startLooking()
	switch j, sleepy := s.findUntil(l); {
	case j != nil:
		w.handTo(j)
	case sleepy:
		w.handInactive()
	default:
		w.event(record.EventGoOn)
		return true
	}
	return false
}

// maxSpins is how often a worker looks at its latch first: for two microseconds. A search writes
// the counters, and to leave the seat to a job that it finds takes a switch of goroutines.
const maxSpins = 64

// handTo gives the worker's seat to a claimed job.
func (w *Worker) handTo(j *Job) {
	w.detach().start(j)
	if w.beneath == nil {
		prim.Yield() // the job first, then the look at the stack
	}
}

// giveWay has a claimed job of a pool begin on a goroutine of its own, with the worker's seat, if it can have
// that. The worker is set aside until the latch is set.
func (w *Worker) giveWay(p *Pool, j *Job, l api.Latch, on cause) {
	w.publishAll()
	switch {
	case w.seat.isGuest():
		p.startJob(j)
	case p == w.pool:
		w.detach().start(j)
	default:
		p.startJob(j)
		w.detach().handOff()
	}
	w.setAside(l, on)
}

// handInactive leaves the seat, which is counted inactive, to the goroutine that sleeps there, or
// to a new one that looks on.
func (w *Worker) handInactive() {
	if s := w.detach(); s.lent {
		s.found(&s.idle)
		s.handOff()
	} else {
		s.wakeUp()
	}
}

// setAside blocks the goroutine, which has no seat but a guest's, until the latch is set.
//
// Pairs: FallAsleep and the Set of the latch. One of the two comes second: Set, and
// then it resumes the worker; or FallAsleep, and then it fails.
func (w *Worker) setAside(l api.Latch, on cause) {
	w.setState(aside)
	w.releaseBeneath()
	if w.aside.parker == nil {
		w.aside.parker = prim.NewParker()
	}
	if !l.GetSleepy() || !l.FallAsleep() {
		w.event(record.EventGoOn)
		w.goOn()
		return
	}
	w.counts().aside.Add(1)
	w.showWait(on)
	w.aside.parker.Park()
	w.showNoWait()
	if s := w.aside.seat; s != nil {
		w.aside.seat = nil
		w.sitOn(s)
	} else {
		w.goOn()
	}
}

// goOn has a job go on that has waited, or blocked, or lain beneath one that has: on the seat of a worker
// that sleeps, or as a guest.
func (w *Worker) goOn() {
	switch {
	case w.state == blocked || w.state == guest || w.state == beside:
		return // it has not waited, or does not go on
	case w.seat == nil:
		w.sitOn(w.pool.takeSeat())
		return
	case w.state == covered:
		w.setState(running)
		w.takeWorkerSeat()
	}
	if w.seat.isGuest() {
		w.event(record.EventSeatless)
	}
	w.setRunning()
}

// showWait notes for Dump, and for a recording, what the worker waits for. It gives the credit back,
// which would count as jobs that have not ended.
func (w *Worker) showWait(on cause) {
	w.repayCredit(nil)
	if on == (cause{}) {
		w.event(record.EventBlock)
	} else {
		w.event(record.EventWait)
	}
	w.shown.waits.Store(&waiting{time.Now(), on})
}

func (w *Worker) showNoWait() {
	if w.shown.waits.Load() != nil {
		w.event(record.EventGoOn)
	}
	w.shown.waits.Store(nil)
}

// beginBlock has the job block: the worker publishes all, and leaves its seat to others, unless it is a
// guest's. endBlock ends that.
func (w *Worker) beginBlock() {
	w.publishAll()
	if !w.seat.isGuest() {
		w.detach().handOff()
	}
	w.setState(blocked)
	w.showWait(cause{})
}

// releaseBeneath makes guests of the jobs beneath w on its goroutine, which is about to block: it may
// wait for one of their forks, or for a job that is queued in their pool.
func (w *Worker) releaseBeneath() {
	for _, b := range w.below() {
		if b.state != blocked {
			b.moveToGuestSeat()
		}
	}
}

// Block calls fn, and lets others have the worker's seat while that runs.
//
// Call it for work that may take long without the processor, or waits for
// something other than a lock: input and output, a channel, a condition. All forks of the job are
// public by then. Any number of jobs may be in Block at once; they do not count
// as jobs that run.
//
// When fn has ended, the job goes on at once: with the seat of a worker that sleeps, or as a guest,
// beside those that run.
//
// fn runs on the same goroutine. It must not fork, join or spawn with w, nor
// open a scope or a group, which panics where that is cheap to see. A [Run] inside fn runs as
// anywhere in a job. Inside another Block of the same worker Block is a call. If fn panics or calls
// [runtime.Goexit], so does Block, when it has regained a seat as above. A nil fn panics, and so does
// Block if it notices that the job of w has ended, or waits. It costs one or two microseconds.
func (w *Worker) Block(fn func()) {
	needFunction("Block", fn == nil)
	w.checkJob()
	defer w.takeWorkerSeat()
	defer w.block().endBlock()
	fn()
}

// BlockHere is [Worker.Block] for a caller that does not know its worker, or whether it has
// one: while fn runs, the jobs of the calling goroutine, of whatever pools, leave their seats to
// others. The rules of Block for fn hold here: it must not fork, join or spawn with the worker
// of a job around it. A guest takes no worker's seat afterwards, until it forks: code that blocks often,
// such as the consumer of a stream, would keep one from others. Inside another BlockHere or Block, and
// outside of jobs, it is a call. It looks at the stack in each case, as package loops does, and to its end
// before a job blocks for the first time. A nil fn panics.
func BlockHere(fn func()) {
	needFunction("BlockHere", fn == nil)
	defer workerHere().block().endBlock()
	fn()
}

// block leaves the seat to others, and so do the jobs beneath, until the caller calls endBlock of what it
// returns: w, or nil if that blocks already. w is the innermost worker of its goroutine, or nil.
func (w *Worker) block() (blocks *Worker) {
	if w == nil || w.state == blocked {
		return nil
	}
	w.beginBlock()
	w.releaseBeneath()
	return w
}

// endBlock goes on with the job, unless w is nil.
func (w *Worker) endBlock() {
	if w == nil {
		return
	}
	w.setState(running)
	w.showNoWait()
	w.goOn()
}

package pool

import (
	"runtime/trace"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/spell"
)

// main is the function of the pool's goroutines. It goes on with a seat until the goroutine has lost
// it, or given it back for want of work, or the pool closes. It begins with the job at hand, if there is
// one.
func (s *seat) main() {
	defer s.pool.inbox.rested.Store(true)
	for s != nil {
		if s.next.job == nil {
			if s.lent || s.isGuest() {
				s.handOffLast()
				return
			}
			j := s.awaitJob()
			if j == nil {
				return
			}
			s.next.job = j
		}
		s = s.worker().work()
	}
}

// worker returns a worker that occupies the seat.
func (s *seat) worker() *Worker {
	var w *Worker
	if n := len(s.spares.workers); n > 0 {
		w, s.spares.workers = s.spares.workers[n-1], s.spares.workers[:n-1]
	} else {
		w = newWorker(s.pool)
	}
	w.attach(s)
	if s.next.beside { // and counted in inbox.beside
		s.next.beside, w.origin = false, fromQueue
		w.setState(beside)
	} else {
		w.setRunning()
	}
	return w
}

// newWorker returns a worker without a seat or a job.
func newWorker(p *Pool) *Worker {
	w := &Worker{pool: p, beneath: nobody}
	prim.Declare(w)
	w.stack.init(lastID.Add(1))
	w.number = workerIDs.Add(&p.ids, w)
	w.wanted.Store(wantForks)
	return w
}

// lastID tells the positions on the stacks of workers apart.
var lastID prim.Uint32

// work runs the job at hand, and then others, until there are none. It returns the seat that the
// goroutine has then, or nil.
func (w *Worker) work() *seat {
	returned := false
	defer func() {
		if returned {
			return
		}
		// A job has called runtime.Goexit, which ends this goroutine. Another one goes on
		// with the seat, and with the next job.
		next, wasBeside := w.nextOfScope(), w.state == beside
		switch s := w.retire(); {
		case s == nil:
		case next == nil:
			s.handOffLast()
		default:
			s.next.beside = wasBeside && s.pool.comeBeside()
			s.start(next)
		}
	}()
	spell.Call(w.number, (*rootTask)(w))
	returned = true
	return w.retire()
}

// The pool's goroutines run rootTask as a worker.
type rootTask Worker

func (t *rootTask) Run() {
	w := (*Worker)(t)
	j := w.seat.next.job
	w.seat.next.job = nil
	for j != nil {
		w.seat.linger.since += trifle
		unlabel()
		w.execute(j)
		j = w.nextJob()
	}
}

// execute runs a job that the caller has claimed, to whatever end. Every job comes through here
// that is neither joined in place nor run by the caller of Run. So execute keeps the promises
// of a job: its forks have ended before it has, and its waiters learn of a panic, and of a
// Goexit, although that takes the goroutine.
func (w *Worker) execute(j *Job) {
	limit := w.stack.head
	j.runner.Store(w.number)
	// A panic that the job beneath has got is not this job's.
	raised := w.raised
	w.raised = nil
	taken, returned := 0, false
	if w.seat.thief.stole > 0 {
		taken = w.noteStolen()
		if trace.IsEnabled() {
			defer beginRegion(j).End()
		}
	}
	w.begins(j, taken)
	defer func() {
		if !returned {
			f := w.capture(recover())
			defer func() { // even if what discard awaits exits
				w.ended(false)
				j.task.done(w, f)
			}()
			w.raised = raised
			w.discard(limit)
		}
	}()
	j.task.run(w)
	if w.stack.head > limit {
		w.settle(limit)
	}
	returned = true
	w.raised = raised
	w.ended(true)
	j.task.done(w, nil)
}

// nextJob begins the job that comes after one that has ended, or returns nil. After one that
// was begun beside others it is a queued one.
func (w *Worker) nextJob() *Job {
	if asked := w.pool.asked.Load(); asked != w.tally.asked {
		w.tally.asked = asked
		w.reportCounts()
	}
	if w.credit.scope != nil {
		if j := w.nextOfScope(); j != nil {
			return j
		}
	}
	switch {
	case w.successor != nil:
		return nil
	case !w.seat.isGuest():
		w.origin = fromPool
		return w.findNext()
	}
	j := w.seat.takeLocal()
	if j == nil && w.state == beside && w.pool.fewBeside() {
		j = w.pool.takeQueued()
	}
	return j
}

// findNext begins a job that any worker may run, or returns nil.
//
// With a borrowed seat, of several, and nothing queued, it does not search the deques: so it costs the
// same in a pool of any size. Jobs of others are found as the seat is given back. If something is
// queued, it searches the deques first, as any worker does: jobs in the deque of a worker whose
// job blocks must not wait until the queue is empty.
func (w *Worker) findNext() *Job {
	if s := w.seat; !s.lent || len(s.pool.seats) == 1 || !s.pool.inbox.queue.Empty() {
		return s.find(false)
	}
	return w.seat.takeLocal()
}

// noteStolen returns how many jobs were stolen with the one that begins. Others will want some: see stolenAsk.
func (w *Worker) noteStolen() (taken int) {
	taken, w.seat.thief.stole = int(w.seat.thief.stole), 0
	w.stack.ask(max(w.stack.demand.unmet, min(len(w.pool.seats)-1, stolenAsk)))
	return taken
}

// retire ends the worker's time on its goroutine, and leaves it to its seat. It returns the
// seat, unless the successor has got that.
func (w *Worker) retire() *seat {
	w.repayCredit(w)
	p, s, successor := w.pool, w.seat, w.successor
	w.rest()
	w.setState(idle)
	w.seat, w.successor, w.origin = nil, nil, fromPool
	if p.sleep.leaves {
		// A channel belongs to the synctest bubble in which it was made, and the
		// next goroutine may be elsewhere.
		w.aside.parker = nil
	}
	if len(s.spares.workers) == s.maxWorkers() {
		workerIDs.Drop(w.number)
	} else {
		s.spares.workers = append(s.spares.workers, w)
	}
	if successor != nil {
		successor.resume(s)
		s = nil
	}
	return s
}

// startJob has a new goroutine run a claimed job, on a seat that sleeps or a guest's.
func (p *Pool) startJob(j *Job) { p.takeSeat().start(j) }

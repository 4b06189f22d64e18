package pool

import "github.com/rouse-go/rouse/api/prim"

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
				s.handOffLast()
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
	w.attach(s)
	return w
}

func newWorker(p *Pool) *Worker {
	w := &Worker{pool: p, known: true, turns: turns{most: fewTurns}}
	prim.Declare(w)
	w.stack.init(nextID())
	if p.random != nil {
		w.dice = p.random.deal()
	}
	w.number = workerIDs.add(&w.pool.ids, w)
	w.wanted.Store(wantForks | wantLook)
	return w
}

var lastID prim.Uint32

// nextID returns an id for a worker's stack positions.
func nextID() uint32 { return lastID.Add(1) }

// work runs the job, and others for as long as there are some. It returns the
// seat that the goroutine has then, or nil.
func (w *Worker) work(j *Job) *seat {
	w.next = j
	returned := false
	defer func() {
		if returned {
			return
		}
		// A job has called runtime.Goexit, which ends this goroutine. The seat,
		// and what is next, go on with another one.
		next, beside := w.stay(), w.origin == fromQueue
		switch s := w.retire(); {
		case s != nil && next != nil:
			s.start(next)
		case s != nil:
			s.handOffLast()
		case next != nil:
			w.pool.start(next, beside)
		}
	}()
	spell(w, w.number, (*rootTask)(w))
	returned = true
	return w.retire()
}

// rootTask is what the pool's own goroutines do.
type rootTask Worker

func (t *rootTask) run(w *Worker) {
	j := w.next
	w.next = nil
	for j != nil {
		if w.seat != nil {
			w.seat.linger.since += trifle
		}
		unlabel()
		w.execute(j)
		j = w.following()
	}
}

// execute runs a job that the caller has claimed to its end, whatever that is.
// Every job that is neither joined in place nor run by the caller of Run comes
// through here, so here are the promises kept that hold for each: its forks have
// ended before it has, a panic goes to whoever waits for it, and so does the news
// of a Goexit, although that takes the goroutine.
func (w *Worker) execute(j *Job) {
	limit := w.head
	j.runner.Store(w.number)
	// A panic that is passed on beneath is not this job's.
	raised := w.raised
	w.raised = nil
	returned := false
	defer func() {
		if !returned {
			f := w.capture(recover())
			defer j.task.done(w, f) // even if what discard awaits exits
			w.raised = raised
			w.discard(limit)
		}
	}()
	j.task.run(w)
	if w.head > limit {
		w.settle(limit)
	}
	returned = true
	w.raised = raised
	j.task.done(w, nil)
}

// following begins the job that comes after one that has ended, or returns nil.
//
// One that was begun beside others is followed by what is queued, until there is nothing.
func (w *Worker) following() *Job {
	if w.credit.scope != nil || w.carrier != nil {
		w.glance() // one that goes on with a scope does not come to the queue
		if j := w.stay(); j != nil {
			return j
		}
	}
	switch {
	case w.successor != nil:
		return nil
	case w.seat != nil:
		w.origin = fromPool
		return w.find()
	case w.origin == fromQueue:
		return w.takeQueued()
	}
	return nil
}

// find begins a job that somebody else may run as well, or returns nil.
//
// A goroutine that has borrowed its seat for a job gives that back if nothing is
// queued, without a search of all deques: so it costs the same in a pool of any
// size. What others have is found as the seat comes back. If something is queued, the
// goroutine searches the deques first, as any worker does: jobs in the deque of a worker
// whose job blocks must not wait until the queue is empty.
func (w *Worker) find() *Job {
	s := w.seat
	if j := s.take(); j != nil {
		return j
	}
	if s.lent && len(s.pool.seats) > 1 && s.pool.injector.Empty() && s.pool.unseated.Empty() {
		return nil
	}
	j := s.search(false)
	w.heed(s)
	return j
}

// heed takes over what a search has learnt of the demand: see stolenAsk. And if it came to
// the queue, what is left there has not waited for long.
func (w *Worker) heed(s *seat) {
	if s.served {
		s.served = false
		s.watch = watch{on: s.watch.on, backlog: true}
	}
	if s.stole {
		s.stole = false
		w.ask(max(w.demand.unmet, min(len(w.pool.seats)-1, stolenAsk)))
	}
}

// retire ends the worker's time on its goroutine, and makes it the next one's of
// its seat. It returns the seat, if nobody has inherited that.
func (w *Worker) retire() *seat {
	w.repay(w)
	p, s, successor, loose := w.pool, w.seat, w.successor, w.loose
	w.rest()
	w.standAlone()
	if s != nil {
		s.watch.leave(w.forks())
	}
	w.seat, w.successor, w.state, w.origin, w.loose = nil, nil, idle, fromPool, false
	if p.leaves {
		// A channel belongs to the synctest bubble in which it was made, and the
		// next goroutine may be elsewhere.
		w.parker = nil
	}
	if s == nil || len(s.spares) == maxSpares {
		workerIDs.drop(w.number)
	} else {
		s.spares = append(s.spares, w)
	}
	if successor != nil {
		successor.resume(s)
		s = nil
	}
	if loose { // if there is a seat, Close waits for that
		p.shutdown.lives.Done()
	}
	return s
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
	w.startSeatless(j)
}

// startSeatless has a new goroutine run a job, which is claimed, as w, without a seat.
func (w *Worker) startSeatless(j *Job) {
	w.goSeatless()
	prim.Go(func() {
		if s := w.work(j); s != nil {
			s.handOffLast()
		}
	})
}

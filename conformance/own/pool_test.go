// Package own_test builds a fork-join pool of its own from the parts of Rouse:
// a deque for each worker, an injector, latches and a sleep backend. It does not
// use package pool. Read this file from top to bottom; the letters S, D, L and P
// with a number are rules that package api and the README of conformance list.
//
// The pool has a fixed number of seats, and a job runs at each of them or none.
// A worker is a goroutine that has a seat. A job that must wait gives up its seat,
// so a job may hold a lock while it waits for what it has forked.
//
// It leaves out: jobs that panic or call [runtime.Goexit], which must not happen
// here; forks that are joined in another order; jobs that wait for submitted jobs;
// contexts; and speed. Package pool has all of that.
package own_test

import (
	"errors"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/latch"
)

// A Job is a function that is to run once. Whoever takes it out of the queue that
// it lies in runs it at once; so a job that lies in no queue has begun.
type Job struct {
	run    func(w *Worker)
	done   latch.Core // set when the job has ended
	joiner *Worker    // waits for done; nil for a job from outside
}

// A Seat has what it takes to find jobs and to be found. One goroutine has it at
// a time.
type Seat struct {
	pool  *Pool
	index int
	deque api.Deque[Job] // Push and Pop are for the goroutine that has the seat
	stop  latch.Core     // set when the pool closes
}

// A Worker is a goroutine of the pool. A job gets the one that it runs on, and may
// use it until it returns.
type Worker struct {
	seat   *Seat
	parker *prim.Parker // where the goroutine blocks while it has no seat
}

// A Pool runs jobs at a fixed number of seats.
type Pool struct {
	seats    []*Seat
	injector api.Injector[Job] // jobs from outside
	sleep    api.Sleep         // who sleeps, and who is woken

	mu       prim.Mutex     // guards closed, and the first Add of accepted
	closed   bool           // no more jobs are accepted
	accepted prim.WaitGroup // jobs from outside that have not ended
	serving  prim.WaitGroup // goroutines
}

// New returns a pool with so many seats, composed of the given parts. Each seat has
// a goroutine from the start. Close ends them.
func New(seats int, newDeque func() api.Deque[Job], newSleep func(int) (api.Sleep, error)) (*Pool, error) {
	sleep, err := newSleep(seats)
	if err != nil {
		return nil, err
	}
	p := &Pool{injector: deque.NewInjector[Job](), sleep: sleep}
	for i := range seats {
		p.seats = append(p.seats, &Seat{pool: p, index: i, deque: newDeque()})
	}
	for _, s := range p.seats { // after all are there, because each searches all
		s.start()
	}
	return p, nil
}

// # A fork and its join

// Join2 runs a and b, possibly at the same time, and returns when both have ended.
//
// The fork is pushed first and posted then (S1): a seat that falls asleep finds the
// job in its last look, or the post finds the seat asleep.
func (w *Worker) Join2(a, b func(w *Worker)) {
	fork := &Job{run: b, joiner: w}
	wasEmpty := w.seat.deque.Len() == 0
	w.seat.deque.Push(fork)
	w.seat.pool.sleep.Post(1, wasEmpty)
	a(w)
	w.join(fork)
}

// join runs the fork if nobody else has taken it, and otherwise waits for it.
//
// Pop returns the fork or nothing. What this goroutine has pushed and not joined
// is a stack, with the fork on top. Its seat's deque holds the upper part of that
// stack and no other job: a push adds to both at the top, a thief takes the lowest
// of the deque (D2), and a join takes the top of both. If the deque is empty the
// goroutine may leave the seat, and the next one begins there with an empty stack.
// It waits for a fork only if Pop found nothing, and comes back to a seat with an
// empty deque: that of a goroutine that has ended its job, with an empty stack.
func (w *Worker) join(fork *Job) {
	if w.seat.deque.Pop() != nil {
		fork.run(w)
		return
	}
	w.wait(fork)
}

// # How a job waits

// wait returns when the fork, which a thief has taken, has ended.
//
// The goroutine blocks, and a new one goes on with its seat. To run other jobs on
// this goroutine in the meantime would cost less. But such a job could want a lock
// that the job beneath it holds, and then neither would go on. Here a job lies on
// top of another one only if that one waits for it.
//
// Nobody waits for a job that has not begun: the thief runs what it takes. So when
// all that has begun is stuck, it is stuck in locks of the program's own.
func (w *Worker) wait(fork *Job) {
	seat := w.seat // read before FallAsleep, because after it the thief writes it
	if !fork.done.GetSleepy() || !fork.done.FallAsleep() {
		return // The fork has ended (L2), and this goroutine has kept its seat.
	}
	seat.start()
	w.parker.Park()
}

// end says that a job has ended. It returns false if the goroutine has no seat any
// more, because the job's joiner has it.
//
// Either FallAsleep comes first: then Set returns true, once (L1), and whoever set
// the latch resumes the joiner. Or Set does: then the joiner does not block. The
// joiner gets a seat at once and need not be found one, so there are never more
// jobs that run than seats, and no job that could run stands in a queue for a seat.
func (w *Worker) end(j *Job) (goOn bool) {
	joiner := j.joiner // read before Set: a latch is not touched after it (L3)
	if !j.done.Set() {
		return true
	}
	joiner.seat = w.seat
	joiner.parker.Unpark()
	return false
}

// # A worker's life

// start starts a goroutine that goes on with the seat, which the caller gives up.
func (s *Seat) start() {
	s.pool.serving.Add(1) // at zero only in New: each caller but that counts itself
	prim.Go(func() {
		defer s.pool.serving.Done()
		w := &Worker{seat: s, parker: prim.NewParker()}
		for j := w.seat.next(); j != nil; j = w.seat.next() {
			j.run(w)
			if !w.end(j) {
				return
			}
		}
	})
}

// next returns a job to run at the seat, or nil when the pool has closed. It sleeps
// while there is none. It is the loop in the comment on [api.Sleep].
//
// Found comes before the job is run (S2): several posts may rely on this one seat,
// which takes one job only, and the job may block. Found wakes another seat then.
func (s *Seat) next() *Job {
	if j := s.search(); j != nil {
		return j // It was not counted as idle, so nobody relies on it.
	}
	sleep := s.pool.sleep
	idle := sleep.StartLooking(s.index)
	defer sleep.Found(&idle)
	for !s.stop.Probe() {
		if j := s.search(); j != nil {
			return j
		}
		if sleep.NoWork(&idle) {
			// If the pool closes now, the latch ends it (S3).
			sleep.Park(&idle, &s.stop, s.pool.hasWork)
		}
	}
	return nil
}

// search takes a job of another seat or from outside, or returns nil. The seat's
// own deque is empty, as join explains.
//
// If an attempt was lost to another thief, there may be more: it is no answer.
func (s *Seat) search() *Job {
	seats := s.pool.seats
	for lost := true; lost; {
		lost = false
		for i := range seats { // from the next one on, so that not all begin with the first
			j, outcome := seats[(s.index+1+i)%len(seats)].deque.Steal()
			if outcome == api.Stolen {
				return j
			}
			lost = lost || outcome == api.Lost
		}
		j, outcome := s.pool.injector.Steal()
		if outcome == api.Stolen {
			return j
		}
		lost = lost || outcome == api.Lost
	}
	return nil
}

// hasWork is the last look before a seat sleeps. It must know each place where
// search looks: a post that came before the look wakes nobody for it (S1).
func (p *Pool) hasWork() bool {
	for _, s := range p.seats {
		if s.deque.Len() > 0 {
			return true
		}
	}
	return !p.injector.Empty()
}

// # From outside

// ErrClosed is what Submit returns after Close.
var ErrClosed = errors.New("the pool is closed")

// Submit hands a job over to the pool and returns at once. The job has ended when
// the latch is set: wait for that by its Wait, from a goroutine that is no job, which
// would keep its seat. Any number of goroutines may call Submit and wait.
func (p *Pool) Submit(fn func(w *Worker)) (*latch.Outside, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	p.accepted.Add(1) // in the lock, so that Close counts it or it is refused (P7)
	p.mu.Unlock()
	done := new(latch.Outside)
	wasEmpty := p.injector.Push(&Job{run: func(w *Worker) {
		fn(w)
		done.Set()
		p.accepted.Done()
	}})
	p.sleep.Post(1, wasEmpty) // after the push, as in Join2
	return done, nil
}

// Close refuses further jobs, waits until those accepted have ended (P6), and ends
// all goroutines of the pool. It may be called more than once, but not by a job.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.accepted.Wait()
	for _, s := range p.seats {
		if s.stop.Set() { // true if the seat was falling asleep, or slept (L1)
			p.sleep.Wake(s.index)
		}
	}
	p.serving.Wait()
}

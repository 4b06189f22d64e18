// Package own_test builds a fork-join pool of its own from the parts of Rouse:
// a deque for each seat, an injector, latches and a sleep backend. It does not
// use package pool. Read this file from top to bottom. A letter with a number, as
// in S1, is a rule: package api lists those of S, D and L, package pool
// those of P. check_test.go beside it runs the pool, and
// explore_test.go drives it through every schedule up to a bound.
//
// The pool has a fixed number of seats. At each seat one job at a time runs, on a
// goroutine. A job that must wait gives up its seat. So a job may hold a lock while
// it waits for what it has forked.
//
// The pool leaves out what package pool has: forks joined in any order, jobs that
// wait for submitted jobs, contexts, and speed. A panic that leaves a stolen fork, or
// a submitted job, ends the program. A job must not call [runtime.Goexit].
package own_test

import (
	"errors"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/latch"
)

// A Job is a function that is to run once. Whoever takes a job out of its queue
// runs it at once. So a job that lies in no queue has begun.
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

	mu       prim.Mutex     // guards closed, and Add of accepted
	closed   bool           // no more jobs are accepted
	accepted prim.WaitGroup // jobs from outside that have not ended
	serving  prim.WaitGroup // goroutines of the pool
}

// New returns a pool with so many seats, composed of the given parts. It starts a
// goroutine for each seat. Close ends them.
func New(seats int, newDeque func() api.Deque[Job], newSleep func(int) (api.Sleep, error)) (*Pool, error) {
	sleep, err := newSleep(seats)
	if err != nil {
		return nil, err
	}
	p := &Pool{injector: deque.NewInjector[Job](), sleep: sleep}
	for i := range seats {
		p.seats = append(p.seats, &Seat{pool: p, index: i, deque: newDeque()})
	}
	for _, s := range p.seats { // once all are there, because each searches all
		s.start()
	}
	return p, nil
}

// # A fork and its join

// Join2 runs a and b, possibly at the same time, and returns when both have ended.
//
// The push comes before the post (S1). Then a seat that falls asleep finds the fork
// in its last look, or the post finds the seat asleep.
func (w *Worker) Join2(a, b func(w *Worker)) {
	fork := &Job{run: b, joiner: w}
	wasEmpty := w.seat.deque.Len() == 0
	w.seat.deque.Push(fork)
	w.seat.pool.sleep.Post(1, wasEmpty)
	defer w.join(fork) // also if a panics, or the next join would find this fork
	a(w)
}

// join runs the fork if nobody else has taken it, and otherwise waits for it.
//
// Pop returns this fork or nil. For the forks that a goroutine has pushed and not
// joined are a stack, with this fork on top. The deque of its seat holds the upper
// part of that stack, and no other job:
//
//   - A push adds a fork on top of both.
//   - A thief takes the oldest of the deque (D2), a join the top of both.
//   - A goroutine gives up a seat only when the deque is empty: here, when Pop has
//     returned nil, or when its job has ended, and then its stack is empty too.
//   - So a goroutine gets a seat only with an empty deque.
func (w *Worker) join(fork *Job) {
	if w.seat.deque.Pop() != nil {
		fork.run(w)
		return
	}
	w.wait(fork)
}

// # How a job waits

// wait returns when the fork has ended. A thief has taken it, so it has begun.
//
// The goroutine blocks, and a new one goes on with its seat. To run other jobs here
// in the meantime, on top of the one that waits, would cost less. But such a job may
// want a lock that the job beneath it holds, and then neither goes on. In this pool
// a job lies on top of another one only if that one waits for it, and nobody waits
// for a job that has not begun. So jobs that are stuck are stuck in each other's
// locks, and would be with a goroutine for each of them too.
func (w *Worker) wait(fork *Job) {
	seat := w.seat // read before FallAsleep: after it the thief may write w.seat
	if !fork.done.GetSleepy() || !fork.done.FallAsleep() {
		return // The fork has ended (L2). The goroutine keeps its seat.
	}
	seat.start()
	w.parker.Park()
}

// end says that a job has ended. It returns false if it has handed the seat over to
// the job's joiner.
//
// No joiner is left behind: if its FallAsleep comes before Set, then Set returns
// true, once (L1), and the joiner is resumed here. If Set comes first, the joiner
// does not block. The joiner needs a seat, and this goroutine has one that it needs
// no more. So no job that could go on waits for a seat, and the number of seats stays
// the same. The sleep backend has no part in this: the seat was in use, and still is.
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

// start starts a goroutine that goes on with the seat. The caller gives it up.
func (s *Seat) start() {
	s.pool.serving.Add(1)
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
// Found comes before the job is run (S2). Several posts may rely on this one seat,
// but it takes one job, and the job may block. Then Found wakes another seat.
func (s *Seat) next() *Job {
	if j := s.search(); j != nil {
		return j // The seat was not counted as idle, so no post relies on it.
	}
	sleep := s.pool.sleep
	idle := sleep.StartLooking(s.index)
	defer sleep.Found(&idle)
	for !s.stop.Probe() {
		if j := s.search(); j != nil {
			return j
		}
		if sleep.NoWork(&idle) {
			// It ends when a job is posted (S1) or the pool closes (S3), and always
			// returns true, for this pool never calls StartBy (S11).
			sleep.Park(&idle, &s.stop, s.pool.hasWork)
		}
	}
	return nil
}

// search takes a job of another seat, or from outside, or returns nil. The seat's
// own deque is empty: see join.
//
// An attempt that was lost to another thief is no answer: there may be more jobs.
func (s *Seat) search() *Job {
	seats := s.pool.seats
	for lost := true; lost; {
		lost = false
		for i := range seats { // from the next seat on, so that not all begin at the first
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

// hasWork is the last look before a seat sleeps. It must know each place where jobs
// lie: a post that came too early to find the seat asleep relies on this look (S1).
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

// Submit hands a job over to the pool and returns at once. The latch is set when the
// job has ended: call its Wait, but not from a job, which would keep its seat. Any
// number of goroutines may call Submit and Wait.
func (p *Pool) Submit(fn func(w *Worker)) (*latch.Outside, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	p.accepted.Add(1) // in the lock: Close waits for the job, or it is refused
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

// Close refuses further jobs, waits until those accepted have ended, and ends
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

package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// The public jobs of a worker lie in the deque of its seat. Those of a worker without a seat lie
// in a queue of the pool, unseated, where all seats look.

// push makes a job public, and wakes a seat if one must be woken for it.
func (w *Worker) push(j *Job) {
	if !w.retake() {
		wasEmpty := w.pool.unseated.Push(j) // A1
		w.pool.sleep.Post(1, wasEmpty)
	} else {
		w.seat.push(j)
	}
	w.hesitate(j)
	w.glance()
}

// putBack makes a job public that the worker has just taken.
func (w *Worker) putBack(j *Job) {
	if w.seat != nil {
		w.seat.putBack(j)
	} else {
		wasEmpty := w.pool.unseated.Push(j) // A1
		w.pool.sleep.Post(1, wasEmpty)
	}
}

// queued returns how many public jobs there are where the worker puts its own. If it has
// no seat, it tells only whether there are some.
func (w *Worker) queued() int {
	if w.seat != nil {
		return w.seat.jobs()
	}
	if w.pool.unseated.Empty() {
		return 0
	}
	return 1
}

// unseated is the queue of forks and spawned jobs of workers without a seat. These do not
// stand before the jobs that were submitted, which have a queue of their own.
//
// Most pools never have such a worker, or seldom. So the queue is made by the first push: until
// then a search asks one word, which nobody writes.
type unseated struct {
	// queue is nil until the first push.
	//
	// Writers: whoever pushes first, by CAS, before that push.
	// Pairs:   whoever reads nil has read an empty queue: all pushes, and the posts that follow
	// them, come later.
	queue prim.Pointer[unseatedQueue]
}

type unseatedQueue struct{ api.Injector[Job] }

// Push puts a job in, and reports whether it was alone there.
func (u *unseated) Push(j *Job) (wasEmpty bool) {
	q := u.queue.Load()
	if q == nil {
		q = &unseatedQueue{newInjector()}
		if !u.queue.CompareAndSwap(nil, q) {
			q = u.queue.Load()
		}
	}
	return q.Push(j)
}

// Empty reports whether there is no job.
func (u *unseated) Empty() bool {
	q := u.queue.Load()
	return q == nil || q.Empty()
}

// push makes a job public, and wakes a seat if one must be woken for it.
func (s *seat) push(j *Job) {
	s.deque.Push(j) // A1
	s.show()
	s.pool.sleep.Post(1, true)
}

// putBack is push for a job that the seat has just taken.
func (s *seat) putBack(j *Job) {
	s.push(j)
	s.pool.recall(j)
	if j.isSubmitted() {
		s.carry() // whoever looked meanwhile has not found it
	}
}

// take begins the newest job of the seat's own deque that nobody has begun, or
// returns nil.
func (s *seat) take() *Job {
	for {
		if j := s.pop(); j == nil || j.begin() {
			return j
		}
	}
}

// takeOf begins the newest job of the seat's own deque that nobody has begun, if
// that is one of the scope.
func (s *seat) takeOf(scope *Scope) *Job {
	for s.deque.Len() > 0 {
		j := s.pop()
		if j == nil {
			return nil
		}
		if j.isOf(scope) {
			if j.begin() {
				return j
			}
		} else if !j.isClaimed() {
			s.putBack(j) // with a post, for the deque was short for a moment
			return nil
		}
	}
	return nil
}

// pop takes the newest job out of the seat's own deque, or returns nil.
//
// It asks on behalf of others when no job is left there, one, two, four and so on: a
// worker that takes many back one after the other would otherwise look at the
// counts, which all write, for each of them.
func (s *seat) pop() *Job {
	j := s.deque.Pop()
	if j == nil {
		s.strays = 0
		if s.carrying {
			s.carrying = false
			s.pool.unload(s.index, s.loads)
		}
		return nil
	}
	if left := s.deque.Len(); left&(left-1) == 0 {
		s.wantOnBehalf()
	}
	return j
}

// wantOnBehalf is for a seat that has taken one of its public jobs back. There
// may be fewer now than seats that wait, and none of those may look again
// before it sleeps.
func (s *seat) wantOnBehalf() {
	if inactive, _ := s.pool.sleep.Counts(); inactive > s.jobs() {
		s.pool.want(s.index)
	}
}

// jobs returns how many jobs the seat's own deque has that can be begun, as far as the
// seat knows.
func (s *seat) jobs() int { return max(s.deque.Len()-s.strays, 0) }

// carry says that submitted jobs lie in the seat's deque now. It was empty before, so they
// lie above all others.
//
// Pairs: the seat pushes them, then stores a number that it has not used before, then calls.
// A worker that looks, and finds that what is left is something else, takes back the very
// number that it has read.
func (s *seat) carry() {
	p := s.pool
	s.carrying = true
	if s.loads++; s.loads == 0 {
		s.loads = 1
	}
	if p.victims[s.index].carries.Swap(s.loads) == 0 {
		p.carriers.Add(1)
	}
	p.call()
}

// unload says that nothing is left of a load of the n-th seat, if it is the last one.
func (p *Pool) unload(n int, load uint32) {
	if p.victims[n].carries.CompareAndSwap(load, 0) {
		p.carriers.Add(^uint32(0))
	}
}

// tidy is called when a job was claimed whose pointer was pushed to the deque of
// the seat, to take it out.
//
// The pointer is on top of the deque, or a thief has it, and drops it; or the job
// is a fork joined out of order, or something was pushed after it. Then the pointer
// becomes a stray. It stands for the frame, whatever that is used for when somebody
// comes to it.
func (s *seat) tidy(claimed *Job) {
	switch j := s.pop(); j {
	case nil:
		s.wantOnBehalf() // of the thief that comes for nothing
	case claimed:
		s.sweep()
	default:
		s.strays++
		s.putBack(j) // with a post, for the deque was short for a moment
		s.wantOnBehalf()
	}
}

// sweep drops the strays that are on top of the deque. So their number is in
// proportion to the jobs that are live.
func (s *seat) sweep() {
	for ; s.strays > 0; s.strays-- {
		j := s.pop()
		if j == nil {
			return
		}
		if !j.isClaimed() {
			s.putBack(j)
			return
		}
	}
}

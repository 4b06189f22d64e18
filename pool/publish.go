package pool

import (
	"math"

	"github.com/rouse-go/rouse/api/prim"
)

// Publication on demand. A fork is private to its worker until another worker
// wants work; then the oldest ones, which tend to be the largest, become public.
// See "The flag and the sleepers" and "How much is published" in the README.

// want asks w to publish. The caller is counted inactive, or acts for one who
// is.
func (w *Worker) want() {
	if w.wanted.Load() == 0 {
		w.wanted.Store(1)
	}
}

// want asks a worker to publish, by its number.
func (p *Pool) want(n int) {
	prim.Touch(&p.workers[n], false)
	p.workers[n].want()
}

// publish answers a request: it makes private forks public, the oldest first.
// The caller has seen wanted.
func (w *Worker) publish() {
	w.skipHoles()
	if w.public == w.head {
		return // the flag stays up for the next fork
	}
	if w.pool.eager {
		w.publishUpTo(1)
		return
	}
	// Lowered before the look at the deque, and before the push: a thief that
	// comes after those finds the flag down, and raises it.
	w.wanted.Store(0)
	inactive, _ := w.pool.sleep.Counts()
	n := w.deque.Len()
	if n == 0 {
		n = w.publishUpTo(w.demand.burst(inactive, len(w.pool.workers)))
	} else if w.demand.unmet > 0 {
		return // what is there is for workers that wait, and a mark is set
	}
	// What was unmet before stays so, for forks to come. That few are idle at this
	// moment may mean that all are about to be.
	if jobs := max(inactive-n, w.demand.unmet); jobs > 0 {
		w.ask(jobs)
	}
}

// publishMarked meets a demand that was there before the forks were.
func (w *Worker) publishMarked() {
	w.demand.unmet -= w.publishUpTo(w.demand.unmet)
	w.setMark()
}

// publishUpTo makes up to n private forks public, and wakes a worker if one must
// be woken. It returns how many there were.
//
// It wakes one, however many the forks: each that comes wakes the next (S2). For
// the same reason it wakes none if one looks already, although the deque may have
// had something; eager pools tell, since each of their forks is posted.
func (w *Worker) publishUpTo(n int) (published int) {
	wasEmpty := !w.pool.eager || w.deque.Len() == 0
	for w.skipHoles(); w.public < w.head && published < n; w.skipHoles() {
		f := w.frameAt(w.public)
		w.public++
		f.seq |= guarded // its join must take the long way
		f.latch.Reset()
		f.claim.Store(unclaimed) // nothing of the frame is written after this
		w.deque.Push(&f.Job)     // A1
		published++
	}
	if published > 0 {
		w.demand.published += published
		w.stats.published.Add(uint64(published))
		w.stats.forks.Store(w.seq / seqStep)
		w.pool.sleep.Post(1, wasEmpty) // A2 to A4
	}
	return published
}

// publishAll makes every private fork public. A worker does this before it
// waits.
func (w *Worker) publishAll() { w.publishUpTo(math.MaxInt) }

// take begins the newest job of the worker's own deque that nobody has begun, or
// returns nil.
func (w *Worker) take() *Job {
	for {
		if j := w.pop(); j == nil || j.begin() {
			return j
		}
	}
}

// pop takes the newest job out of the worker's own deque, or returns nil.
func (w *Worker) pop() *Job {
	j := w.deque.Pop()
	if j != nil {
		w.wantOnBehalf()
	}
	return j
}

// wantOnBehalf is for a worker that has taken one of its public jobs back. There
// may be fewer now than workers that wait, and none of those may look again
// before it sleeps.
func (w *Worker) wantOnBehalf() {
	if inactive, _ := w.pool.sleep.Counts(); inactive > w.deque.Len() {
		w.want()
	}
}

// push makes a job public, and wakes a worker if one must be woken for it.
func (w *Worker) push(j *Job) {
	wasEmpty := w.deque.Len() == 0
	w.deque.Push(j) // A1
	w.pool.sleep.Post(1, wasEmpty)
}

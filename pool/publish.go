package pool

import (
	"math"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/record"
)

// A fork is private to its worker until the flag asks for it: when another worker wants work, and once as
// a worker takes a seat. Then the oldest ones, which tend to be the largest, become public. See "The flag and
// the sleepers" and "How much is published" in INTERNALS.md.

// answer does what others ask for by the flag.
func (w *Worker) answer() {
	if w.wanted.Load()&wantForks != 0 {
		w.publish()
	}
}

// publish answers a request: it makes private forks public, the oldest first.
// The caller has seen wanted.
func (w *Worker) publish() {
	if w.state == blocked {
		panic(inBlock)
	}
	w.stack.skipHoles()
	if w.stack.public == w.stack.head {
		return // the flag stays up for the next fork
	}
	w.takeWorkerSeat()
	if w.probe != nil {
		return // it runs alone
	}
	if w.pool.eager {
		w.publishUpTo(1)
		return
	}
	// Lowered before the look at the deque, and before the push: a thief that
	// comes after those finds the flag down, and raises it.
	w.wanted.And(^wantForks)
	w.seat.show()
	inactive, _ := w.pool.sleep.Counts()
	n := w.seat.jobs()
	switch lacking := inactive - n; {
	case n == 0:
		n = w.publishUpTo(w.stack.demand.burst(inactive, len(w.pool.seats)))
	case w.stack.demand.unmet > 0 && w.stack.demand.unmet >= lacking:
		return // these are for workers that wait, and a mark is set for the others
	default:
		n += w.publishUpTo(lacking)
	}
	// What was unmet before stays so, for forks to come: if few are idle now, all may be soon.
	if jobs := max(inactive-n, w.stack.demand.unmet); jobs > 0 {
		w.stack.ask(jobs)
	}
}

// publishMarked meets a demand that was there before the forks were.
func (w *Worker) publishMarked() {
	w.stack.ask(w.stack.demand.unmet - w.publishUpTo(w.stack.demand.unmet))
}

// publishUpTo makes up to n private forks public, and returns how many there were. It wakes one
// worker, however many the forks: each that comes wakes the next (S2). So it wakes none if one
// looks already, although the deque may have had something; eager pools tell, since each of their
// forks is posted.
func (w *Worker) publishUpTo(n int) (published int) {
	p, s := w.pool, w.seat
	wasEmpty := !p.eager || s.deque.Len() == 0
	var last *Job
	for w.stack.skipHoles(); w.stack.public < w.stack.head && published < n; w.stack.skipHoles() {
		f := w.stack.frameAt(w.stack.public)
		w.stack.public++
		f.seq |= guarded // its join must take the long way
		f.latch.Reset()
		f.in = s
		f.claim.Store(unclaimed) // nothing that a thief reads is written after this
		s.deque.Push(&f.Job)     // A1
		published++
		last = &f.Job
	}
	if published > 0 {
		s.show()
		w.stack.demand.published += published
		w.counts().published.Add(uint64(published))
		w.reportCounts()
		w.tellEvent(record.Event{Kind: record.EventPublish, Count: published})
		p.sleep.Post(1, wasEmpty) // A2 to A4
		w.hesitate(last)
	}
	return published
}

// publishAll makes all private forks public, before the worker waits, or works for long.
func (w *Worker) publishAll() {
	if w.state == blocked {
		panic(inBlock)
	}
	w.publishUpTo(math.MaxInt)
}

// push makes a job public, and wakes a seat if one must be woken for it.
func (w *Worker) push(j *Job) {
	w.takeWorkerSeat()
	w.seat.push(j)
	w.hesitate(j)
}

// hesitate waits, by chance, for another worker to begin a job that this one has just made public.
// Only a pool with a random schedule does so.
func (w *Worker) hesitate(j *Job) {
	if r := w.pool.random; r == nil || r.coin() {
		return
	}
	for range maxHesitation {
		prim.Yield() // also to goroutines of the pool that have not begun
		if inactive, _ := w.pool.sleep.Counts(); inactive == 0 || j.isClaimed() {
			return
		}
	}
}

// maxHesitation is about as long as waking a worker takes.
const maxHesitation = 1000

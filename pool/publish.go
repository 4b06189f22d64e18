package pool

import (
	"math"
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// Publication on demand. A fork is private to its worker until another worker
// wants work; then the oldest ones, which tend to be the largest, become public.
// See "The flag and the sleepers" and "How much is published" in INTERNALS.md.

// want asks the worker that has a seat to publish, by the seat's number. The
// caller is counted inactive, or acts for one who is.
func (p *Pool) want(n int) {
	if w := p.occupants[n].Load(); w.wanted.Load()&wantForks == 0 {
		w.wanted.Or(wantForks)
	}
}

// answer does what others ask for by the flag.
func (w *Worker) answer() {
	v := w.wanted.Load()
	if v&wantForks != 0 {
		w.publish()
	}
	if v&wantLook != 0 || w.seq&due != 0 || w.high != 0 {
		w.look()
	}
}

// publish answers a request: it makes private forks public, the oldest first.
// The caller has seen wanted.
func (w *Worker) publish() {
	if w.state == blocked {
		panic(inBlock)
	}
	w.skipHoles()
	if w.public == w.head {
		return // the flag stays up for the next fork
	}
	seated := w.retake()
	if w.pool.eager {
		w.publishUpTo(1)
		return
	}
	if seated {
		// Lowered before the look at the deque, and before the push: a thief that
		// comes after those finds the flag down, and raises it.
		w.wanted.And(^wantForks)
		w.seat.show()
	}
	inactive, _ := w.pool.sleep.Counts()
	n := w.queued()
	switch lacking := inactive - n; {
	case n == 0:
		n = w.publishUpTo(w.demand.burst(inactive, len(w.pool.seats)))
	case w.demand.unmet > 0 && w.demand.unmet >= lacking:
		return // what is there is for workers that wait, and a mark is set for the others
	default:
		n += w.publishUpTo(lacking)
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
	p, s := w.pool, w.seat
	wasEmpty := s != nil && (!p.eager || s.deque.Len() == 0)
	var last *Job
	for w.skipHoles(); w.public < w.head && published < n; w.skipHoles() {
		f := w.frameAt(w.public)
		w.public++
		f.seq |= guarded // its join must take the long way
		f.latch.Reset()
		f.in = s
		f.claim.Store(unclaimed) // nothing of the frame is written after this
		if s != nil {
			s.deque.Push(&f.Job) // A1
		} else if p.unseated.Push(&f.Job) { // A1
			wasEmpty = true
		}
		published++
		last = &f.Job
	}
	if published > 0 {
		if s != nil {
			s.show()
		}
		w.demand.published += published
		w.counts().published.Add(uint64(published))
		w.tell()
		p.sleep.Post(1, wasEmpty) // A2 to A4
		w.hesitate(last)
	}
	return published
}

// publishAll makes every private fork public. A worker does this before it
// waits.
func (w *Worker) publishAll() { w.publishUpTo(math.MaxInt) }

// hesitate throws the worker's dice, and perhaps waits for another worker to begin a job
// that this one has just made public.
func (w *Worker) hesitate(j *Job) {
	if w.dice == nil || w.dice.IntN(2) == 0 {
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

// A demand is what a worker knows of how many jobs others would take, and what
// became of those that it has published. See "How much is published" in
// INTERNALS.md. Only the worker touches it.
type demand struct {
	// published counts the forks made public since the last request, takenBack
	// those of them that the worker ran itself, in their own joins.
	published, takenBack int
	// unmet is how many more jobs were wanted than there were forks to publish.
	// Later forks meet it, whenever the stack reaches the mark.
	unmet int
	// base is the height of the stack that marks are counted from. The first
	// steps marks follow each other, then each is twice as high as the last.
	base, mark, steps uint64
}

// stolenAsk is how many jobs a worker expects to be wanted when it has just
// stolen one: its first forks become public although nobody is idle yet. Where
// all run equal jobs, all turn idle at once, and then it is too late to ask.
const stolenAsk = 4

// burst returns how many forks to publish at a request, from how many workers are
// inactive and what became of the forks published last. It is at least one.
//
// If others took most of those, they come back soon: so twice as many, or one
// for each worker of the pool. If not, half as many.
func (d *demand) burst(inactive, workers int) int {
	n := d.published / 2
	if d.published > 0 && 2*d.takenBack <= d.published {
		n = max(2*d.published, workers)
	}
	d.published, d.takenBack = 0, 0
	return max(n, inactive, 1)
}

// ask sets how many jobs are wanted beyond those that are public.
func (s *stack) ask(jobs int) {
	d := &s.demand
	d.unmet, d.base = jobs, s.head
	d.steps = uint64(bits.Len(uint(d.unmet))) + 1
	s.setMark()
}

// setMark sets the next mark above head.
//
// A tree that forks by halves has given away most of its work after a few forks,
// and is not worth another look. A stack that keeps growing is a loop or a list:
// then a fork is one job and no more, and at least half of all forks become
// public until the demand is met.
func (s *stack) setMark() {
	d := &s.demand
	step := uint64(1)
	if height := s.head - d.base; height >= d.steps {
		step = height
	}
	d.mark = s.head + step
	s.cutSlots()
}

// marked reports whether the stack has reached the mark.
func (s *stack) marked() bool { return s.demand.unmet > 0 && s.head >= s.demand.mark }

package par

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// A helper is a place for a job of the pool that does elements of a stream, for as long as
// there are any. It is engaged again when there are more.
type helper[T, R any] struct {
	stream *stream[T, R]
	owned  int32 // the state of a cell that it has begun
	// turn is the last job, or the one before that.
	//
	// Writers: the consumer.
	// Readers: the job.
	// Pairs:   none. A job that finds another one goes on with its turn.
	turn prim.Pointer[turn[T, R]]
	// engaged says that a job was asked for and has not ended, or that one ended by
	// Goexit.
	//
	// Writers: the consumer and the job, by CAS from false; the job, when it ends.
	// Pairs:   see taken of the stream.
	engaged prim.Bool
	// awaited says that the consumer waits for the job, which ends when it has done its
	// element. Whoever lowers the flag has decided.
	//
	// Writers: the consumer; the job, which lowers it.
	// Pairs:   the consumer raises it, then looks at the cell; the job ends the cell, then
	// looks at the flag.
	awaited prim.Bool
}

// A turn is one job of a helper.
type turn[T, R any] struct {
	*helper[T, R]
	// job is written by whoever has submitted it, and read by the consumer.
	job *pool.Handle[struct{}]
	// next is the job that this one has handed over to.
	//
	// Writers: the job, in its last step.
	// Readers: the consumer.
	// Pairs:   what it has written to the next turn.
	next prim.Pointer[turn[T, R]]

	// What follows is the job's own.

	cell   *cell[T, R]   // what it is at
	worked time.Duration // in all
	any    bool          // it has done an element
}

// newTurn submits a job, or returns nil if the pool takes none.
func (h *helper[T, R]) newTurn() *turn[T, R] {
	t := &turn[T, R]{helper: h}
	job, err := pool.Submit(h.stream.pool, t.run)
	if err != nil {
		return nil
	}
	t.job = job
	return t
}

// submit reports whether the pool has taken a job. The consumer calls it.
func (h *helper[T, R]) submit() bool {
	t := h.newTurn()
	if t != nil {
		h.turn.Store(t)
	}
	return t != nil
}

// handOver lets another job go on, which begins when those have that are queued. It
// reports whether there is one. The consumer must know of this one, and will come to know
// of the next: so the turns that it has not seen are not many.
func (t *turn[T, R]) handOver() bool {
	if t.turn.Load() != t {
		return false
	}
	t.stream.active.Add(-1)
	if next := t.newTurn(); next != nil {
		t.next.Store(next)
		t.stream.turns.Add(1)
		return true
	}
	t.stream.active.Add(1)
	return false
}

// follow has the consumer know of the last job. It reports whether it has not before.
func (h *helper[T, R]) follow() bool {
	t := h.turn.Load()
	if t == nil || t.next.Load() == nil {
		return false
	}
	h.turn.Store(t.next.Load())
	return true
}

// wait waits until the job, and those that it has handed over to, have ended. At the end
// of the stream one that has not begun is taken back. Otherwise there is none such.
func (h *helper[T, R]) wait(ending bool) {
	for again := true; again; again = h.follow() {
		switch t := h.turn.Load(); {
		case t == nil || ending && t.job.Cancel():
		case h.stream.worker != nil:
			t.job.Join(h.stream.worker)
		default:
			t.job.Wait(context.Background())
		}
	}
}

// shift is how long a job of a helper works before it lets those go first that are queued.
const shift = time.Millisecond

// run does elements until there are no more, or the consumer waits for the helper.
func (t *turn[T, R]) run(*pool.Worker) (none struct{}) {
	t.stream.active.Add(1)
	defer t.exit()
	begun := prim.Now()
	for {
		n := t.round()
		switch {
		case t.awaited.CompareAndSwap(true, false):
			t.leave()
			return
		case n == 0:
			t.judge()
			if t.leave(); !t.stay() {
				return
			}
		case prim.Now()-begun > shift:
			if t.handOver() {
				return
			}
			begun = prim.Now()
		}
	}
}

// leave ends the engagement.
func (h *helper[T, R]) leave() {
	h.stream.active.Add(-1)
	h.engaged.Store(false)
	h.stream.engaged.Add(-1)
}

// stay is called after leave, and takes it back if there is something to do after all,
// unless the consumer has engaged the helper again by then.
func (h *helper[T, R]) stay() bool {
	s := h.stream
	if !s.left() || !h.engaged.CompareAndSwap(false, true) {
		return false
	}
	s.engaged.Add(1)
	s.active.Add(1)
	return true
}

// left reports whether there is an element that nobody has begun.
func (s *stream[T, R]) left() bool {
	hi := s.taken.Load()
	ring := *s.cells.Load()
	for i := max(0, hi-int64(len(ring))); i < hi && i <= s.failed.Load(); i++ {
		if ring[i&int64(len(ring)-1)].state.Load() == cellReady {
			return true
		}
	}
	return false
}

// judge notes whether it was of use that the job came: not if it has done little, of short
// elements. If the clock stands still nobody knows.
func (t *turn[T, R]) judge() {
	switch s := t.stream; {
	case t.worked >= stretch:
		s.poor.Store(0)
	case time.Duration(s.cost.Load()) < spell && (t.worked > 0 || !t.any):
		s.poor.Add(1)
	}
}

// round does the elements of a range that nobody has begun, and returns how many there
// were. If they take much longer than was known, it leaves the rest to others.
func (t *turn[T, R]) round() (n int) {
	s := t.stream
	lo, hi, ring := s.claim()
	begun := prim.Now()
	for i := lo; i < hi && i <= s.failed.Load(); i++ {
		c := &ring[i&int64(len(ring)-1)]
		if c.state.Load() != cellReady || !c.state.CompareAndSwap(cellReady, t.owned) {
			continue
		}
		s.begun.Add(1)
		t.do(c)
		if n++; t.awaited.Load() || n&(n-1) == 0 && prim.Now()-begun > 2*spell {
			break
		}
	}
	if n > 0 {
		took := prim.Now() - begun
		t.worked, t.any = t.worked+took, true
		s.learn(took / time.Duration(n))
	}
	return n
}

// claim returns a range to look for elements in. They are not claimed by that: what one
// helper has no time for, another one may do, or the consumer. If all have been in a range
// once, it is the whole ring, for what was left.
func (s *stream[T, R]) claim() (lo, hi int64, ring []cell[T, R]) {
	for {
		next, taken := s.next.Load(), s.taken.Load()
		ring = *s.cells.Load()
		oldest := max(0, taken-int64(len(ring)))
		lo = max(next, oldest)
		if lo >= taken {
			return oldest, taken, ring
		}
		few := int64(spell / 2 / max(1, time.Duration(s.cost.Load())))
		hi = lo + min(max(1, few), max(1, (taken-lo)/2))
		if s.next.CompareAndSwap(next, hi) {
			return lo, hi, ring
		}
	}
}

// learn notes how long an element took on average.
func (s *stream[T, R]) learn(took time.Duration) {
	if took > 0 { // else the clock stands still
		old := s.cost.Load()
		s.cost.Store(old + (int64(took)-old)/4)
	}
}

// do does the element of a cell that the helper has begun.
func (t *turn[T, R]) do(c *cell[T, R]) {
	s, x := t.stream, c.x
	c.x = *new(T)
	if c.index > s.failed.Load() {
		return // nobody comes to it any more
	}
	if s.ctx.Err() != nil {
		c.err = endOf(s.ctx)
	} else {
		t.cell = c
		t.call(c, x)
		t.cell = nil
	}
	switch {
	case c.value != nil:
		s.lower(c.index)
		c.state.Store(cellPanicked)
		return
	case c.err != nil:
		s.lower(c.index)
	}
	c.state.Store(cellDone)
}

// call calls f, and keeps its panic for the consumer. A panic that left the job would be
// the pool's to report, if that closed before the consumer comes to it.
func (h *helper[T, R]) call(c *cell[T, R], x T) {
	returned := false
	defer func() {
		if !returned {
			c.value = pool.Caught(recover())
		}
	}()
	c.r, c.err = h.stream.f(h.stream.ctx, x)
	returned = true
}

// exit is called at the end of the job: in the midst of an element if f calls Goexit. The
// helper remains engaged then.
func (t *turn[T, R]) exit() {
	if c := t.cell; c != nil {
		t.stream.lower(c.index)
		t.stream.active.Add(-1)
		c.state.Store(cellExited)
	}
}

// lower notes that element i has failed.
func (s *stream[T, R]) lower(i int64) {
	for {
		at := s.failed.Load()
		if at <= i || s.failed.CompareAndSwap(at, i) {
			return
		}
	}
}

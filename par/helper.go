package par

import (
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

const (
	// mostHelpers is how many goroutines a stream has, whatever its limit: as many would take
	// gigabytes. So neither closed nor the length of a window can overflow.
	mostHelpers = 1 << 21
	// closed is more than there are helpers.
	closed = 1 << 30
)

// A crew are the helpers of a stream.
type crew[T, R any] struct {
	most int // how many there may be, or 0 if there is no limit
	// engaged counts the helpers that were asked for and have not left, active those that have
	// begun; closed is added to active when none may begin any more.
	//
	// Writers: one that asks for a helper; helpers; closed: the feeder, at the end. engaged grows
	// by CAS, so with a limit it is never more than that.
	// Readers: the feeder, and helpers.
	// Pairs:   active: see helper.leave. closed: a helper that begins is counted, and sees it;
	// or the feeder sees the helper, and waits. engaged: with a limit as active, see helper.leave
	// and wait. Else none: a reader of an old value asks for one helper too many, or waits for one
	// that is gone to say so.
	engaged, active prim.Int32
	// helpers are the goroutines of a stream with a limit.
	helpers prim.WaitGroup
	// asks is how often a helper was asked for, asked when that was last, in ns.
	//
	// Writers: one that asks.
	// Readers: the feeder. They are hints.
	// Wraps:   asks: only whether it has changed matters.
	asks  prim.Int32
	asked prim.Int64
	// poor is how many helpers in a row found too little to do.
	//
	// Writers: helpers; the feeder, before there are any.
	// Readers: the feeder. It is a hint.
	poor prim.Int32
	// refused says that the pool takes no jobs.
	//
	// Writers: one that asks for a helper; the feeder.
	// Readers: the feeder.
	refused prim.Bool

	mu prim.Mutex
	// coming are the helpers that were asked for and have not begun; guarded by mu.
	coming []*helper[T, R]
}

// helping returns how many helpers have begun and not left.
func (c *crew[T, R]) helping() int { return int(c.active.Load() &^ closed) }

// nobody reports whether no helper is at work. With a limit one that was asked for is sure to come.
func (c *crew[T, R]) nobody() bool {
	if c.most > 0 {
		return c.engaged.Load() == 0
	}
	return c.active.Load() == 0
}

// enlist counts one more helper that was asked for, if the limit allows it.
func (c *crew[T, R]) enlist() bool {
	for {
		n := c.engaged.Load()
		switch {
		case c.most > 0 && int(n) >= c.most:
			return false
		case c.engaged.CompareAndSwap(n, n+1):
			return true
		}
	}
}

// comes takes a helper off the list of helpers that are to come.
func (c *crew[T, R]) comes(h *helper[T, R]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.Index(c.coming, h); at >= 0 {
		c.coming = slices.Delete(c.coming, at, at+1)
	}
}

// recall takes back the jobs that have not begun, when the stream has been closed.
func (c *crew[T, R]) recall() {
	c.mu.Lock()
	all := c.coming
	c.coming = nil
	c.mu.Unlock()
	for _, h := range all {
		if job := h.job.Load(); job != nil {
			job.Cancel()
		}
	}
}

// A helper is a job of the pool that does elements of a stream, for as long as there are any. In a
// stream with a limit it is a goroutine.
type helper[T, R any] struct {
	stream *stream[T, R]
	// job is nil until the pool has taken it.
	//
	// Writers: a caller that asks for the helper; then it looks whether the stream has been closed.
	// Readers: the feeder, after it has closed the stream.
	// Pairs:   with each other: so one of the two takes the job back, if it has not begun.
	job prim.Pointer[pool.Handle[struct{}]]

	// What follows is the job's own.

	worked time.Duration // in all
	any    bool          // it has begun an element
}

// ask asks for at most two helpers. It does not go on until enough have come: one that has begun an
// element, and not counted it yet, may be held up for long, and others would find nothing.
func (s *stream[T, R]) ask(blocks bool) {
	for range 2 {
		if !s.lacks(blocks) || s.engage() == nil {
			break
		}
	}
}

// counts counts an element that the caller has begun, and returns how many there have been.
func (s *stream[T, R]) counts() int64 {
	n := s.begun.Add(1)
	if s.waiting() <= 0 {
		s.feeder.ringHungry()
	}
	return n
}

// lacks reports whether to ask for one helper more. The first one comes for any element,
// others if more elements wait than helpers that were asked for, and they take shareTime, or the
// feeder is about to block. At most two are asked for at a time: each that finds an element asks
// for two more.
func (s *stream[T, R]) lacks(blocks bool) bool {
	engaged, most := int(s.engaged.Load()), s.wanted()
	if blocks {
		most = s.atWork
	}
	if engaged >= most || s.failed.Load() != math.MaxInt64 {
		return false
	}
	waits, coming := s.waiting(), engaged-s.helping()
	return coming < 2 && waits > int64(coming) && (engaged == 0 || blocks || time.Duration(waits)*s.apiece() >= shareTime)
}

// engage returns a helper that comes, or nil if the limit allows no other one, or the pool takes
// no jobs.
func (s *stream[T, R]) engage() *helper[T, R] {
	if !s.enlist() {
		return nil
	}
	h := &helper[T, R]{stream: s}
	if s.limit > 0 {
		s.helpers.Go(func() { h.run(nil) })
		return h
	}
	s.mu.Lock()
	s.coming = append(s.coming, h)
	s.mu.Unlock()
	s.asks.Add(1)
	s.asked.Store(int64(prim.Now()))
	job, err := pool.Submit(s.pool, h.run)
	if err != nil {
		s.comes(h)
		s.engaged.Add(-1)
		s.refused.Store(true)
		return nil
	}
	h.job.Store(job)
	if s.active.Load()&closed != 0 {
		job.Cancel()
	}
	return h
}

// begin waits for the helper, which the caller has engaged, to begin the element of a cell. It
// takes the job back if no worker is free, or none comes for long; but not if the job is about to
// begin on one.
func (h *helper[T, R]) begin(c *cell[T, R]) bool {
	s := h.stream
	for asked := prim.Now(); c.state.Load() == cellReady; prim.Yield() {
		late := !loops.Idle(s.pool) || prim.Now()-asked > comeTime
		if late && h.job.Load().Cancel() {
			s.comes(h)
			s.engaged.Add(-1)
			return false
		}
	}
	return true
}

// run does elements until there are no more.
func (h *helper[T, R]) run(w *pool.Worker) (none struct{}) {
	s := h.stream
	if s.comes(h); !h.join() {
		return
	}
	returned := false
	defer func() {
		if !returned { // by Goexit: it has not looked for elements that are left
			h.leave()
			if s.limit > 0 && s.unbegun() {
				s.engage()
			}
			s.feeder.ring()
		}
	}()
	for {
		if h.round() > 0 {
			continue
		}
		h.judge()
		h.leave()
		if !s.unbegun() || !h.stay() {
			break
		}
	}
	returned = true
	return
}

// join counts the helper in, unless the stream has been closed.
func (h *helper[T, R]) join() bool {
	s := h.stream
	if s.active.Add(1)&closed == 0 {
		return true
	}
	h.leave()
	return false
}

// leave counts it out. The last one wakes the feeder that has closed the stream.
//
// Pairs: a helper is counted out, and then looks for elements that nobody has begun. The
// feeder makes an element ready, or finds it so, and then looks which helpers are counted. So the
// helper stays, or the feeder knows that it has left: then it asks for another one and does not wait.
func (h *helper[T, R]) leave() {
	s := h.stream
	s.engaged.Add(-1)
	if s.active.Add(-1) == closed {
		s.feeder.ring()
	}
}

// stay undoes leave, if the limit allows it. If not, others are counted, and they look before they
// leave.
func (h *helper[T, R]) stay() bool {
	return h.stream.enlist() && h.join()
}

// judge notes whether the job was of use: it was not if it has done few elements, and
// short ones. If the clock stands still nobody knows.
func (h *helper[T, R]) judge() {
	switch s := h.stream; {
	case h.worked >= stretch:
		s.poor.Store(0)
	case s.apiece() < shareTime && (h.worked > 0 || !h.any):
		s.poor.Add(1)
	}
}

// round does the elements of a range that nobody has begun, and returns how many there
// were. If they take much longer than was known, it leaves the rest to others.
func (h *helper[T, R]) round() (n int) {
	s := h.stream
	lo, hi, all := s.claim()
	begun := prim.Now()
	for i := lo; i < hi && i <= s.failed.Load(); i++ {
		c := all.at(i)
		if c.state.Load() != cellReady || !c.state.CompareAndSwap(cellReady, cellOwned) {
			continue
		}
		s.counts()
		h.recruit()
		s.do(s.contextOf(c), c)
		if n++; n&(n-1) == 0 && prim.Now()-begun > 2*shareTime {
			break
		}
	}
	if n > 0 {
		took := prim.Now() - begun
		h.worked += took
		s.learn(took, n)
	}
	return n
}

// recruit asks for two more helpers, when the first element has been begun: one that finds
// nothing asks for none.
func (h *helper[T, R]) recruit() {
	if !h.any {
		h.any = true
		h.stream.ask(false)
	}
}

package par

import (
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// mostHelpers is how many goroutines a stream has, whatever its limit: as many would take
// gigabytes. So the length of a window cannot overflow.
const mostHelpers = 1 << 21

// A crew are the helpers of a stream. They are counted under a lock: one that asks for help, one
// that begins, one that leaves and the end of the stream each take it once.
//
// An element in the ring has a helper, or the feeder knows that it has none. For the feeder makes the
// element ready and then takes the lock to ask for help; a helper takes the lock and then looks for
// elements that nobody has begun, before it leaves. If the helper comes second, it finds the element,
// and stays. If the feeder does, it finds that the helper is gone.
type crew[T, R any] struct {
	mu prim.Mutex
	// coming are the helpers that were asked for and have not begun, but with a limit. Guarded by mu.
	coming []*helper[T, R]
	closed bool // none begins any more; guarded by mu
	// engaged counts the helpers that were asked for and have not left, active those that have
	// begun.
	//
	// Writers: one that has mu.
	// Readers: the feeder, without mu.
	// Pairs:   a feeder that waits for a helper has taken mu since it put its last element: see above.
	// Otherwise they are hints.
	engaged, active prim.Int32
	running         prim.WaitGroup // the helpers that are active, and the goroutines of a limit
	// asked is when a helper was asked for last, in ns. It is a hint.
	asked prim.Int64
	// poor is how many helpers in a row found too little to do, or tooPoor if the pool takes no jobs.
	//
	// Writers: helpers; one that asks for a helper; the one at the head.
	// Readers: the feeder. It is a hint.
	poor prim.Int32
}

// tooPoor is how many are enough to do without helpers.
const tooPoor = 4

// dismiss lets no helper begin any more, when the stream has ended, and takes back the jobs that
// have not.
func (c *crew[T, R]) dismiss() {
	c.mu.Lock()
	all := c.coming
	c.coming, c.closed = nil, true
	c.mu.Unlock()
	for _, h := range all {
		h.job.Cancel()
	}
}

// ask asks for at most two helpers. Each that begins an element asks for two more.
func (s *stream[T, R]) ask(blocks bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lacks(blocks) && s.engage() && s.lacks(blocks) {
		s.engage()
	}
}

// lacks reports whether to ask for one helper more. The first one comes for any element,
// others if more elements wait than helpers that were asked for, and they take shareTime, or the
// feeder is about to block. No more are asked for until those have come: one that has begun an
// element, and not counted it yet, may be held up for long, and others would find nothing.
//
// Short elements leave the feeder little time to do anything else than them: it is a worker then, too.
func (s *stream[T, R]) lacks(blocks bool) bool {
	engaged, most := int(s.engaged.Load()), s.atWork
	if !blocks && s.limit == 0 && s.apiece() < shareTime {
		most--
	}
	if engaged >= most || s.failed.Load() != math.MaxInt64 {
		return false
	}
	waits, coming := s.waiting(), engaged-int(s.active.Load())
	return coming < 2 && waits > int64(coming) && (engaged == 0 || blocks || time.Duration(waits)*s.apiece() >= shareTime)
}

// engage has a helper come, and reports whether one does: the pool may take no jobs. The caller has mu.
func (s *stream[T, R]) engage() bool {
	h := &helper[T, R]{stream: s}
	if s.limit > 0 {
		s.engaged.Add(1)
		s.running.Go(func() { h.run(nil) })
		return true
	}
	var err error
	if h.job, err = pool.Submit(s.pool, h.run); err != nil {
		s.poor.Store(tooPoor)
		return false
	}
	s.engaged.Add(1)
	s.coming = append(s.coming, h)
	s.asked.Store(int64(prim.Now()))
	return true
}

// counts counts an element that the caller has begun.
func (s *stream[T, R]) counts() {
	if s.begun.Add(1); s.fewWait() {
		s.feeder.ringHungry()
	}
}

// A helper is a job of the pool that does elements of a stream, for as long as there are any. In a
// stream with a limit it is a goroutine.
type helper[T, R any] struct {
	stream *stream[T, R]
	job    *pool.Handle[struct{}] // guarded by mu of the stream; nil with a limit

	// What follows is the job's own.

	worked time.Duration // in all
	any    bool          // it has begun an element
}

// run does elements until there are no more.
func (h *helper[T, R]) run(*pool.Worker) (none struct{}) {
	s := h.stream
	if !h.joins() {
		return
	}
	defer s.running.Done()
	exits := true // by Goexit: then it looks at no other element
	defer func() {
		if exits {
			h.leaves(true)
			s.feeder.ring()
		}
	}()
	for h.round() > 0 || !h.leaves(false) {
		continue
	}
	exits = false
	return
}

// joins counts the helper in, unless the stream has ended.
func (h *helper[T, R]) joins() bool {
	s := h.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.Index(s.coming, h); at >= 0 {
		s.coming = slices.Delete(s.coming, at, at+1)
	}
	if s.closed {
		return false
	}
	s.active.Add(1)
	s.running.Add(1)
	return true
}

// leaves counts it out, unless there is an element left. If an element has ended it, the feeder does what
// is left below, or another goroutine if the feeder must not.
//
// It was of no use if it has done few elements, and short ones. If the clock stands still nobody knows.
func (h *helper[T, R]) leaves(exits bool) bool {
	s := h.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.unbegun()
	if left && !exits {
		return false
	}
	if h.worked >= stretch {
		s.poor.Store(0)
	} else if s.apiece() < shareTime && (h.worked > 0 || !h.any) {
		s.poor.Add(1)
	}
	s.engaged.Add(-1)
	s.active.Add(-1)
	if left && s.limit > 0 {
		s.engage()
	}
	return true
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
		if !h.any { // one that finds nothing asks for none
			h.any = true
			s.ask(false)
		}
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

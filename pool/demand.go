package pool

import "math/bits"

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

// cutSlots sends the forks the long way that reach the mark, if one is set, or rise so high that
// the worker must look at the queue.
func (s *stack) cutSlots() {
	n := len(s.frames)
	if s.demand.unmet > 0 {
		n = min(n, int(uint32(s.demand.mark))-1)
	}
	if s.high != 0 {
		n = min(n, int(uint32(s.high)))
	}
	s.slots = s.frames[:n]
}

// marked reports whether the stack has reached the mark.
func (s *stack) marked() bool { return s.demand.unmet > 0 && s.head >= s.demand.mark }

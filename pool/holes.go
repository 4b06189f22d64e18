package pool

// A join out of order leaves a hole in the stack: a slot below head whose frame has no
// number. Holes next to each other are a row. The slot below a row, if there is one, and
// the slot above it have forks. See "Holes" in INTERNALS.md.

// A gap is a number of holes that one job has left, and all that lie between them. Each
// hole is in one gap. Gaps lie above each other, in the order of their newest.
type gap struct {
	// from is the position of the lowest hole.
	from  uint64
	holes uint64
	// newest is the number of the newest fork when the last of the holes came.
	newest uint64
}

// skipHoles moves public up to the oldest private frame, or to head.
func (s *stack) skipHoles() {
	for s.public < s.head && s.frameAt(s.public).seq == 0 {
		s.public++
	}
}

// remove takes a fork off the stack. Below the top that leaves a hole; the
// frame above it is then guarded, so that its own removal, which comes through
// here, closes the hole.
//
// The forks above are moved down once half of the slots from the lowest hole of the gap
// up to head are holes. So each hole pays for two slots that are looked at, and all else
// takes a fixed number of steps.
func (s *stack) remove(f *fork) {
	number := f.seq &^ marks
	f.seq = 0
	switch above := s.head - 1 - f.position; {
	case above == 0:
		s.pop()
		return
	case above == 1 && !s.overHole(f.position): // one of two is joined first: it leaves no gap
		s.compact(f.position)
		return
	}
	s.frameAt(s.widen(f.position) + 1).seq |= guarded
	if g := s.gapOf(f.position, number); g.holes*2 >= s.head-g.from {
		s.compact(g.from)
		s.gaps = s.gaps[:len(s.gaps)-1]
	}
}

// overHole reports whether there is a hole right beneath a position.
func (s *stack) overHole(position uint64) bool {
	return position > s.bottom() && s.frameAt(position-1).seq == 0
}

// pop takes the topmost slot off the stack, and the row beneath it.
func (s *stack) pop() {
	s.head--
	if s.overHole(s.head) {
		first := s.other(s.frameAt(s.head - 1))
		top := &s.gaps[len(s.gaps)-1]
		top.holes -= s.head - first
		s.head = first
		if top.holes == 0 {
			s.gaps = s.gaps[:len(s.gaps)-1]
		}
	}
	s.public = min(s.public, s.head)
}

// widen makes one row of a new hole and those next to it. It returns the last of them.
func (s *stack) widen(hole uint64) uint64 {
	first, last := hole, hole
	if s.overHole(hole) {
		first = s.other(s.frameAt(hole - 1))
	}
	if f := s.frameAt(hole + 1); f.seq == 0 {
		last = s.other(f)
	}
	s.frameAt(first).row, s.frameAt(last).row = uint32(last), uint32(first)
	return last
}

// other returns the other end of a row, of whose frames at the ends f is one.
func (s *stack) other(f *fork) uint64 { return s.bottom() | uint64(f.row) }

// gapOf counts a hole, which a fork with the given number has left. It returns the gap that
// the hole is in, and puts into that all that was left since the fork was made: if by another
// job, that one has ended. So a row is in one gap, for as the fork above a hole was made,
// there was no hole. What was left before may be of a job that waits, and stays.
func (s *stack) gapOf(hole, number uint64) gap {
	g := gap{from: hole, holes: 1, newest: s.seq}
	n := len(s.gaps)
	for ; n > 0 && s.gaps[n-1].newest >= number; n-- {
		g.from = min(g.from, s.gaps[n-1].from)
		g.holes += s.gaps[n-1].holes
	}
	s.gaps = append(s.gaps[:n], g)
	return g
}

// compact moves the forks above from down into the holes there, of which from is the lowest.
// All of them belong to the job that runs now, or the limits of others, who wait
// beneath, would not be theirs any more. Thieves do not look at positions.
func (s *stack) compact(from uint64) {
	to, public := from, s.public
	for i := from; i < s.head; i++ {
		if i == s.public {
			public = to
		}
		f := s.frameAt(i)
		if f.seq == 0 {
			continue
		}
		if i >= s.public {
			f.seq &^= guarded
		}
		a, b := uint32(to), uint32(i)
		s.frames[a], s.frames[b] = s.frames[b], s.frames[a]
		f.position, s.frames[b].header().position = to, i
		to++
	}
	if s.public >= s.head {
		public = to
	}
	s.head, s.public = to, public
}

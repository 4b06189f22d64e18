package pool

import (
	"reflect"

	"github.com/rouse-go/rouse/latch"
)

// A stack holds the forks of one worker that are not joined yet. Only the
// worker touches it.
//
// A position is the number of a slot with the worker's id above it, so
// positions of different workers never compare equal. Slots below head are
// live, but for holes left by forks that were joined out of order. The live
// ones below public are in the deque or taken, those from public on are
// private. The slot below head is never a hole.
type stack struct {
	// slots are the frames that Fork may use without a look at the demand: all, or those below
	// the mark.
	slots        []frame
	head, public uint64
	// seq is the number of the last fork. They go up by seqStep.
	seq uint64
	// frames has one for each slot, which the next fork at the same depth reuses.
	frames []frame
	// rested is seq as the worker last rested.
	rested uint64
	demand demand
}

const (
	// guarded, in a fork's seq, sends its join the long way: the frame is public, or lies right
	// above a hole.
	guarded = 1
	seqStep = 2
)

func (s *stack) init(id uint32) {
	s.head = uint64(id) << 32
	s.public = s.head
}

// A fork is the part of a frame that does not depend on its types.
type fork struct {
	Job
	worker   *Worker
	position uint64
	// seq is the number of this use of the frame, 0 if it has none. A handle joins the fork with
	// its number.
	seq uint64
	// latch is set by the thief that has run the frame. It is in use while that is public.
	latch latch.Core
	// row is, in the first and the last frame of a row of holes, the slot of the other one.
	row uint32
	// in is the seat to whose deque the frame was pushed when it became public, or nil.
	in *seat
	// failed is how the function ended that did not return. The thief writes it before it sets
	// the latch.
	failed *failure
	// other links the frames of other types that this slot has had.
	other frame
}

// A frame is a fork with its function, argument and result.
type frame interface {
	task
	header() *fork
	// drop clears what the user handed over, and the result.
	drop()
	// join waits for the fork, or runs it, and ignores the result.
	join(w *Worker)
}

func (s *stack) frameAt(position uint64) *fork { return s.frames[s.slot(position)].header() }

// slot returns the slot of a position. If there is none, a worker is misused: it drops the stack,
// so that code that runs after the panic does not look for its frames again.
func (s *stack) slot(position uint64) uint32 {
	i := uint32(position)
	if uint(i) >= uint(len(s.frames)) {
		s.lose()
	}
	return i
}

//go:noinline
func (s *stack) lose() {
	s.head, s.public = s.bottom(), s.bottom()
	panic(astray)
}

// id tells the worker apart from all others.
func (s *stack) id() uint32 { return uint32(s.head >> 32) }

func (s *stack) bottom() uint64 { return s.head &^ (1<<32 - 1) }

// forks returns how often the worker has forked.
func (s *stack) forks() uint64 { return s.seq / seqStep }

// cutSlots sends forks the long way that reach the mark.
func (s *stack) cutSlots() {
	n := len(s.frames)
	if s.demand.unmet > 0 {
		n = min(n, int(uint32(s.demand.mark))-1)
	}
	s.slots = s.frames[:n]
}

// ask sets how many jobs are wanted beyond those that are public.
func (s *stack) ask(jobs int) {
	s.demand.unmet, s.demand.mark = jobs, s.head+1
	s.cutSlots()
}

// contain calls f. If that does not return, the forks that it has not joined have ended when
// contain ends, or will never start.
func (w *Worker) contain(f func()) {
	seq, returned := w.stack.seq, false
	defer func() {
		if !returned {
			w.discard(w.stack.since(seq))
		}
	}()
	f()
	returned = true
}

// since returns the position from which on all forks are newer than seq. A caller that lets the job
// go on remembers the number, not the position: the job may join older forks, and that moves these.
func (s *stack) since(seq uint64) uint64 {
	limit := s.head
	for limit > s.bottom() {
		switch f := s.frameAt(limit - 1); {
		case f.seq == 0:
			limit = s.otherEnd(f)
		case f.seq&^guarded <= seq:
			return limit
		default:
			limit--
		}
	}
	return limit
}

// settle runs or awaits the forks at and above the limit, newest first, which a function that has
// returned did not join. If one fails, the others stay, like those of a function that does not
// return. Inlined, it would be in the way of every join.
//
//go:noinline
func (w *Worker) settle(limit uint64) {
	for w.stack.head > limit {
		w.stack.frames[w.stack.slot(w.stack.head-1)].join(w)
	}
}

// discard drops the forks at and above the limit of a job that did not return: those that nobody
// has taken never start, the others are awaited. How they end does not matter.
func (w *Worker) discard(limit uint64) {
	defer func() {
		// A job that was run meanwhile has called Goexit: go on, then the goroutine ends.
		if w.stack.head > limit {
			w.discard(limit)
		}
	}()
	for w.stack.head > limit {
		frame := w.stack.frames[w.stack.slot(w.stack.head-1)]
		f := frame.header()
		if f.position < w.stack.public && !w.reclaim(f) {
			w.wait(&f.latch, cause{job: &f.Job})
		}
		frame.drop()
		w.stack.remove(f)
	}
}

// reclaim begins a public fork that nobody has begun, and reports whether it did.
func (w *Worker) reclaim(f *fork) bool {
	if !f.begin() {
		return false
	}
	w.stack.demand.takenBack++
	if f.in != nil && f.in == w.seat {
		f.in.tidy(&f.Job)
	}
	return true
}

// rest drops what the frames of joined forks still refer to, gives back those of a deep recursion, and
// hands over the counts, when the worker's time on its goroutine ends. A join would pay more to clear
// its frame than it pays for all else but the call.
func (w *Worker) rest() {
	if w.stack.seq != w.stack.rested {
		w.trim(int(uint32(w.stack.head)))
		w.stack.rested = w.stack.seq
	}
	w.reportCounts()
}

// trim clears the frames from one on, which have no forks, and keeps the first of them.
func (w *Worker) trim(from int) {
	s := &w.stack
	n, most := from, min(from+keepSlots, len(s.frames))
	if w.large {
		most = from
		if w.seat.deque.Len() == 0 {
			w.seat.deque.Pop() // it clears the job that was taken last
		}
	}
	for ; n < most; n++ {
		if seq := s.frames[n].header().seq; 0 < seq && seq <= s.rested { // so it is with those above
			n = most
			break
		}
		s.frames[n].drop()
	}
	if n == len(s.frames) {
		return
	}
	for _, f := range s.frames[n:] {
		f.header().seq = 0 // a handle may be left
	}
	s.frames = append([]frame(nil), s.frames[:n]...)
	w.large = w.large && n > 0
	s.cutSlots()
}

// keepSlots is how many frames a worker at rest keeps, and keepBytes how large the largest of its frames may
// be: else it keeps none.
const (
	keepSlots = 12
	keepBytes = 512
)

// isLarge reports whether a worker at rest does not keep a value of the type.
func isLarge[T any]() bool { return reflect.TypeFor[T]().Size() > keepBytes }

// A join out of order leaves a hole in the stack: a slot below head whose frame has no number.
// Holes next to each other are a row. The slots below and above a row have forks. See "Holes" in
// INTERNALS.md.

// remove takes a fork off the stack. Below the top that leaves a hole; the
// frame above it is then guarded, so that its own removal, which comes through
// here, closes the hole.
//
// The forks above a row are moved down into it once they have no more slots than the row. So each hole
// pays for two slots that are looked at, and all else takes a fixed number of steps.
func (s *stack) remove(f *fork) {
	f.seq = 0
	if f.position == s.head-1 {
		s.pop()
		return
	}
	first, last := s.widen(f.position)
	if 2*(last+1-first) >= s.head-first {
		s.compact(first)
	} else {
		s.frameAt(last + 1).seq |= guarded
	}
}

// pop takes the topmost slot off the stack, and the row beneath it.
func (s *stack) pop() {
	s.head--
	if s.overHole(s.head) {
		s.head = s.otherEnd(s.frameAt(s.head - 1))
	}
	s.public = min(s.public, s.head)
}

// overHole reports whether there is a hole right beneath a position.
func (s *stack) overHole(position uint64) bool {
	return position > s.bottom() && s.frameAt(position-1).seq == 0
}

// widen makes one row of a new hole and those next to it.
func (s *stack) widen(hole uint64) (first, last uint64) {
	first, last = hole, hole
	if s.overHole(hole) {
		first = s.otherEnd(s.frameAt(hole - 1))
	}
	if f := s.frameAt(hole + 1); f.seq == 0 {
		last = s.otherEnd(f)
	}
	s.frameAt(first).row, s.frameAt(last).row = uint32(last), uint32(first)
	return first, last
}

// otherEnd returns the other end of a row. f is the frame at one end.
func (s *stack) otherEnd(f *fork) uint64 { return s.bottom() | uint64(f.row) }

// compact moves the forks above from, the first hole of a row, down into that and the holes above. All
// of them belong to the job that runs now: the limits of jobs beneath must stay where they are. Thieves
// do not look at positions.
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

// skipHoles moves public up to the oldest private frame, or to head.
func (s *stack) skipHoles() {
	for s.public < s.head && s.frameAt(s.public).seq == 0 {
		s.public++
	}
}

// A demand has what a worker knows of how many jobs others would take, and of what became of the
// forks that it has published. See "How much is published" in INTERNALS.md.
type demand struct {
	// published counts the forks made public since the last request, takenBack those among
	// them that the worker ran itself.
	published, takenBack int
	// unmet is how many more jobs were wanted than there were forks. Later forks meet it, each that takes
	// the stack to the mark: in a loop all of them, in a tree the first ones of each depth, which have most
	// beneath them.
	unmet int
	// mark is a height that the stack has not had since the demand came.
	mark uint64
}

// stolenAsk is how many jobs a worker that has just stolen one expects to be wanted: its first
// forks become public although nobody is idle yet. Where all run equal jobs, all turn idle at once,
// and then it is too late to ask.
const stolenAsk = 4

// burst returns how many forks to publish at a request: one for each inactive worker, and at least
// one. If others took at least half of the forks published last, they come back soon: twice as many, or one
// for each worker of the pool. If not, half as many.
func (d *demand) burst(inactive, workers int) int {
	n := d.published / 2
	if d.published > 0 && 2*d.takenBack <= d.published {
		n = max(2*d.published, workers)
	}
	d.published, d.takenBack = 0, 0
	return max(n, inactive, 1)
}

// isMarked reports whether a stack has reached the mark.
func (d *demand) isMarked(head uint64) bool { return d.unmet > 0 && head >= d.mark }

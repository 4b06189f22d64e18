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
	// slots are the frames that Fork may use without a look at the demand: all,
	// or those below the mark.
	slots        []frame
	head, public uint64
	// seq numbers the forks, in steps of seqStep. Of the numbers below it skipped were
	// left out.
	seq, skipped uint64
	// large says that a frame was made which a worker at rest does not keep.
	large bool
	// frames has one for each slot, which owns it, so that the next fork at the
	// same depth reuses it.
	frames []frame
	// gaps are the holes below head.
	gaps   []gap
	demand demand
	// high and low are how far head may rise and fall before the worker looks at the queue
	// again, by itself; high is 0 if it need not. See lookAfter.
	high, low uint64
}

const (
	// guarded, in a fork's seq, sends its join the long way: the frame is
	// public, or lies right above a hole.
	guarded = 1
	// watched does the same, for the worker is to look at the queue there.
	watched = 2
	marks   = guarded | watched
	seqStep = 4
	// due is a bit of the numbers. Forks that have it are joined the long way, and the
	// worker looks at the queue there: see arm.
	due = 1 << 21
)

// keepSlots is how many frames a worker keeps when it goes to rest. It keeps none that is
// larger than keepBytes, because its argument or result is, and none above such a one.
const (
	keepSlots = 12
	keepBytes = 512
)

// isLarge reports whether a worker at rest does not keep a value of the type.
func isLarge[T any]() bool { return reflect.TypeFor[T]().Size() > keepBytes }

func (s *stack) init(id uint32) {
	s.head = uint64(id) << 32
	s.public = s.head
}

// A fork is the part of a frame that does not depend on its types.
type fork struct {
	Job
	worker   *Worker
	position uint64
	// seq tells this use of the frame from all others; 0 is none. A handle
	// joins the fork whose number it has.
	seq uint64
	// latch is set by the thief who has run the frame. It is in use from the
	// moment the frame is public.
	latch latch.Core
	// row is, in the first and the last frame of a row of holes, the slot of the other
	// one.
	row uint32
	// in is the seat in whose deque the pointer to the frame was put when that
	// became public; nil stands for those without a seat.
	in *seat
	// failed is how the frame's function ended, if not well. Written by the
	// thief before it sets the latch.
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
	// isLarge reports whether a worker at rest does not keep the frame: see keepBytes.
	isLarge() bool
}

func (s *stack) frameAt(position uint64) *fork { return s.frames[s.slot(position)].header() }

func (s *stack) bottom() uint64 { return s.head &^ (1<<32 - 1) }

// since returns the position from which on all forks are newer than seq. Who
// lets the job go on that may join older ones, and so move these, remembers the
// number and not the position.
func (s *stack) since(seq uint64) uint64 {
	limit := s.head
	for limit > s.bottom() {
		switch f := s.frameAt(limit - 1); {
		case f.seq == 0:
			limit = s.other(f)
		case f.seq&^marks <= seq:
			return limit
		default:
			limit--
		}
	}
	return limit
}

// contain calls f. If that does not return, what it has forked and not joined
// has ended when contain ends, or will never start.
func (w *Worker) contain(f func()) {
	seq, returned := w.seq, false
	defer func() {
		if !returned {
			w.discard(w.since(seq))
		}
	}()
	f()
	returned = true
}

// settle runs or awaits the forks at and above the limit, newest first: those
// that a function which has returned has not joined. If one fails, the others
// stay, like those of a function that does not return. Inlined, it would be in
// the way of every join.
//
//go:noinline
func (w *Worker) settle(limit uint64) {
	for w.head > limit {
		w.frames[w.slot(w.head-1)].join(w)
	}
}

// discard takes the forks at and above the limit away from a job that did not
// return: those that nobody has taken will never start, the others are
// awaited. How they end no longer matters.
func (w *Worker) discard(limit uint64) {
	defer func() {
		// A job that was run meanwhile has called Goexit. That takes the
		// goroutine, but not before this is done.
		if w.head > limit {
			w.discard(limit)
		}
	}()
	for w.head > limit {
		frame := w.frames[w.slot(w.head-1)]
		f := frame.header()
		if f.position < w.public && !w.reclaim(f) {
			w.wait(&f.latch, &f.Job, nil)
		}
		frame.drop()
		w.remove(f)
	}
	if w.hasFallen() {
		w.wanted.Or(wantLook) // a fork at whose join it was to look is gone
	}
}

// reclaim begins a public fork that nobody has begun, and reports whether it did.
func (w *Worker) reclaim(f *fork) bool {
	if !f.begin() {
		return false
	}
	w.demand.takenBack++
	if f.in != nil && f.in == w.seat {
		f.in.tidy(&f.Job)
	}
	return true
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

// rest gives back the frames of a deep recursion, and hands over the counts,
// before others use the worker, or nobody does.
func (w *Worker) rest() {
	n := int(uint32(w.head)) + keepSlots
	if w.large {
		w.large = false
		n = w.firstLarge(n)
		if w.seat != nil && w.seat.deque.Len() == 0 {
			w.seat.deque.Pop() // it lets go of what was taken last
		}
	}
	if len(w.frames) > n {
		for _, f := range w.frames[n:] {
			f.header().seq = 0 // a handle may be left
		}
		w.frames = append([]frame(nil), w.frames[:n]...)
		w.gaps = nil
		w.cutSlots()
	}
	w.tell()
}

// firstLarge returns the first slot above the live ones that has, or once had, a large
// frame, or most if none below that has.
func (s *stack) firstLarge(most int) int {
	for n := int(uint32(s.head)); n < min(most, len(s.frames)); n++ {
		for f := s.frames[n]; f != nil; f = f.header().other {
			if f.isLarge() {
				return n
			}
		}
	}
	return most
}

package pool

import "github.com/rouse-go/rouse/latch"

// A stack holds the forks of one worker that are not joined yet. Only the
// worker touches it.
//
// A position is the number of a slot with the worker's id above it, so
// positions of different workers never compare equal. Slots below head are
// live, but for holes left by forks that were joined out of order. The live
// ones below public are in the deque or taken, those from public on are
// private. The slot below head is never a hole.
type stack struct {
	// slots own their frames, which the next fork at the same depth reuses.
	slots        []frame
	head, public uint64
	// seq numbers the forks, in steps of seqStep.
	seq uint64
}

const (
	// guarded, in a fork's seq, sends its join the long way: the frame is
	// public, or lies right above a hole.
	guarded = 1
	seqStep = 2
)

// keepSlots is how many frames a worker keeps when it goes to rest.
const keepSlots = 32

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
}

func (s *stack) frameAt(position uint64) *fork { return s.slots[uint32(position)].header() }

// skipHoles moves public up to the oldest private frame, or to head.
func (s *stack) skipHoles() {
	for s.public < s.head && s.frameAt(s.public).seq == 0 {
		s.public++
	}
}

// remove takes a fork off the stack. Below the top that leaves a hole; the
// frame above it is then guarded, so that its own removal, which comes through
// here, closes the hole.
func (s *stack) remove(f *fork) {
	f.seq = 0
	if f.position != s.head-1 {
		above := f.position + 1
		for s.frameAt(above).seq == 0 {
			above++
		}
		s.frameAt(above).seq |= guarded
		return
	}
	bottom := s.head &^ (1<<32 - 1)
	s.head--
	for s.head > bottom && s.frameAt(s.head-1).seq == 0 {
		s.head--
	}
	s.public = min(s.public, s.head)
}

// settle runs or awaits the forks at and above the limit, newest first: those
// that the job which ends now has not joined. If one fails, the others are
// discarded.
func (w *Worker) settle(limit uint64) {
	returned := false
	defer func() {
		if !returned {
			w.discard(limit)
		}
	}()
	for w.head > limit {
		w.slots[uint32(w.head-1)].join(w)
	}
	returned = true
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
		frame := w.slots[uint32(w.head-1)]
		f := frame.header()
		if f.position < w.public && !w.unpublish(f) {
			w.wait(&f.latch)
		}
		frame.drop()
		w.remove(f)
	}
}

// unpublish takes a public fork back from the worker's own deque, and reports
// whether it was still there. Jobs that were pushed after it are run first.
func (w *Worker) unpublish(f *fork) bool {
	for !f.latch.Probe() {
		switch j := w.deque.Pop(); j {
		case &f.Job:
			return true
		case nil:
			return false
		default:
			w.execute(j)
		}
	}
	return false
}

// rest gives back the frames of a deep recursion, and hands over the counts,
// before the worker sleeps.
func (w *Worker) rest() {
	if n := int(uint32(w.head)) + keepSlots; len(w.slots) > n {
		for _, f := range w.slots[n:] {
			f.header().seq = 0 // a handle may be left
		}
		w.slots = append([]frame(nil), w.slots[:n]...)
	}
	w.stats.forks.Store(w.seq / seqStep)
}

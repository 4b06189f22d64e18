package api

// An Outcome says how an attempt to steal ended.
type Outcome uint8

const (
	// Empty: there was nothing to take at some moment during the attempt.
	Empty Outcome = iota
	// Lost: another caller took the item, or the structure was being
	// rearranged. There may be more; try again.
	Lost
	// Stolen: the item returned is the caller's.
	Stolen
)

// String returns the outcome's name in lower case.
func (o Outcome) String() string {
	switch o {
	case Empty:
		return "empty"
	case Lost:
		return "lost"
	case Stolen:
		return "stolen"
	}
	return "invalid outcome"
}

// A Deque is the double-ended queue of one worker: its owner pushes and pops
// at one end, others steal at the other.
//
// One goroutine at a time may be the owner; ownership passes from one to the
// next by any synchronization. Any goroutine may call Steal and Len, at any
// time. No item is nil. A method waits at most for another method's critical
// section.
//
// The rules:
//
//   - D1. Each item that was pushed comes out exactly once.
//   - D2. The owner pops the newest item, thieves steal the oldest.
//   - D3. The operations are linearizable. An attempt to steal that ends in
//     Lost has no effect; one that ends in Empty met an empty deque.
//   - D4. D1 holds for the last item, which owner and thieves compete for.
//   - D5. The deque grows as needed, also while it is stolen from.
//   - D6. It works for any number of operations: its indexes may wrap.
//   - D7. Len is never negative, and zero only if the deque was empty, or
//     about to be emptied by its owner, at some moment during the call.
//   - D8. Once taken, an item is not kept reachable past the owner's next
//     operation on the deque.
//   - D9. Two owners at once are a data race that the race detector sees.
type Deque[T any] interface {
	// Push adds an item at the owner's end. Owner only.
	Push(item *T)
	// Pop takes the newest item, or returns nil if there is none. Owner only.
	Pop() *T
	// Steal takes the oldest item. The item is nil unless the outcome is
	// Stolen.
	Steal() (item *T, outcome Outcome)
	// Len returns the number of items at some moment during the call.
	Len() int
}

// An Injector is the queue for jobs from outside. Any goroutine may call any
// method, at any time.
//
// The rules:
//
//   - I1. Each item that was pushed comes out exactly once.
//   - I2. Items come out first in, first out: of two pushes of which one
//     ended before the other began, the earlier is taken first.
//   - I3. The operations are linearizable: each takes effect at one moment. An
//     attempt that ends in Lost has no effect; one that ends in Empty met an empty
//     queue.
//   - I4. Empty never returns true while an item is inside for the whole
//     call.
//   - I5. A taken item is not kept reachable.
//   - I6. The same item may be pushed again after it was taken.
type Injector[T any] interface {
	// Push adds an item, which is not nil. It reports whether the queue was
	// empty a moment before, for [Sleep.Post].
	Push(item *T) (wasEmpty bool)
	// Steal takes the oldest item. The item is nil unless the outcome is
	// Stolen.
	Steal() (item *T, outcome Outcome)
	// Empty reports whether the queue holds nothing.
	Empty() bool
}

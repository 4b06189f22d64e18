package deque

import (
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// injectorBlock is the number of slots in a block: enough that a push rarely
// allocates, and little memory while nothing is queued.
const injectorBlock = 64

// Injector is a lock-free first-in first-out queue for any number of pushers and
// takers. Make it with [NewInjector], and do not copy it.
//
// Push costs two atomic writes, and two allocations every 64 pushes. Steal costs two
// atomic writes. If it finds nothing, it only loads, and so does Empty. No operation
// waits for another.
//
// It is a linked list of blocks, in each of which pushers and takers draw tickets
// for the slots: the FAAArrayQueue of Correia and Ramalhete (2016), but a taker
// draws no ticket in vain.
type Injector[T any] struct {
	// head is the block from which items are taken.
	//
	// Writers: a taker that finds it used up, by CAS, to the next block.
	// Readers: takers.
	head prim.Pointer[block[T]]
	// tail is the last block, or the last but one for a moment.
	//
	// Writers: a pusher that finds it full, by CAS, to the next block.
	// Readers: pushers.
	tail prim.Pointer[block[T]]
	// Takers leave gone in a slot. It is never read through, nor taken
	// for an item: a slot is taken from once.
	gone *T
}

var _ api.Injector[int] = (*Injector[int])(nil)

// A block is a run of slots, used from the first to the last and once only. A
// slot holds nil, then an item unless its taker comes first, then gone.
type block[T any] struct {
	// slots are written by the pusher that holds the ticket (nil to item, by
	// CAS) and the taker that holds it (to gone, by swap).
	slots []prim.Pointer[T]
	// next is set once, by the pusher that finds the block full.
	next prim.Pointer[block[T]]

	_ [cacheLine]byte

	// pushed counts the tickets that pushers drew. It may exceed the number
	// of slots: those went to the next block.
	//
	// Writers: pushers, by Add.
	// Readers: takers.
	pushed prim.Uint32

	_ [cacheLine]byte

	// taken counts the tickets that takers drew, at most min(pushed, slots).
	//
	// Writers: takers, by CAS.
	// Readers: takers; pushers, to tell whether the queue was empty.
	taken prim.Uint32

	_ [cacheLine]byte
}

func newBlock[T any](slots int) *block[T] {
	b := &block[T]{slots: make([]prim.Pointer[T], slots)}
	prim.Declare(b)
	prim.DeclareSlice(b.slots)
	return b
}

// len is the number of slots, of the type that tickets have.
func (b *block[T]) len() uint32 { return uint32(len(b.slots)) }

// drawn returns how many slots have a pusher.
func (b *block[T]) drawn() uint32 { return min(b.pushed.Load(), b.len()) }

// NewInjector returns an empty queue.
func NewInjector[T any]() *Injector[T] { return NewInjectorSized[T](injectorBlock) }

// NewInjectorSized returns an empty queue of blocks with the given number of
// slots. It is for tests: small blocks are used up all the time. It panics if the
// number is not 1 to 65536.
func NewInjectorSized[T any](slots int) *Injector[T] {
	if slots < 1 || slots > 1<<16 {
		panic(fmt.Sprintf("deque: blocks of %d slots, must be 1 to %d", slots, 1<<16))
	}
	q := &Injector[T]{gone: new(T)}
	prim.Declare(q)
	b := newBlock[T](slots)
	q.head.Store(b)
	q.tail.Store(b)
	return q
}

// Push implements [api.Injector]. It panics if the item is nil. It returns true
// only if the queue was empty when this item came in. False may also mean that
// another push was running: of several pushes that meet in an empty queue, at most
// one returns true.
func (q *Injector[T]) Push(item *T) (wasEmpty bool) {
	if item == nil {
		panic(errNil)
	}
	for {
		b := q.tail.Load()
		// Read before the ticket is drawn: if it turns out that takers had
		// drawn as many by then, there was no ticket between, so no item.
		taken := b.taken.Load()
		ticket := b.pushed.Add(1) - 1
		if ticket >= b.len() {
			if q.extend(b, item) {
				return taken == b.len()
			}
			continue
		}
		if b.slots[ticket].CompareAndSwap(nil, item) {
			return taken == ticket
		}
		// A taker gave up waiting for this slot. Draw another ticket.
	}
}

// extend appends a block that holds the item to the full block b. It returns
// false if b has a next block already; then the item goes there.
func (q *Injector[T]) extend(b *block[T], item *T) bool {
	next, mine := b.next.Load(), false
	if next == nil {
		// The block comes with an item: so takers, which can void the slots
		// of late pushers, cannot do so forever.
		next = newBlock[T](len(b.slots))
		next.slots[0].Store(item)
		next.pushed.Store(1)
		if mine = b.next.CompareAndSwap(nil, next); !mine {
			next = b.next.Load()
		}
	}
	// A pusher that meets a full tail moves it, so none waits for the appender.
	q.tail.CompareAndSwap(b, next)
	return mine
}

// Steal implements [api.Injector].
func (q *Injector[T]) Steal() (item *T, outcome api.Outcome) {
	b, ticket, found := q.front()
	switch {
	case !found:
		return nil, api.Empty
	case !b.taken.CompareAndSwap(ticket, ticket+1):
		return nil, api.Lost
	}
	// If there is no item, the pusher of this slot is late: the slot is void now, and its pusher
	// will draw another.
	if item = b.slots[ticket].Swap(q.gone); item == nil {
		return nil, api.Lost
	}
	return item, api.Stolen
}

// Empty implements [api.Injector]. It returns true only if the queue was empty at
// some moment during the call, and false only if it held an item at some moment.
func (q *Injector[T]) Empty() bool {
	_, _, found := q.front()
	return !found
}

// front returns the first block that is not used up, the next taker's ticket, and whether it met
// an item from there on. The item need not be in the first slot: the pusher of that may be late,
// and another one be done.
//
// If it met none, there was none when it read how many tickets were drawn, and that is proof
// enough. README "Injector: proof sketch" has both.
func (q *Injector[T]) front() (b *block[T], ticket uint32, found bool) {
	for {
		b = q.head.Load()
		ticket = b.taken.Load()
		if ticket < b.len() {
			return b, ticket, b.any(ticket, b.drawn())
		}
		next := b.next.Load()
		if next == nil {
			return nil, 0, false
		}
		q.head.CompareAndSwap(b, next)
	}
}

// any reports whether it met an item in the slots of tickets from up to to, or behind them at the
// start of the next block.
func (b *block[T]) any(from, to uint32) bool {
	for i := from; i < to; i++ {
		if b.slots[i].Load() != nil {
			return true
		}
	}
	// A next block is made with an item, which stays while this one is not used up.
	return to == b.len() && b.next.Load() != nil
}

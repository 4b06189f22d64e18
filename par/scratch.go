package par

import (
	"iter"

	"github.com/rouse-go/rouse/api/prim"
)

// A Scratch has values that bodies of loops use for a while: buffers, or parts of a sum.
// [Scratch.Do] checks one out. No two have the same one at the same time, also where loops
// nest, so a value needs no lock; a value for each worker would be shared by a loop and the
// ones inside it.
//
//	sums := par.Scratch[[256]int]{}
//	par.ForRange(len(data), func(lo, hi int) {
//		sums.Do(func(sum *[256]int) {
//			for _, b := range data[lo:hi] {
//				sum[b]++
//			}
//		})
//	})
//	for sum := range sums.All() { … }
//
// There are at most as many values as have been checked out at the same time. They stay
// for the next loop, until nothing refers to the Scratch any more: no garbage collection
// and no pool drops them, or keeps them.
//
// The zero Scratch is ready for use. All its methods but All may be called by any
// goroutine at any time. It must not be copied after first use.
type Scratch[T any] struct {
	// New makes a value. If it is nil, a value begins as the zero T.
	New func() T

	// free is the stack of the values that nobody has: the number of the top one, 0 if
	// there is none, and above it a count of all changes (Treiber, 1986).
	//
	// Writers: Do, by CAS.
	// Pairs:   the CAS that puts a value on the stack with the one that takes it off.
	// Wraps:   the count, mod 2^32. It is mistaken only if a taker is held up between its
	// load and its CAS for a multiple of 2^32 changes.
	free prim.Uint64
	mu   prim.Mutex // to make one
	// made is all there are. Their numbers begin at 1.
	//
	// Writers: Do, with mu: a new slice, since others read the old one.
	// Readers: everybody, after free.
	made prim.Pointer[[]*spare[T]]
}

// A spare is a value and its place on the stack.
type spare[T any] struct {
	number uint32
	// below is the number of the next one on the stack.
	//
	// Writers: a Do that puts the spare on the stack.
	// Readers: a Do that takes it off, or tries to and is too late.
	below prim.Uint32
	valid bool     // there is a value; the holder's, like that
	_     [48]byte // holders of two values write to different cache lines
	value T
	_     [64]byte
}

// Do calls f with a value that nobody else has meanwhile: one that was used before, as it
// was left, or a new one. f must not keep the pointer. If f panics or calls
// [runtime.Goexit], the value is dropped, since f may not be done with it. A nil f panics.
//
// Do costs some 20 ns, and allocates only when it makes a value.
func (s *Scratch[T]) Do(f func(*T)) {
	refuse("Scratch.Do", 0, f == nil)
	i := s.take()
	if i == nil {
		i = s.add()
	}
	ok := false
	defer func() {
		if !ok {
			i.value, i.valid = *new(T), false
		}
		s.put(i)
	}()
	if !i.valid {
		if s.New != nil {
			i.value = s.New()
		}
		i.valid = true
	}
	f(&i.value)
	ok = true
}

// All returns all values, in no particular order: your result should not depend on that
// order, nor on what part of the work each value has seen. No Do may run meanwhile. The
// loop may change the values.
func (s *Scratch[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		made := s.made.Load()
		if made == nil {
			return
		}
		for _, i := range *made {
			if i.valid && !yield(&i.value) {
				return
			}
		}
	}
}

// take takes a spare off the stack, or returns nil if there is none.
func (s *Scratch[T]) take() *spare[T] {
	for {
		top := s.free.Load()
		number := uint32(top)
		if number == 0 {
			return nil
		}
		i := (*s.made.Load())[number-1]
		if s.free.CompareAndSwap(top, changed(top, i.below.Load())) {
			return i
		}
	}
}

// put puts a spare onto the stack.
func (s *Scratch[T]) put(i *spare[T]) {
	for {
		top := s.free.Load()
		if number := uint32(top); i.below.Load() != number {
			i.below.Store(number)
		}
		if s.free.CompareAndSwap(top, changed(top, i.number)) {
			return
		}
	}
}

// changed returns free with another top.
func changed(free uint64, number uint32) uint64 {
	return (free>>32+1)<<32 | uint64(number)
}

// add makes a spare, which the caller has.
func (s *Scratch[T]) add() *spare[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	var made []*spare[T]
	if old := s.made.Load(); old != nil {
		made = *old
	}
	i := &spare[T]{number: uint32(len(made) + 1)}
	made = append(made[:len(made):len(made)], i)
	s.made.Store(&made)
	return i
}

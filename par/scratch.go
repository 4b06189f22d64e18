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

	mu prim.Mutex
	// made are all values there are, and free those that nobody has. Guarded by mu.
	made, free []*spare[T]
}

// A spare is a value, and belongs to the one that has it.
type spare[T any] struct {
	valid bool     // there is a value
	_     [56]byte // holders of two values write to different cache lines
	value T
	_     [64]byte
}

// Do calls f with a value that nobody else has meanwhile: one that was used before, as it
// was left, or a new one. f must not keep the pointer. If f panics or calls
// [runtime.Goexit], the value is dropped, since f may not be done with it. A nil f panics.
//
// Do costs some 40 ns, and allocates only when it makes a value.
func (s *Scratch[T]) Do(f func(*T)) {
	refuse("Scratch.Do", 0, f == nil)
	i := s.take()
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
		for _, i := range s.made {
			if i.valid && !yield(&i.value) {
				return
			}
		}
	}
}

// take returns a spare that nobody has.
func (s *Scratch[T]) take() *spare[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	if last < 0 {
		i := new(spare[T])
		s.made = append(s.made, i)
		return i
	}
	i := s.free[last]
	s.free = s.free[:last]
	return i
}

// put puts a spare back.
func (s *Scratch[T]) put(i *spare[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, i)
}

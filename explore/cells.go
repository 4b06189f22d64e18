//go:build explore

package explore

import (
	"math/bits"
	"unsafe"
)

// A cell has what the explorer knows of one primitive, by its address, in one
// execution. The table holds the address, so no other primitive can get it
// before the execution has ended.
type cell struct {
	address unsafe.Pointer
	epoch   uint32
	// number counts cells by first use.
	number int
	// steps are those that another step at it may depend on, and waited says
	// that they are not just reads and writes.
	steps  []onCell
	waited bool
	woken  int // the last step that has ended a wait here, from 1, or 0
	// released is the last step that has released something, from 1, or 0.
	released int

	// What follows depends on the primitive.
	holder  *thread   // of a mutex
	waiters []*thread // for a condition or a futex
	count   int       // of a wait group
	permit  bool      // of a parker
	name    string    // in the source code
	hb      []int32   // what a twin has released: empty if nothing
	plain   []access  // to the word at the address
	stopped bool      // an AfterFunc that will not run
	acts    int       // steps that did more than to read
}

// An onCell is a step and what it does there.
type onCell struct {
	number int
	does   effect
}

// cells is a hash table with open addressing. It is not a map because it is
// used by each thread in turn, unseen by the race detector, and a map shows
// itself to that.
type cells struct {
	slots []*cell // as many as a power of two
	shift uint    // 64 less that power
	used  int
	epoch uint32
}

const leastCells = 256

// home is the slot at which the search for an address begins. Each operation looks one up, so
// it is but a multiplication (Knuth's multiplicative hashing).
//
//go:norace
func (s *cells) home(p unsafe.Pointer) int {
	return int(uint64(uintptr(p)) * 0x9e3779b97f4a7c15 >> (s.shift & 63))
}

//go:norace
func (s *cells) reset() {
	s.epoch++
	s.used = 0
	if s.slots == nil {
		s.resize(leastCells)
	}
}

// at returns the cell of an address, which is new if its number is negative.
//
//go:norace
func (s *cells) at(p unsafe.Pointer) *cell {
	mask := len(s.slots) - 1
	for i := s.home(p); ; i = (i + 1) & mask {
		c := s.slots[i]
		switch {
		case c != nil && c.epoch == s.epoch && c.address == p:
			return c
		case c != nil && c.epoch == s.epoch:
			continue
		}
		if 2*s.used >= len(s.slots) {
			s.grow()
			return s.at(p)
		}
		s.used++
		if c == nil {
			c = new(cell)
			s.slots[i] = c
		}
		*c = cell{address: p, epoch: s.epoch, number: -1, steps: c.steps[:0], waiters: c.waiters[:0], hb: c.hb[:0], plain: c.plain[:0]}
		return c
	}
}

//go:norace
func (s *cells) grow() {
	old := s.slots
	s.resize(2 * len(old))
	mask := len(s.slots) - 1
	for _, c := range old {
		if c == nil || c.epoch != s.epoch {
			continue
		}
		i := s.home(c.address)
		for s.slots[i] != nil {
			i = (i + 1) & mask
		}
		s.slots[i] = c
	}
}

//go:norace
func (s *cells) resize(n int) {
	s.slots, s.shift = make([]*cell, n), uint(64-bits.TrailingZeros(uint(n)))
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
//
//go:norace
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

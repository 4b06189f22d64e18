//go:build explore

package explore

import "unsafe"

// A cell is what the explorer knows of one primitive, by its address, in one
// execution. The table holds the address, so no other primitive can get it
// before the execution has ended.
type cell struct {
	address unsafe.Pointer
	epoch   uint32
	// number counts cells by first use.
	number int

	// What follows depends on the primitive.
	holder  *thread   // of a mutex
	waiters []*thread // for a condition or a futex
	count   int       // of a wait group
	permit  bool      // of a parker
	stopped bool      // an AfterFunc that will not run
}

// cells is a hash table with open addressing. It is not a map because it is
// used by each thread in turn, unseen by the race detector, and a map shows
// itself to that.
type cells struct {
	slots []*cell
	used  int
	epoch uint32
}

//go:norace
func (s *cells) reset() {
	s.epoch++
	s.used = 0
	if s.slots == nil {
		s.slots = make([]*cell, 256)
	}
}

// at returns the cell of an address, which is new if its number is negative.
//
//go:norace
func (s *cells) at(p unsafe.Pointer) *cell {
	mask := uint64(len(s.slots) - 1)
	for i := mix(uint64(uintptr(p))) & mask; ; i = (i + 1) & mask {
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
		*c = cell{address: p, epoch: s.epoch, number: -1, waiters: c.waiters[:0]}
		return c
	}
}

//go:norace
func (s *cells) grow() {
	old := s.slots
	s.slots = make([]*cell, 2*len(old))
	mask := uint64(len(s.slots) - 1)
	for _, c := range old {
		if c == nil || c.epoch != s.epoch {
			continue
		}
		i := mix(uint64(uintptr(c.address))) & mask
		for s.slots[i] != nil {
			i = (i + 1) & mask
		}
		s.slots[i] = c
	}
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

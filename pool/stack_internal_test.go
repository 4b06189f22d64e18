package pool

import (
	"fmt"
	"reflect"
	"slices"
)

// CheckStack returns what is wrong with the stack. Who calls it is the worker, or
// comes after the pool was closed.
func (s *stack) CheckStack() error {
	bottom := s.bottom()
	if s.public < bottom || s.public > s.head || int(uint32(s.head)) > len(s.frames) {
		return fmt.Errorf("head %d and public %d with %d slots", s.head-bottom, s.public-bottom, len(s.frames))
	}
	newest, above := uint64(0), false
	for i, frame := range s.frames {
		f, position := frame.header(), bottom+uint64(i)
		live := position < s.head && f.seq != 0
		switch number := f.seq &^ marks; {
		case f.position != position:
			return fmt.Errorf("the frame in slot %d takes itself to be in %d", i, f.position-bottom)
		case live && (number <= newest || number > s.seq):
			return fmt.Errorf("fork %d lies above fork %d, and %d is the newest", number, newest, s.seq)
		case live && (f.seq&guarded != 0) != (above || position < s.public):
			return fmt.Errorf("the frame in slot %d is guarded: %t; above a hole %t, public %t", i, f.seq&guarded != 0, above, position < s.public)
		case live:
			newest = number
		case !allCleared(frame):
			return fmt.Errorf("slot %d has no fork, but keeps what the user handed over", i)
		}
		above = !live
		if position+1 == s.head && !live {
			return fmt.Errorf("the slot below head, %d, is a hole", i)
		}
	}
	return s.checkHoles()
}

// checkHoles returns what is wrong with the rows of holes and the gaps.
func (s *stack) checkHoles() error {
	gaps := slices.Clone(s.gaps)
	isHole := func(position uint64) bool { return position < s.head && s.frameAt(position).seq == 0 }
	for p := s.bottom(); p < s.head; p++ {
		if !isHole(p) {
			continue
		}
		first := p
		for isHole(p + 1) {
			p++
		}
		if f, l := s.other(s.frameAt(p)), s.other(s.frameAt(first)); f != first || l != p {
			return fmt.Errorf("the holes from %d to %d take themselves to go from %d to %d", uint32(first), uint32(p), uint32(f), uint32(l))
		}
		i := len(gaps) - 1
		for i >= 0 && gaps[i].from > first {
			i--
		}
		if i < 0 || gaps[i].holes < p+1-first {
			return fmt.Errorf("the holes from %d to %d are in none of the gaps %v", uint32(first), uint32(p), s.gaps)
		}
		gaps[i].holes -= p + 1 - first
	}
	for i, g := range s.gaps {
		switch {
		case gaps[i].holes != 0:
			return fmt.Errorf("gap %d of %v has %d holes less", i, s.gaps, gaps[i].holes)
		case !isHole(g.from):
			return fmt.Errorf("gap %d of %v does not begin with a hole", i, s.gaps)
		case i > 0 && (g.from <= s.gaps[i-1].from || g.newest <= s.gaps[i-1].newest):
			return fmt.Errorf("the gaps %v do not lie above each other", s.gaps)
		}
	}
	return nil
}

// cleared reports whether the frame refers to nothing of the user's.
func (f *typedFrame[A, R]) cleared() bool {
	return f.fn == nil && f.failed == nil && reflect.ValueOf(&f.arg).Elem().IsZero() && reflect.ValueOf(&f.result).Elem().IsZero()
}

// allCleared says the same of the frame and of those that its slot had before.
func allCleared(f frame) bool {
	for ; f != nil; f = f.header().other {
		if !f.(interface{ cleared() bool }).cleared() {
			return false
		}
	}
	return true
}

// CheckStacks returns what is wrong with the stacks of a closed pool, which are
// to be empty.
func (p *Pool) CheckStacks() error {
	for i, s := range p.seats {
		for _, w := range s.spares {
			if err := w.CheckStack(); err != nil {
				return fmt.Errorf("seat %d: %w", i, err)
			}
			if n := w.Depth(); n != 0 {
				return fmt.Errorf("seat %d: %d slots in use", i, n)
			}
		}
	}
	return nil
}

package pool

import (
	"fmt"
	"reflect"
)

// CheckStack returns what is wrong with the worker's stack. Who calls it is the
// worker, or comes after the pool was closed.
func (w *Worker) CheckStack() error {
	bottom, holes := w.bottom(), 0
	if w.public < bottom || w.public > w.head || int(uint32(w.head)) > len(w.frames) {
		return fmt.Errorf("head %d and public %d with %d slots", w.head-bottom, w.public-bottom, len(w.frames))
	}
	newest, above := uint64(0), false
	for i, frame := range w.frames {
		f, position := frame.header(), bottom+uint64(i)
		live := position < w.head && f.seq != 0
		switch number := f.seq &^ guarded; {
		case f.position != position:
			return fmt.Errorf("the frame in slot %d takes itself to be in %d", i, f.position-bottom)
		case live && (number <= newest || number > w.seq):
			return fmt.Errorf("fork %d lies above fork %d, and %d is the newest", number, newest, w.seq)
		case live && f.seq&guarded == 0 && (above || position < w.public):
			return fmt.Errorf("the frame in slot %d is not guarded: above a hole %t, public %t", i, above, position < w.public)
		case live:
			newest = number
		case !allCleared(frame):
			return fmt.Errorf("slot %d has no fork, but keeps what the user handed over", i)
		}
		if position < w.head && !live {
			holes++
		}
		above = !live
		if position+1 == w.head && !live {
			return fmt.Errorf("the slot below head, %d, is a hole", i)
		}
	}
	if holes != w.holes {
		return fmt.Errorf("there are %d holes, but %d were counted", holes, w.holes)
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

package mutants

import (
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
)

// A DequeFault is what is wrong with a [Deque].
type DequeFault int

const (
	DequeSound DequeFault = iota
	StealWithoutCAS
	ReadAfterCAS
	LastItemWithoutCAS
	StaleArray
	GrowthForgets
	ThiefClears
	NeverClears
	UnsignedUnderflow
	NewestStolen
	SpuriousEmpty
	NegativeLen
)

// A Deque is Chase and Lev's, in its simplest form.
type Deque struct {
	fault       DequeFault
	top, bottom atomic.Int64
	slots       atomic.Pointer[[]atomic.Pointer[int]]
	cleared     int64 // the owner's: slots of lower indexes hold nothing
}

// NewDeque returns a deque with the fault.
func NewDeque(fault DequeFault) *Deque {
	d := &Deque{fault: fault}
	s := make([]atomic.Pointer[int], 2)
	d.slots.Store(&s)
	return d
}

func slot(s []atomic.Pointer[int], i int64) *atomic.Pointer[int] { return &s[uint64(i)%uint64(len(s))] }

// Push implements [api.Deque].
func (d *Deque) Push(item *int) {
	b, t := d.bottom.Load(), d.top.Load()
	d.clear(t)
	s := *d.slots.Load()
	if int(b-t) == len(s) {
		s = d.grow(s, t, b)
	}
	slot(s, b).Store(item)
	d.bottom.Store(b + 1)
}

func (d *Deque) grow(s []atomic.Pointer[int], t, b int64) []atomic.Pointer[int] {
	bigger := make([]atomic.Pointer[int], 2*len(s))
	if d.fault == GrowthForgets {
		t++ // the oldest item is left behind
	}
	for i := t; i < b; i++ {
		slot(bigger, i).Store(slot(s, i).Load())
	}
	if d.fault == StaleArray && len(s) > 2 {
		// The old array is used for something else at once.
		for i := range s {
			s[i].Store(nil)
		}
	}
	d.slots.Store(&bigger)
	return bigger
}

// clear forgets what was stolen before the owner's operation that calls it.
func (d *Deque) clear(t int64) {
	for s := *d.slots.Load(); d.cleared < t; d.cleared++ {
		d.forget(slot(s, d.cleared))
	}
}

func (d *Deque) forget(p *atomic.Pointer[int]) {
	if d.fault != NeverClears {
		p.Store(nil)
	}
}

// Pop implements [api.Deque].
func (d *Deque) Pop() *int {
	d.clear(d.top.Load())
	b := d.bottom.Load() - 1
	s := *d.slots.Load()
	d.bottom.Store(b)
	t := d.top.Load()
	if b < t && !(d.fault == UnsignedUnderflow && uint64(b) >= uint64(t)) {
		d.bottom.Store(t)
		return nil
	}
	item := slot(s, b).Load()
	if b == t && d.fault != LastItemWithoutCAS {
		won := d.top.CompareAndSwap(t, t+1)
		d.bottom.Store(t + 1)
		if !won {
			return nil
		}
	}
	d.forget(slot(s, b))
	return item
}

// Steal implements [api.Deque].
func (d *Deque) Steal() (*int, api.Outcome) {
	t := d.top.Load()
	b := d.bottom.Load()
	if b <= t || d.fault == SpuriousEmpty && b-t == 2 {
		return nil, api.Empty
	}
	aim := t
	if d.fault == NewestStolen {
		aim = b - 1
	}
	s := *d.slots.Load()
	if d.fault == StaleArray || d.fault == LastItemWithoutCAS {
		runtime.Gosched() // as if preempted
	}
	item := slot(s, aim).Load()
	switch {
	case d.fault == StealWithoutCAS:
		runtime.Gosched() // as if preempted
		d.top.Store(t + 1)
	case !d.top.CompareAndSwap(t, t+1):
		return nil, api.Lost
	}
	if d.fault == ReadAfterCAS {
		runtime.Gosched() // as if preempted
		item = slot(s, t).Load()
	}
	if d.fault == ThiefClears {
		runtime.Gosched() // as if preempted
		slot(s, t).Store(nil)
	}
	if item == nil {
		return nil, api.Lost
	}
	return item, api.Stolen
}

// Len implements [api.Deque].
func (d *Deque) Len() int {
	b := d.bottom.Load()
	if d.fault == NegativeLen {
		runtime.Gosched() // as if preempted
		return int(b - d.top.Load())
	}
	return int(max(b-d.top.Load(), 0))
}

package sync

import (
	rs "sync"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Pool has the field and the methods of [sync.Pool]. In an execution it gives back what
// was put last, and has nothing that was put before the execution.
type Pool struct {
	_ noCopy
	_ [poolPadding]byte

	New func() any

	real rs.Pool
	in   inside[pool]
}

type pool struct{ items []any }

// poolPadding makes a word of 64 bits that follows a Pool in a struct as aligned as it is there by
// the real one: where words have 32, atomic operations panic on one that is not.
const poolPadding = (8 + unsafe.Sizeof(rs.Pool{})%8 - (unsafe.Sizeof((func())(nil))+unsafe.Sizeof(rs.Pool{})+unsafe.Sizeof(inside[pool]{}))%8) % 8

func (p *Pool) Get() any {
	var x any
	if !drive.Driven() {
		x = p.real.Get()
	} else {
		drive.Step(drive.OpPoolGet, unsafe.Pointer(p))
		s := at[pool](unsafe.Pointer(&p.in))
		if n := len(s.items); n > 0 {
			drive.Acquire(unsafe.Pointer(p))
			x = s.items[n-1]
			s.items = s.items[:n-1]
		}
	}
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}

func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	if !drive.Driven() {
		p.real.Put(x)
		return
	}
	drive.Step(drive.OpPoolPut, unsafe.Pointer(p))
	drive.Release(unsafe.Pointer(p))
	s := at[pool](unsafe.Pointer(&p.in))
	s.items = append(s.items, x)
}

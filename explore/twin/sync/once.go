package sync

import (
	rs "sync"
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Once has the method of [sync.Once]. One that is done in an execution is not done in
// the next: so each execution begins with the same.
type Once struct {
	done atomic.Bool // outside
	m    rs.Mutex
}

type once struct{ begun, done bool }

func (o *Once) in() *once { return within[once](&o.m) }

//go:norace
func (o *Once) passes() bool {
	s := see[once](unsafe.Pointer(&o.m))
	return !s.begun || s.done
}

func (o *Once) Do(f func()) {
	switch {
	case o.done.Load():
	case drive.Driven():
		o.driven(f)
	default:
		o.m.Lock()
		defer o.m.Unlock()
		if !o.done.Load() {
			defer o.done.Store(true)
			f()
		}
	}
}

func (o *Once) driven(f func()) {
	check[once](&o.m)
	p := unsafe.Pointer(o)
	drive.Await(drive.OpOnce, p, o.passes)
	if o.in().done {
		drive.Missed()
		drive.Acquire(p)
		return
	}
	o.in().begun = true
	defer func() {
		drive.Step(drive.OpOnceDone, p)
		drive.Release(p)
		o.in().done = true
	}()
	f()
}

// OnceFunc is that of package sync, like the functions that follow.
func OnceFunc(f func()) func() {
	g := OnceValue(func() struct{} { f(); return struct{}{} })
	return func() { g() }
}

func OnceValue[T any](f func() T) func() T {
	g := OnceValues(func() (T, struct{}) { return f(), struct{}{} })
	return func() T { v, _ := g(); return v }
}

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var once Once
	var v1 T1
	var v2 T2
	var valid bool
	var p any
	return func() (T1, T2) {
		once.Do(func() {
			valid = false // in the execution before, perhaps
			defer func() {
				if !valid {
					if p = recover(); p != nil { // or f has called runtime.Goexit
						panic(p) // with the stack of f
					}
				}
			}()
			v1, v2 = f()
			valid = true
		})
		if !valid {
			panic(p)
		}
		return v1, v2
	}
}

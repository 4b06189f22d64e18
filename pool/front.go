package pool

import (
	"errors"

	"github.com/rouse-go/rouse/api/prim"
)

// ErrDefault is what [Pool.Close] and [Pool.Shutdown] return for the pool that is the
// default, which code elsewhere may use at any time.
var ErrDefault = errors.New("pool: this is the default pool, which others use: call SetDefault(nil), then close the pool that you had set")

// front is the door to the default pool.
var front struct {
	// set is what SetDefault was given. It is nil for the built-in pool.
	set prim.Pointer[Pool]
	// builtIn is nil until it is used.
	//
	// Writers: beginBuiltIn, holding mu.
	builtIn prim.Pointer[Pool]
	mu      prim.Mutex
}

// Default returns the pool for code that has none of its own: the built-in one, or the
// one that main, or a test, has put in its place with [SetDefault]. Ask again for each
// use, and do not keep it.
//
// The built-in pool begins when Default first returns it, with as many workers as there
// are processors (GOMAXPROCS) then, and keeps that number: see [WithWorkers]. At rest it
// has no goroutine: the goroutine of a worker that finds nothing ends, and what wakes the
// worker starts another one. So a program that has used it passes a search for leaked
// goroutines, once its jobs have ended. It is never closed: Close and Shutdown return
// [ErrDefault].
//
// In a bubble of [testing/synctest] the built-in pool can be used if it is at rest as the
// bubble begins, and nobody outside uses it meanwhile. Where you cannot know that, make a
// pool in the bubble, and set it there:
//
//	synctest.Test(t, func(t *testing.T) {
//		p, err := pool.New()
//		if err != nil {
//			t.Fatal(err)
//		}
//		defer p.Close()
//		defer pool.SetDefault(pool.SetDefault(p))
//		…
//	})
//
// Default may be called by any goroutine at any time. It costs two atomic loads, and the
// first time as much as [New].
func Default() *Pool {
	if p := front.set.Load(); p != nil {
		return p
	}
	if p := front.builtIn.Load(); p != nil {
		return p
	}
	return beginBuiltIn()
}

func beginBuiltIn() *Pool {
	front.mu.Lock()
	defer front.mu.Unlock()
	p := front.builtIn.Load()
	if p == nil {
		var err error
		if p, err = New(WithWorkers(min(prim.Processors(), MaxWorkers)), WithSleep(builtInSleep)); err != nil {
			panic(err) // nothing in these options can be wrong
		}
		front.builtIn.Store(p)
	}
	return p
}

// SetDefault makes p what [Default] returns from now on, and returns what it has
// returned so far, or nil if that was the built-in pool and nobody has used it. Nil puts
// the built-in pool back. Calls of Default that have returned are not affected, nor are
// jobs of the pool that was the default.
//
// It is for the program's main function, which knows what the machine, or the container,
// gives the program; and for tests, which put back what was there:
//
//	defer pool.SetDefault(pool.SetDefault(p))
//
// A pool that you have made stays yours to close. But while it is the default, Close and
// Shutdown do nothing and return [ErrDefault], since whoever calls Default would be
// refused from then on: call SetDefault(nil) first.
//
// SetDefault may be called by any goroutine at any time, before Default and after it.
func SetDefault(p *Pool) (old *Pool) {
	if p == front.builtIn.Load() {
		p = nil
	}
	if old = front.set.Swap(p); old == nil {
		old = front.builtIn.Load()
	}
	return old
}

// mayEnd returns the error with which Close and Shutdown refuse to end the pool, or nil.
func (p *Pool) mayEnd() error {
	if p == front.builtIn.Load() || p == front.set.Load() {
		return ErrDefault
	}
	return nil
}

package jec

import "github.com/rouse-go/rouse/api/prim"

// A Blocker blocks the goroutine that sleeps as one worker. It is a semaphore of
// one: each Release lets one Block return true, the present one or the next. Block
// does not return true otherwise. Release is never called twice without a Block between.
//
// Block may also return false at once, without blocking. Then the goroutine leaves the
// worker to the next Release, which must continue it. See [api.Starter].
type Blocker interface {
	Block() (released bool)
	Release()
}

// WithBlocker sets the function that makes the Blocker of each worker. The default is a mutex with
// a condition variable: the Go runtime parks the sleeper, which holds no thread. [New] refuses
// a nil f, and an f that returns nil.
func WithBlocker(f func(worker int) Blocker) Option {
	return func(c *config) { c.blocker = f }
}

// A condition is a Blocker of a mutex and a condition variable.
type condition struct {
	mu       prim.Mutex
	cond     *prim.Cond
	released bool     // guarded by mu
	_        [64]byte // neighbours are woken by others
}

func newCondition(int) Blocker {
	c := new(condition)
	c.cond = prim.NewCond(&c.mu)
	prim.Declare(c)
	return c
}

func (c *condition) Block() (released bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.released {
		c.cond.Wait()
	}
	c.released = false
	return true
}

// Release signals without the lock: the sleeper need not wait for it then.
func (c *condition) Release() {
	c.mu.Lock()
	c.released = true
	c.mu.Unlock()
	c.cond.Signal()
	prim.Expose()
}

package conformance

import (
	"runtime"

	"github.com/rouse-go/rouse/pool"
)

// panicHandlers are what a handler of panics may do, besides to return.
var panicHandlers = []struct {
	name string
	call func(value any)
}{
	{"returns", func(any) {}},
	{"panics", func(value any) { panic(value) }},
	{"exits", func(any) { runtime.Goexit() }},
}

// handlerOfOuterPool has a Run panic of a pool without a handler, in a job of a pool
// that has one: on a worker that it has borrowed, and on one that it has waited for.
func (s poolSuite) handlerOfOuterPool(r *run) {
	value, called := &thrown{"of a pool without a handler"}, 0
	p := s.start(r, 1, pool.WithPanicHandler(func(e *pool.PanicError) {
		if called++; e.Value != any(value) {
			r.Report("P2", "the handler of panics got %v, want %v", e.Value, value)
		}
	}))
	q := s.start(r, 1)
	raise := func() {
		r.Together(func() {
			caught(func() {
				pool.Run(background, p, func(*pool.Worker, int) int {
					n, _ := pool.Run(background, q, func(*pool.Worker, int) int { return raiseIt(value) }, 0)
					return n
				}, 0)
			})
		})
	}
	for round := 1; round <= 3; round++ {
		r.During("P2", "Run ends in which a Run of another pool panics")
		raise()
		r.Check(called == 2*round-1, "P2", "a panic has left a Run of a pool without a handler, and that of a pool with one, whose handler was called %d times by then, want %d", called, 2*round-1)
		blockUntilQueued(r, q)
		r.During("P2", "Run ends in which a Run of another pool panics that has waited for the only worker")
		raise()
		r.Check(called == 2*round, "P2", "a panic has left a Run of a pool without a handler, which had waited for its worker, and that of a pool with one, whose handler was called %d times by then, want %d", called, 2*round)
	}
	s.close(r, p)
	s.close(r, q)
}

// afterPanicHandler has a Run panic, on a worker that it has borrowed and on one that
// it has waited for, in a pool with a handler of panics. When that is called the job
// has no worker any more.
func (s poolSuite) afterPanicHandler(r *run, call func(value any)) {
	first, second := &thrown{"of the job"}, &thrown{"of the handler"}
	var inHandler func()
	p := s.start(r, 1, pool.WithPanicHandler(func(e *pool.PanicError) {
		if e.Value != any(first) {
			r.Report("P2", "the handler of panics got %v, want %v", e.Value, first)
		}
		inHandler()
		call(second)
	}))
	raise := func() {
		r.Together(func() { // another goroutine, for the handler may end it
			defer func() { recover() }()
			pool.Run(background, p, func(*pool.Worker, int) int { return raiseIt(first) }, 0)
		})
	}
	for range 3 {
		called := 0
		inHandler = func() { called++ }
		r.During("P2", "Run ends whose function panics")
		raise()
		blockUntilQueued(r, p)
		r.During("P2", "Run ends whose function panics, when it has waited for the only worker")
		raise()
		r.Check(called == 2, "P2", "two calls of Run have panicked, and the handler of panics was called %d times", called)
		fullWidth(r, p)
	}
	// The one who recovers the panic may be beneath what closes the pool: it is no
	// job any more.
	inHandler = func() {}
	var closed error
	r.During("P6", "Close returns that is called while a panic passes which Run has raised")
	r.Together(func() {
		defer func() { recover() }()
		defer func() { closed = p.Close() }()
		pool.Run(background, p, func(*pool.Worker, int) int { return raiseIt(first) }, 0)
	})
	r.Check(closed == nil, "P6", "Close returned %v, called by one that is no job any more, while a panic passes which Run has raised", closed)
	r.UnwatchPool(p)
	p.Close()
}

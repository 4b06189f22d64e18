package par

import (
	"context"
	"fmt"
	"io"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// A Pipe has a function called for elements that are pushed into it, several at a time, and
// hands the results to a sink, in the order of the elements. It is made by [NewPipe].
type Pipe[T, R any] struct {
	s    stream[T, R]
	sink func(R) error
	// token is for the goroutine that hands results to the sink.
	//
	// Writers: a goroutine that finds that the element at the head has ended, by CAS; it lowers it.
	// Pairs:   the one that has ended an element looks at the token; the one that lowers it
	// looks at the head again. So one of the two hands the result on.
	token prim.Bool
	// calling says that one of the calls is under way.
	//
	// Writers: the calls, by CAS; each lowers it, then looks for a panic that nobody knows of.
	// Readers: the end of the context, after the panic was noted: of a call that has not
	// returned it leaves the panic to that.
	calling prim.Bool
	// broken is how the pipe has failed, or nil.
	//
	// Writers: the first one that fails, by CAS; then the feeder is woken.
	// Readers: all calls; the one that hands on, before each result.
	// Pairs:   with at of the feeder: see bell.
	broken prim.Pointer[breakage]
	// forget takes back what waits for the end of the context, unless it is nil.
	//
	// Writers: the first one that fails.
	// Readers: Close, when all that runs has ended.
	forget func() bool
	closed bool // belongs to the calls
}

// A breakage is how a pipe has failed: with an error, by a panic, or by Goexit if there is
// neither.
type breakage struct {
	err      error
	panicked *pool.PanicError
	// told says that somebody was told of the panic or Goexit.
	//
	// Writers: the one that tells, by CAS.
	told prim.Bool
}

// NewPipe returns a Pipe that calls f for each element that is pushed, and sink with each
// result. It is the form of [MapSeq] for code that is called, as writers and encoders are, in
// place of a loop.
//
// Several calls of f may run at the same time; they must not wait for each other. Sink gets the
// results one at a time, in the order of the elements, during [Pipe.Push], [Pipe.Flush] and
// [Pipe.Close], or on a worker that helps: while sink runs, elements are pushed and done. It
// must not call these three: a call of sink during which it would have to wait for itself
// panics, or never ends. If sink blocks, it keeps a worker or a caller, and Push blocks when
// the window is full.
//
// An element, and all that it refers to, must not change until sink has returned for it, or Close has,
// as in MapSeq. So a Write, which must not keep its argument, pushes [bytes.Clone] of it.
//
// At most a window of elements is in the pipe: so many have been pushed whose results sink is
// not done with. [WithWindow] sets that, and the default is that of MapSeq. With a window of 1
// all runs on the goroutine that pushes, unless there is a [WithLimit].
//
// All later calls return the first error in the order of the elements, of f or of sink, and
// nothing more begins. The context that f is handed ends with ctx, when an element below has
// failed, and when the pipe has failed or was closed: see [MapSeq]. If ctx ends, that is such an
// error, at the first element for which f has not begun: both ctx's error and its cause. A panic
// of f or of sink is raised by the call that is under way, or the next one, with its value, and so
// is [runtime.Goexit]; later calls return the panic as a [*pool.PanicError], or [pool.ErrGoexit].
// If ctx ends and no call has come, the panic goes to the pool's panic handler
// ([pool.WithPanicHandler]). So a Pipe may be left without a call of Close, once ctx has ended:
// nothing stays behind.
//
// Elements are done by workers that are free, and by Push where it would have to wait. So a call
// waits for no worker to become free, and a pipe can be used in a job, and when the pool is
// closed. As in MapSeq, Push itself does elements that tend to be cheap, and hands their results
// to sink at once. An element costs as much as there. With [WithLimit], n goroutines of the pipe
// do all elements. [WithProgress] counts the results that sink is done with.
//
// A nil ctx, f or sink panics.
func NewPipe[T, R any](ctx context.Context, f func(context.Context, T) (R, error), sink func(R) error, opts ...Option) *Pipe[T, R] {
	refuse("NewPipe", 0, f == nil || sink == nil)
	mustContext("NewPipe", ctx)
	p := &Pipe[T, R]{sink: sink}
	p.s = stream[T, R]{config: configured(codeOf(f), opts).uncounted(), f: f}
	p.s.ctx, p.s.yield, p.s.deliver = ctx, p.give, p.deliver
	p.s.hasEnded = func(int64) { p.deliver() } // the goroutine that has ended the element hands it on
	p.s.broke = func(e *pool.PanicError) { p.fails(&breakage{panicked: e}) }
	p.s.start()
	return p
}

// Push has f called for x, by a worker or by itself, and returns when the window has room for
// one element more. The error is the first one in the order of all elements, if one is known
// by then: x may or may not have been done. After Close it is [io.ErrClosedPipe].
//
// One goroutine at a time may call Push, Flush or Close: otherwise they panic.
func (p *Pipe[T, R]) Push(x T) error {
	return p.during("Push", func() {
		if p.s.take(x) && p.s.ctx.Err() != nil {
			p.s.settle(true) // what was not begun before has failed
		}
	})
}

// Flush returns when sink is done with the results of all that was pushed. The error is as in
// [Pipe.Push].
func (p *Pipe[T, R]) Flush() error {
	return p.during("Flush", func() { p.s.settle(true) })
}

// Close does what Flush does, and ends the pipe: when it returns, nothing of the pipe runs any more,
// also if it returns an error, panics or calls Goexit. A second call returns what the first did.
func (p *Pipe[T, R]) Close() error {
	return p.during("Close", func() {
		if p.closed {
			return
		}
		p.closed = true
		defer p.ends()
		if p.s.settle(true) {
			p.s.finish()
		}
	})
}

// ends waits for all that runs, and lets go of all that was handed over.
func (p *Pipe[T, R]) ends() {
	p.s.end()
	p.s.cells.Store(nil)
	if p.s.f, p.sink = nil, nil; p.forget != nil {
		p.forget() // or a context that goes on would keep the panic: Close tells of it
	}
}

// during does what a call does, unless the pipe has failed before, and returns its error, or
// ends as the pipe has failed.
func (p *Pipe[T, R]) during(call string, f func()) error {
	if !p.calling.CompareAndSwap(false, true) {
		panic("par: " + call + " of a Pipe during another call of it: one goroutine at a time may push, and sink must not")
	}
	exits := true
	defer func() { p.leave(exits) }()
	if call == "Close" || !p.closed && p.broken.Load() == nil {
		p.contain(f)
	}
	exits = false
	if p.closed && p.broken.Load() == nil && call != "Close" {
		return fmt.Errorf("par: %s of a Pipe after Close: %w", call, io.ErrClosedPipe)
	}
	return p.outcome()
}

// outcome is how a call ends. Only the first one that knows of a panic or a Goexit ends so.
func (p *Pipe[T, R]) outcome() error {
	b := p.broken.Load()
	switch {
	case b == nil:
		return nil
	case b.err != nil:
		return b.err
	case b.told.CompareAndSwap(false, true):
		endAs(b.panicked)
	case b.panicked != nil:
		return b.panicked
	}
	return pool.ErrGoexit
}

// leave ends a call, which f has ended by Goexit if exits is true. The context may have ended
// meanwhile, and left it to the call to tell of a panic.
func (p *Pipe[T, R]) leave(exits bool) {
	if exits {
		p.broken.Load().told.Store(true)
	}
	p.calling.Store(false)
	if b := p.broken.Load(); b != nil && p.s.ctx.Err() != nil {
		p.report(b)
	}
}

// contain runs f, and notes a panic or a Goexit of that.
func (p *Pipe[T, R]) contain(f func()) {
	returned := false
	defer func() {
		if !returned {
			p.fails(&breakage{panicked: loops.Caught(recover())})
		}
	}()
	f()
	returned = true
}

// fails notes how the pipe has failed. Nothing begins any more.
func (p *Pipe[T, R]) fails(b *breakage) {
	if !p.broken.CompareAndSwap(nil, b) {
		return
	}
	p.s.failed.Store(-1)
	p.s.endAbove(-1)
	p.s.feeder.ring()
	if b.panicked != nil && p.s.ctx.Done() != nil {
		p.forget = prim.AfterFunc(p.s.ctx, func() {
			if !p.calling.Load() {
				p.report(b)
			}
		})
	}
}

// report hands a panic that nobody was told of to the pool's panic handler.
func (p *Pipe[T, R]) report(b *breakage) {
	if b.panicked != nil && b.told.CompareAndSwap(false, true) {
		loops.Expose(p.s.pool, b.panicked)
	}
}

// give hands a result to sink, or notes the error that ends the pipe.
func (p *Pipe[T, R]) give(r R, err error) bool {
	if err == nil {
		err = p.sink(r)
	}
	if err != nil {
		p.fails(&breakage{err: err})
	}
	return err == nil
}

// deliver hands on the results that are ready at the head, unless somebody else does. It
// reports whether the pipe has not failed.
func (p *Pipe[T, R]) deliver() bool {
	for p.broken.Load() == nil {
		if _, state := p.s.first(p.s.head.Load()); state < cellDone || !p.token.CompareAndSwap(false, true) {
			return true
		}
		if p.broken.Load() == nil { // the one before may have come to a failure
			p.contain(func() { p.s.drain() })
		}
		p.token.Store(false)
	}
	return false
}

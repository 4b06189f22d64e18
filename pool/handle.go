package pool

import (
	"container/list"
	"context"
	"runtime/pprof"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A Handle gives access to the result of a submitted job: [Handle.Wait] outside the pool,
// [Handle.Join] in a job.
type Handle[R any] struct {
	job submission
	// fn belongs to the goroutine that has claimed the job.
	fn func(*Worker) R
	// result and failed are written before the completion.
	result R
	failed *failure
	completion
}

// Wait returns the result of the job as soon as there is one. If the job
// panicked, the error is a [*PanicError]; if it called [runtime.Goexit], it is
// [ErrGoexit]; if [Handle.Cancel] has taken it back, [ErrCanceled]. Of a job of
// [SubmitErr] it is what the function returned, or why it never began. If ctx ends
// first, Wait returns its error, and the job goes on; Wait may be called again, by any
// number of goroutines.
//
// Wait is for goroutines outside the pool. In a job it does what
// [Handle.Join] does, but must first find out where it is. If ctx has ended already, it
// begins nothing.
func (h *Handle[R]) Wait(ctx context.Context) (R, error) {
	if ctx == nil {
		panic("pool: Wait with a nil context: use context.Background")
	}
	if !h.isDone() && ctx.Err() == nil {
		// A short job that Submit has just started is done after this, and
		// the caller need not find out where it is.
		prim.Yield()
		if h.isDone() {
			return h.outcome()
		}
		if w := workerHere(); w != nil {
			h.joinUntil(ctx, w)
		} else {
			h.waitOutside(ctx)
		}
	}
	// The job may have ended just before ctx, and its waiters not all be released yet.
	if !h.isDone() {
		var none R
		return none, ctx.Err()
	}
	return h.outcome()
}

// Join is Wait for a job of the pool, or of another one. The job is set aside: its
// seat goes to the one that it waits for, if nobody has begun that, or to others.
//
// Forks cannot wait for each other in a circle, but handles can: two jobs that
// join each other never return. Join panics if it notices that
// the job of w has ended, or waits.
func (h *Handle[R]) Join(w *Worker) (R, error) {
	w.checkJob()
	h.join(w)
	return h.outcome()
}

// Done returns a channel that is closed when the job has ended, or was taken back: then
// Wait and Join return at once. It is meant for a select.
//
// The channel is made when Done is first called, and is the same for all calls before
// the end. A job that receives from it keeps its seat meanwhile, unless it does
// so in [Worker.Block]: it had better call Join. Any goroutine may call Done, any number
// of times.
func (h *Handle[R]) Done() <-chan struct{} { return h.channel() }

// Cancel takes the job back if it has not begun. It reports whether the job will never
// begin: true also if it was taken back before; false if it runs, has ended, or a worker
// has taken it to run it. A job that has begun is not interrupted.
//
// Wait and Join of a job that is taken back return [ErrCanceled]. Any goroutine may call
// Cancel, any number of times, in a job, too. It costs an atomic step, and in a pool with
// [WithQueueLimit] a lock that is never held for long. What the job refers to is let go at
// once, the pointer in the queue when a worker comes to it, and with a limit before more than
// twice as many lie there as have room.
func (h *Handle[R]) Cancel() bool {
	return h.withdraw(ErrCanceled) || h.job.claim.Load() == withdrawn
}

// outcome tells the user how the job has ended, which the caller knows that it has.
func (h *Handle[R]) outcome() (R, error) {
	f := h.failed
	if f == nil {
		return h.result, nil
	}
	if f.panicked != nil {
		h.pool().unseen.seen(f.panicked)
	}
	return h.result, f.err()
}

// waitOutside waits until ctx ends, as one that is no job, or has no seat.
func (h *Handle[R]) waitOutside(ctx context.Context) {
	if n := h.enterOutside(); n != nil && n.outside.Wait(ctx) != nil {
		n.present.Add(-1)
	}
}

// join waits as the worker w.
func (h *Handle[R]) join(w *Worker) {
	if w.state == blocked {
		h.joinInBlock(context.Background(), w)
	} else if n := h.enter(w); n != nil {
		h.joinAt(w, &n.latch)
	}
}

// joinUntil waits as the worker w, until ctx ends.
func (h *Handle[R]) joinUntil(ctx context.Context, w *Worker) {
	if w.state == blocked {
		h.joinInBlock(ctx, w)
		return
	}
	o := h.enterCrowd(w)
	if o == nil {
		return
	}
	if ctx.Done() != nil {
		defer prim.AfterFunc(ctx, func() { o.release(nil) })()
	}
	h.joinAt(w, &o.latch)
	o.leave()
}

func (h *Handle[R]) joinInBlock(ctx context.Context, w *Worker) {
	if h.begin(w) {
		h.pool().start(&h.job.Job, w.origin == fromQueue)
	}
	h.waitOutside(ctx)
}

// joinAt waits as the worker w at a latch, which is set when the job has ended, or the
// wait is given up.
//
// A job that has not begun begins now, on a goroutine of its own, with the seat of
// the one that waits. On top of that one, no deadline could end the wait before the
// job has ended.
func (h *Handle[R]) joinAt(w *Worker, l *latch.Core) {
	w.glance()
	if !h.begin(w) {
		w.wait(l, &h.job.Job, nil)
		return
	}
	w.publishAll()
	if w.seat != nil {
		w.rise().start(&h.job.Job)
	} else {
		h.pool().start(&h.job.Job, w.origin == fromQueue)
	}
	w.setAside(l, &h.job.Job, nil)
}

// begin claims the job for a goroutine that w is about to start. A job of another
// pool waits there until a seat takes it.
func (h *Handle[R]) begin(w *Worker) bool { return h.pool() == w.pool && h.job.begin() }

func newHandle[R any](p *Pool, fn func(*Worker) R) *Handle[R] {
	h := &Handle[R]{fn: fn}
	h.job.task, h.job.from = h, &p.direct
	return h
}

func (h *Handle[R]) pool() *Pool { return h.job.from.pool }

// under makes fn the function of the job, which is not called any more when ctx has ended:
// what is to happen then may not have happened yet. The goroutine has the profiler labels
// of ctx, until the job has ended.
func (h *Handle[R]) under(ctx context.Context, fn func(*Worker) R) {
	h.fn = func(w *Worker) (result R) {
		if err := ctx.Err(); err != nil {
			h.refuse(err)
			return
		}
		pprof.SetGoroutineLabels(ctx)
		// Before anybody is told that the job has ended, and may ask who refers to ctx.
		defer unlabel()
		return fn(w)
	}
}

func (h *Handle[R]) run(w *Worker) {
	fn := h.fn
	h.fn = nil
	if !h.job.starts(w) {
		h.refuse(ErrCanceled)
		return
	}
	h.result = fn(w)
}

func (h *Handle[R]) done(w *Worker, f *failure) {
	if f != nil {
		h.failed = f
	}
	w.submitted++
	if f == nil || f.panicked == nil {
		h.complete(w)
		return
	}
	keep(h, f.panicked)
	if h.complete(w) {
		h.pool().unseen.await(f.panicked)
	}
}

// keep is called when the job of a handle has panicked, before it is done. The handle
// is not reachable from what is kept, unless it is from the panic's own value: then
// only Close reports.
func keep[R any](h *Handle[R], e *PanicError) {
	p := h.pool()
	p.unseen.note(e)
	prim.AddCleanup(h, p.surface, e)
}

// refuse is called by the one that has begun the job, in place of its function.
func (h *Handle[R]) refuse(reason error) {
	h.job.claim.Store(withdrawn)
	h.failed = &failure{reason: reason}
}

// withdraw implements [withdrawer]. The job's place in the queue stays, and whoever
// comes to it finds nothing to do.
func (h *Handle[R]) withdraw(reason error) bool {
	if !h.job.withdraw() {
		return false
	}
	h.fn = nil
	h.job.isWithdrawn()
	h.failed = &failure{reason: reason}
	h.complete(nil)
	h.pool().leave(1)
	return true
}

// withdrawAfter implements [bounded].
func (h *Handle[R]) withdrawAfter(ctx context.Context) {
	h.attach(prim.AfterFunc(ctx, func() { h.withdraw(ctx.Err()) }))
}

// A completion tells any number of waiters, workers and others, that a job has
// ended. The zero completion has not.
type completion struct {
	// waiters is a Treiber stack, or completed.
	//
	// Writers: waiters, by CAS; the one who completes, by a swap.
	// Pairs:   the swap publishes how the job has ended.
	waiters prim.Pointer[waiter]
}

// A waiter waits as the worker that it names. If there is none, it is a latch for all
// that wait from outside, or a channel for all that asked for one, or what a context would
// start, or all workers that may give up.
type waiter struct {
	next *waiter
	// others is the first waiter beneath that is not a worker's: there may be any number of those.
	others  *waiter
	worker  *Worker
	outside latch.Outside
	closed  chan struct{}
	stop    func() bool
	crowd   *crowd
	latch   latch.Core
	// present counts the waits here that were not given up, a channel as one.
	//
	// Pairs: a wait that is given up is taken off, then asks whether all is done; complete
	// says that it is, then reads the count. So a wait that is not told is not counted.
	present prim.Int32
}

var completed waiter

// closed is the channel for all that ask for one when all is done.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (c *completion) isDone() bool { return c.waiters.Load() == &completed }

// complete releases all that wait, now or later, and reports whether any did just now. It
// may be called once, by the worker that has run the job, in the last step of that, or
// by none.
func (c *completion) complete(by *Worker) (awaited bool) {
	first := c.waiters.Swap(&completed)
	for n := first; n != nil; {
		next := n.next
		awaited = n.release(by) || awaited
		n = next
	}
	return awaited
}

// release releases whoever waits here, and reports whether anybody did.
func (n *waiter) release(by *Worker) (awaited bool) {
	awaited = n.present.Load() > 0
	switch {
	case n.crowd != nil:
		return n.crowd.release(by)
	case n.closed != nil:
		close(n.closed)
	case n.stop != nil:
		n.stop()
	case n.worker == nil:
		n.outside.Set()
	case n.latch.Set():
		n.worker.rouse(by)
	}
	return awaited
}

// enter makes w wait at the latch of the waiter returned, which is nil if all
// is done.
func (c *completion) enter(w *Worker) *waiter {
	n := &waiter{worker: w}
	n.present.Store(1)
	if !c.push(n) {
		return nil
	}
	return n
}

// attach keeps what a context would start, until all is done. It may then be done
// already, by just that.
func (c *completion) attach(stop func() bool) { c.push(&waiter{stop: stop}) }

// push adds a waiter, unless all is done.
func (c *completion) push(n *waiter) bool {
	for {
		n.next = c.waiters.Load()
		if n.next == &completed {
			return false
		}
		n.others = n.next.shared()
		if c.waiters.CompareAndSwap(n.next, n) {
			return true
		}
	}
}

// enterOutside is enter for a caller that is no worker. All of those share a latch,
// so that waits given up, however many, leave nothing behind.
func (c *completion) enterOutside() *waiter {
	n := c.share(
		func(n *waiter) bool {
			return n.worker == nil && n.closed == nil && n.stop == nil && n.crowd == nil
		},
		func() *waiter { return new(waiter) })
	if n != nil {
		n.present.Add(1)
	}
	return n
}

// channel returns the one that complete closes, or has closed.
func (c *completion) channel() <-chan struct{} {
	n := c.share(
		func(n *waiter) bool { return n.closed != nil },
		func() *waiter {
			n := &waiter{closed: make(chan struct{})}
			n.present.Store(1)
			return n
		})
	if n == nil {
		return closed
	}
	return n.closed
}

// share returns a waiter of a kind of which one will do, the one that is there or a new
// one, or nil if all is done.
func (c *completion) share(is func(*waiter) bool, made func() *waiter) *waiter {
	var own *waiter
	for {
		top := c.waiters.Load()
		for n := top.shared(); n != nil; n = n.next.shared() {
			if n == &completed {
				return nil
			}
			if is(n) {
				return n
			}
		}
		if own == nil {
			own = made()
		}
		own.next, own.others = top, top.shared()
		if c.waiters.CompareAndSwap(top, own) {
			return own
		}
	}
}

// shared returns the first waiter, from n on, that is not a worker's, or nil. So a wait from outside
// does not pass by all workers that wait.
func (n *waiter) shared() *waiter {
	if n == nil || n.worker == nil {
		return n
	}
	return n.others
}

// A crowd has the workers that wait for a completion and may give up, because a context
// ends. They are taken off then, so that waits given up, however many, leave nothing
// behind.
type crowd struct {
	mu      prim.Mutex
	over    bool      // guarded by mu; all are released
	waiting list.List // of *onlooker; guarded by mu, and does not change once it is over
}

// An onlooker is a worker that waits in a crowd.
type onlooker struct {
	worker *Worker
	latch  latch.Core
	crowd  *crowd
	place  *list.Element
}

// enterCrowd makes w wait at the latch of the onlooker returned, which is nil if all is
// done. The caller calls leave when it waits no more.
func (c *completion) enterCrowd(w *Worker) *onlooker {
	n := c.share(
		func(n *waiter) bool { return n.crowd != nil },
		func() *waiter { return &waiter{crowd: new(crowd)} })
	if n == nil {
		return nil
	}
	o := &onlooker{worker: w, crowd: n.crowd}
	n.crowd.mu.Lock()
	defer n.crowd.mu.Unlock()
	if n.crowd.over {
		return nil
	}
	o.place = n.crowd.waiting.PushBack(o)
	return o
}

// leave takes the onlooker off, if it is there. A caller that gives up asks then whether all
// is done.
//
// Pairs: complete says that all is done, then releases those that are here. So an onlooker
// that is not told is not counted.
func (o *onlooker) leave() {
	c := o.crowd
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.waiting.Remove(o.place)
	}
}

func (o *onlooker) release(by *Worker) {
	if o.latch.Set() {
		o.worker.rouse(by)
	}
}

// release releases all, for complete, and reports whether there were any.
func (c *crowd) release(by *Worker) (awaited bool) {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		e.Value.(*onlooker).release(by)
		awaited = true
	}
	return awaited
}

package pool

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/span"
	"github.com/rouse-go/rouse/pool/record"
)

// Forked is the handle of a fork: [Forked.Join] returns the result. It belongs to the
// worker that forked and is good for one join.
type Forked[A, R any] struct {
	frame *typedFrame[A, R]
	seq   uint64
}

// Fork makes fn(w, arg) a job that may run on another worker while the caller
// goes on, until it joins the fork. It costs about as much as a call and does
// not allocate, once the worker has been at this depth.
//
// A closure that captures variables, or a method value, is allocated by the
// caller each time it is made: hand fn what it needs in arg, or make the method
// value once. An arg of up to four words travels in registers.
//
// A fork that is never joined is run before the job that forked it returns. If
// that job panics the fork is dropped, or awaited if it has begun: see
// [Forked.Join] for when. A nil fn panics as a call of it does, where it would run: to look
// before would cost each fork.
func Fork[A, R any](w *Worker, fn func(w *Worker, arg A) R, arg A) Forked[A, R] {
	if f := ready[A, R](w); f != nil {
		return f.push(w, fn, arg)
	}
	return forkSlow(w, fn, arg)
}

// Join returns the result of the fork. If nobody has taken it, it runs here
// and now. Otherwise the job is set aside until the result is there: its seat
// is left to other jobs, or sleeps if there are none.
//
// If the fork panicked, so does Join, with the same value; if it called
// [runtime.Goexit], so does Join. A panic passes through a fork that runs here
// as through a call, so that Join costs no more than one: forks that it leaves
// behind have ended, or will never start, when it leaves [Both], a
// [Worker.Scope], [Run], or a job that another worker took. If the job
// recovers it sooner, they are run or awaited like its own, before it ends. All
// this holds for [Invoke], too.
//
// Forks are best joined in the reverse order of forking. In any other order a
// join costs a few times as much, on average, however many forks there are.
//
// Join panics if the fork was joined before, or if another worker forked it.
func (h Forked[A, R]) Join(w *Worker) R {
	f := h.frame
	position := f.position
	// One branch for all reasons to join the long way.
	if ((w.stack.head-1)^position)|(f.seq^h.seq)|uint64(w.wanted.Load()) != 0 {
		return h.joinSlow(w)
	}
	fn, arg := f.fn, f.arg // they stay: see Worker.rest
	prim.Touch(&f.fork, true)
	w.stack.head = position
	result := fn(w, arg)
	if w.stack.head > position {
		w.settle(position)
	}
	return result
}

// Invoke runs a(w, x) and b(w, y), possibly at the same time, and returns both
// results. a runs here; b is a fork. It is [Fork], a call and [Forked.Join] in
// one, and costs less than those.
//
// As with Fork, a closure b that captures variables is allocated each time it is
// made; a closure a is not. x and y travel in registers if they are up to five
// words together. A panic of a or b passes as through Forked.Join.
func Invoke[A, RA, B, RB any](w *Worker, a func(*Worker, A) RA, x A, b func(*Worker, B) RB, y B) (RA, RB) {
	f := ready[B, RB](w)
	if f == nil {
		return invokeSlow(w, a, x, b, y)
	}
	f.push(w, b, y)
	ra := a(w, x)
	position := f.position
	if ((w.stack.head-1)^position)|(f.seq&guarded)|uint64(w.wanted.Load()) != 0 {
		return ra, f.finishSlow(w)
	}
	fn, arg := f.fn, f.arg
	prim.Touch(&f.fork, true)
	w.stack.head = position
	rb := fn(w, arg)
	if w.stack.head > position {
		w.settle(position)
	}
	return ra, rb
}

// Both is [Invoke] for functions without an argument, and makes one more promise.
//
// If a or b panics, so does Both, with the same value; the panic of a comes
// before that of b. By then a, b and their forks have ended, or will never start. A
// closure that captures variables is allocated each time it is made: for small
// functions use Invoke. A nil a or b panics, before the other one is called.
func Both[RA, RB any](w *Worker, a func(*Worker) RA, b func(*Worker) RB) (ra RA, rb RB) {
	needFunction("Both", a == nil || b == nil)
	w.contain(func() { ra, rb = Invoke(w, call[RA], a, call[RB], b) })
	return ra, rb
}

func call[R any](w *Worker, fn func(*Worker) R) R { return fn(w) }

// typedFrame is the frame of a fork, with room for its argument and its result.
type typedFrame[A, R any] struct {
	fork
	fn     func(*Worker, A) R
	arg    A
	result R
}

// ready returns the frame in the slot at head, if it is there and of the right
// type, and nobody wants work.
func ready[A, R any](w *Worker) (f *typedFrame[A, R]) {
	if w.wanted.Load() == 0 {
		if i := uint(uint32(w.stack.head)); i < uint(len(w.stack.slots)) {
			f, _ = w.stack.slots[i].(*typedFrame[A, R])
		}
	}
	return f
}

//go:noinline
func forkSlow[A, R any](w *Worker, fn func(*Worker, A) R, arg A) Forked[A, R] {
	w.checkJob()
	q := w.probe
	if q != nil {
		fn = measuredFork(w, fn)
	}
	f := nextFrame[A, R](w).push(w, fn, arg)
	w.answer()
	switch {
	case q != nil:
		q.Start()
	case w.stack.demand.isMarked(w.stack.head):
		w.publishMarked()
	}
	return f
}

// push puts the frame, which is in the slot at head, onto the stack.
func (f *typedFrame[A, R]) push(w *Worker, fn func(*Worker, A) R, arg A) Forked[A, R] {
	f.fn, f.arg = fn, arg
	seq := w.stack.seq + seqStep
	w.stack.seq, f.seq = seq, seq
	w.stack.head++
	prim.Touch(&w.stack.head, true)
	return Forked[A, R]{f, seq}
}

// nextFrame returns the frame in the slot at head, after it has put one of the
// right type there.
func nextFrame[A, R any](w *Worker) *typedFrame[A, R] {
	i := uint32(w.stack.head)
	if int(i) == len(w.stack.frames) {
		f := newFrame[A, R](w)
		w.stack.frames = append(w.stack.frames, f)
		w.stack.cutSlots()
		return f
	}
	if f, ok := w.stack.frames[w.stack.slot(w.stack.head)].(*typedFrame[A, R]); ok {
		return f
	}
	// The slot had a fork of another type last. Look for a frame of this type
	// among those that it had before.
	last := w.stack.frames[i]
	last.header().seq = 0
	last.drop()
	var f *typedFrame[A, R]
	for link := &last.header().other; ; link = &(*link).header().other {
		if *link == nil {
			f = newFrame[A, R](w)
			break
		}
		if found, ok := (*link).(*typedFrame[A, R]); ok {
			f = found
			*link = f.other
			break
		}
	}
	f.other = last
	f.position = w.stack.head
	w.stack.frames[i] = f
	return f
}

func newFrame[A, R any](w *Worker) *typedFrame[A, R] {
	f := new(typedFrame[A, R])
	prim.Declare(f)
	f.task = f
	f.worker = w
	f.position = w.stack.head
	w.large = w.large || isLarge[typedFrame[A, R]]()
	return f
}

//go:noinline
func (h Forked[A, R]) joinSlow(w *Worker) R {
	h.frame.check(w, h.seq)
	return h.frame.finish(w)
}

// finish runs the fork here, or waits for it, and takes it off the stack.
func (f *typedFrame[A, R]) finish(w *Worker) R {
	q := w.probe
	var b *span.Probe
	if q != nil {
		b = q.Joins(f.seq &^ guarded)
	}
	if f.position >= w.stack.public || w.reclaim(&f.fork) {
		fn, arg := f.moveOut()
		w.stack.remove(&f.fork)
		w.answer() // not by this one, which runs here now
		if fn == nil {
			panic(noFunction)
		}
		limit := w.stack.head
		result := fn(w, arg)
		w.settle(limit)
		return result
	}
	w.wait(&f.latch, cause{job: &f.Job})
	result, failed := f.result, f.failed
	prim.Touch(&f.fork, false)
	f.drop()
	w.stack.remove(&f.fork)
	if b != nil {
		q.Join(b)
		q.Start()
	}
	if failed != nil {
		w.endAs(failed)
	}
	return result
}

// moveOut moves the function and the argument out of the frame.
func (f *typedFrame[A, R]) moveOut() (fn func(*Worker, A) R, arg A) {
	fn, arg = f.fn, f.arg
	var none A
	f.fn, f.arg = nil, none
	prim.Touch(&f.fork, true)
	return fn, arg
}

// check panics unless w may join the fork with the given number now.
func (f *fork) check(w *Worker, seq uint64) {
	if w.state == blocked {
		panic(inBlock)
	}
	if w.state == aside {
		panic(astray)
	}
	if f.worker != w {
		panic("pool: a fork is joined by another worker: join it in the job that forked it, with the worker that job was given")
	}
	if f.seq&^guarded != seq || f.position >= w.stack.head {
		panic("pool: a fork is joined twice, or after the job that forked it has ended: join each fork once, and keep the result")
	}
}

//go:noinline
func invokeSlow[A, RA, B, RB any](w *Worker, a func(*Worker, A) RA, x A, b func(*Worker, B) RB, y B) (RA, RB) {
	f := forkSlow(w, b, y).frame
	if q := w.probe; q != nil {
		defer q.Leave(q.Enter(f.seq &^ guarded))
	}
	ra := a(w, x)
	return ra, f.finishSlow(w)
}

// finishSlow is the long way from the end of a to the result of b.
//
//go:noinline
func (f *typedFrame[A, R]) finishSlow(w *Worker) R {
	w.settle(f.position + 1)
	return f.finish(w)
}

// typedFrame implements frame.

func (f *typedFrame[A, R]) run(w *Worker) {
	fn, arg := f.moveOut()
	f.result = fn(w, arg)
	prim.Touch(&f.fork, true)
}

func (f *typedFrame[A, R]) done(w *Worker, failed *failure) {
	f.failed = failed
	owner := f.worker
	if f.latch.Set() {
		owner.rouse(w)
	}
}

func (f *typedFrame[A, R]) about() (record.JobKind, uintptr, *seat) {
	return record.JobForked, codeOf(f.fn), f.in
}

func (f *typedFrame[A, R]) header() *fork { return &f.fork }

func (f *typedFrame[A, R]) drop() {
	f.moveOut()
	var none R
	f.result, f.failed = none, nil
}

func (f *typedFrame[A, R]) join(w *Worker) { f.finish(w) }

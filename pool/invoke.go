package pool

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
	// One branch for all that sends a join the long way.
	if (w.head-1)^position|f.seq&(marks|due)|uint64(w.wanted.Load()) != 0 {
		return ra, f.finishSlow(w)
	}
	fn, arg := f.take()
	w.head = position
	rb := fn(w, arg)
	if w.head > position {
		w.settle(position)
	}
	return ra, rb
}

//go:noinline
func invokeSlow[A, RA, B, RB any](w *Worker, a func(*Worker, A) RA, x A, b func(*Worker, B) RB, y B) (RA, RB) {
	f := forkSlow(w, b, y).frame
	ra := a(w, x)
	return ra, f.finishSlow(w)
}

// finishSlow is the long way from the end of a to the result of b.
//
//go:noinline
func (f *typedFrame[A, R]) finishSlow(w *Worker) R {
	if limit := f.position + 1; w.head > limit {
		w.settle(limit)
	}
	return f.finish(w)
}

// Both is [Invoke] for functions without an argument, and makes one more promise.
//
// If a or b panics, so does Both, with the same value; the panic of a comes
// before that of b. By then a, b and what they forked have ended, or will never
// start. A closure that captures variables is allocated each time it is made: for small
// functions use Invoke.
func Both[RA, RB any](w *Worker, a func(*Worker) RA, b func(*Worker) RB) (ra RA, rb RB) {
	w.contain(func() { ra, rb = Invoke(w, call[RA], a, call[RB], b) })
	return ra, rb
}

func call[R any](w *Worker, fn func(*Worker) R) R { return fn(w) }

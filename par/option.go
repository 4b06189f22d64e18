package par

import (
	"context"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// An Option changes how one call runs. It costs no allocation.
type Option func(config) config

type config struct {
	pool   *pool.Pool
	worker *pool.Worker
	report func(done, total int)
	// ctx ends the call, if it is not nil.
	ctx context.Context
	// loop is where the call keeps the loop that it uses for all its passes, one after the
	// other, or nil: then each makes its own.
	loop   **loop
	window int // 0 if none is set
	// limit is how many elements may be under way at once, 0 if none is set.
	limit int
	// code is where the user's function begins, or 0.
	code uintptr
	// whole says that the user sees the ranges of the loop.
	whole bool
}

// by says whose elements the call does, for the notes of which calls were short.
func (c config) by(code uintptr) config {
	c.code = code
	return c
}

// On runs the call on a pool other than [pool.Default]. A nil p panics.
func On(p *pool.Pool) Option {
	if p == nil {
		panic("par: On with a nil pool: use pool.Default() or pool.New")
	}
	return func(c config) config {
		c.pool, c.worker = p, nil
		return c
	}
}

// In runs the call as a part of the job that has the worker w, on the pool of w. It spares
// the call the search for that worker, which takes some microseconds; a call that the caller
// does alone does not search. Only the job that w was handed to may use it, and not in
// [pool.Worker.Block]: so do not use it in the functions of another call of this package,
// which run on other workers. A nil w panics.
func In(w *pool.Worker) Option {
	if w == nil {
		panic("par: In with a nil worker: pass the one that the job was handed, or leave the option out")
	}
	return func(c config) config {
		c.pool, c.worker = w.Pool(), w
		return c
	}
}

// WithProgress has report called from time to time with how many elements are done, at
// most every 50 ms, and when all are. It is called by whoever does the work, by one at a
// time, and what it does takes time from the call. If it panics, the call does. A call that
// ends sooner, by an error or a panic, does not report a last time. Operations that go over
// their elements more than once report one of the times; sorts report how far they are with
// all of them. [MapSeq], whose source does not say how many there are, reports a total of -1
// until it is at the end. A nil report panics.
func WithProgress(report func(done, total int)) Option {
	if report == nil {
		panic("par: WithProgress with a nil function: leave the option out")
	}
	return func(c config) config {
		c.report = report
		return c
	}
}

// WithWindow has [MapSeq] take at most n elements from its source that it has not yielded
// the result of. With 1 it asks for an element when the consumer is done with the one
// before, and everything runs on the consumer's goroutine. It panics if n is below 1.
func WithWindow(n int) Option {
	atLeastOne("WithWindow", n, "a window has room for 1 element or more")
	return func(c config) config {
		c.window = n
		return c
	}
}

// WithLimit has at most n elements of the call under way at the same time, also more than
// there are workers: use it for elements that wait, for a disk, a network or a process. If n
// is above the number of workers of the pool, each that is under way has a goroutine of its
// own, and the caller gives up its worker for as long as the call takes, as in
// [pool.Worker.Block]. Elements that compute would then share the processors with each other
// and with all else. Otherwise the caller and workers of the pool do them, at most n at a time.
// A call with a limit is shared, however short those before were.
//
// It is for the functions that call for each element by itself: [For], [Each], [Do], [Map],
// [MapInto], [Tabulate], [FlatMap], [Filter], [FilterMap], [Partition], [IndexFunc],
// [ContainsFunc], [AllFunc], and their forms with Err. For [ForRange] and [ForRangeErr] it
// limits how many ranges are under way, and for folds how many parts: [Fold], [FoldErr],
// [FoldRange], [Reduce], [Sum], [Min], [Max], [MinFunc], [MaxFunc] and [CountFunc]. All others
// ignore it. If the pool is closed, a limit above its number of workers still starts goroutines.
// It panics if n is below 1.
func WithLimit(n int) Option {
	atLeastOne("WithLimit", n, "at least 1 element must be under way")
	return func(c config) config {
		c.limit = n
		return c
	}
}

// atLeastOne is no part of the options that call it, which are inlined then: so the compiler
// sees that they need not be allocated.
//
//go:noinline
func atLeastOne(option string, n int, why string) {
	if n < 1 {
		panic("par: " + option + " of " + strconv.Itoa(n) + ": " + why)
	}
}

// reportEvery is the least time between two reports. It is a variable for tests alone.
var reportEvery = 50 * time.Millisecond

// configured returns what the options say. They hand a config on and never a pointer to
// one, which would be allocated. It is not inlined: the callers' frames would be so large that
// the stack of a new goroutine had to grow for a short call.
//
//go:noinline
func configured(opts []Option) (c config) {
	for _, o := range opts {
		if o == nil {
			panic("par: a nil option: leave it out")
		}
		c = o(c)
	}
	return c
}

// stage is the same for one of the loops of a call over n elements: the one that takes the
// work from a share of from/parts to one of to/parts. It leaves the end to the call.
func (c config) stage(n, from, to, parts int) config {
	if report := c.report; report != nil {
		each := float64(n) / float64(parts)
		c.report = func(done, total int) {
			if done < total {
				report(int(each*(float64(from)+float64(to-from)*float64(done)/float64(total))), n)
			}
		}
	}
	return c
}

// within is configured for a call that ends with ctx.
func within(ctx context.Context, opts []Option) config {
	c := configured(opts)
	c.ctx = ctx
	return c
}

// finished reports that all n elements are done.
func (c config) finished(n int) {
	if c.report != nil {
		c.report(n, n)
	}
}

// further is the same for a further loop of the call: it does not report, and goes on when
// the context has ended.
func (c config) further() config {
	c.report, c.ctx, c.limit = nil, nil, 0
	return c
}

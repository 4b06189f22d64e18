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
	// gauge is for the reports, nil if none was asked for. A loop goes over size elements, whatever
	// its steps are, or over one in each step if that is 0: then it is the only one of the call.
	gauge *gauge
	size  int
	// ctx ends the call, if it is not nil.
	ctx context.Context
	// loop is where the call keeps the loop that it uses for all its passes, one after the
	// other, or nil: then each makes its own.
	loop   **loop
	window int // 0 if none is set
	// limit is how many elements may be under way at once, 0 if none is set.
	limit int
	// ended is when a pass has ended that the caller did alone and that was brief, or 0. since is that
	// of the pass before, where a further one does about as much again: if the caller does that one
	// alone, it begins at that time, and is one range.
	ended, since time.Duration
	// code is where the user's function begins, or 0. The pool notes by that which calls were short.
	code uintptr
	// live says that the source of a sequence has a goroutine of its own.
	live bool
	// whole says that the user sees the ranges of the loop.
	whole bool
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
// which run on other workers: [ForWorker] hands them theirs. A nil w panics.
func In(w *pool.Worker) Option {
	if w == nil {
		panic("par: In with a nil worker: pass the one that the job was handed, or leave the option out")
	}
	return func(c config) config {
		c.pool, c.worker = w.Pool(), w
		return c
	}
}

// WithProgress has report called with how many elements are done: when an element ends at least 50 ms
// after the last report, and when the call is about to return. Where elements are done several in a row,
// as in a part of a fold or a block of a scan or a sort, it is called when these have ended. The
// goroutines that do the work call it, one at a time, so a slow report slows the call; to look
// at the clock takes some 50 ns for each element. If it panics, the call does. A call
// that ends sooner, by an error or a panic, does not report a last time. Operations that go over
// their elements more than once report how much of that is
// done, as far as it can be known, in elements. The number never goes back. [MapSeq], whose
// source does not say how many there are, reports a total of -1 until it is at the end, and so
// does a [Pipe] until it is closed. A nil report panics.
func WithProgress(report func(done, total int)) Option {
	if report == nil {
		panic("par: WithProgress with a nil function: leave the option out")
	}
	return func(c config) config {
		c.report = report
		return c
	}
}

// WithWindow has [MapSeq] take at most n elements from its source whose results it has not
// yielded, and a [Pipe] have at most n whose results sink is not done with. With 1 the next
// element is asked for when the one before is done, and everything runs on one goroutine, but for
// a live source, and for elements with a [WithLimit]. Elements that take long may keep others from
// beginning when the window is full.
// It panics if n is below 1.
func WithWindow(n int) Option {
	atLeastOne("WithWindow", n, "a window has room for 1 element or more")
	return func(c config) config {
		c.window = n
		return c
	}
}

// WithLiveSource is for a source of [MapSeq] that waits: for events, a channel, or its
// consumer, as a crawler waits for the links that its consumer finds. The source runs on a
// goroutine of its own, and a result is yielded as soon as it and all before it are there, also
// while the source waits.
//
// The source needs to be safe for that: it runs beside the loop over the sequence. It has no
// worker, also if the consumer is a job. A panic of the source reaches the consumer after the
// results of all elements before, and so does [runtime.Goexit]. However the loop ends, it waits
// for the source's current step: so a source that waits should give up when the loop's context
// ends. A break does not end that context: end it before you break. The window is as without the
// option. The source's goroutine does no elements: workers do them, and the consumer while it
// would wait; or with [WithLimit] n further goroutines.
//
// It costs a goroutine for each use, and for an element some hundreds of nanoseconds, and up to
// some microseconds where one goroutine waits for the other each time. Other functions ignore
// it.
func WithLiveSource() Option {
	return func(c config) config {
		c.live = true
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
// It is for the functions that call for each element by itself: [For], [ForWorker], [Each], [Do], [Map],
// [MapInto], [Tabulate], [FlatMap], [Filter], [FilterMap], [Partition], [IndexFunc],
// [ContainsFunc], [AllFunc], and their forms with Err. For [ForRange] and [ForRangeErr] it
// limits how many ranges are under way, and for folds how many parts: [Fold], [FoldErr],
// [FoldRange], [FoldBy], [Reduce], [Sum], [Min], [Max], [MinFunc], [MaxFunc] and [CountFunc]. For
// [CompactFunc], [CountInto], [GroupBy] and the key of [FoldBy] it limits how many calls are. For
// [MapSeq] and a [Pipe], n goroutines do the elements, however many workers there are. All others
// ignore it. If the pool is closed, a limit above its number of workers still starts goroutines.
// It panics if n is below 1.
//
// With [math.MaxInt] there is no limit. A stream is then ahead by all that its source has, and by as
// many goroutines: set its window, too ([WithWindow]).
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

// configured returns a config with the options, for a call of the function that begins at code.
func configured(code uintptr, opts []Option) (c config) {
	c.heeds(code, opts)
	return c
}

// heeds puts the options into an empty config, and where the user's function begins. A caller that
// has one config, and no copy of it, has a small frame: else the stack of a new goroutine would have
// to grow for a short call.
func (c *config) heeds(code uintptr, opts []Option) {
	if c.code = code; len(opts) > 0 {
		c.heedsAll(opts)
	}
}

// heedsAll is not inlined, for the same reason. Options get a config and never a pointer to one,
// which would be allocated.
//
//go:noinline
func (c *config) heedsAll(opts []Option) {
	all := *c
	for _, o := range opts {
		if o == nil {
			panic("par: a nil option: leave it out")
		}
		all = o(all)
	}
	if *c = all; c.report != nil {
		c.gauge = gaugeOf(c.report)
	}
}

// stages returns the config of the loops of a call over n elements that go over rest elements from now
// on, all of them together, where a loop that says nothing else goes over n. Then the call itself
// reports the end. The loops of a part of a call leave it at the elements of the call.
func (c config) stages(n, rest int) config {
	if g := c.gauge; g != nil {
		if c.size == 0 {
			g.total = n
		}
		g.all = g.past + g.size + max(rest, 1)
		c.size = max(n, 1)
	}
	return c
}

// counts begins a loop of n steps, which is all of the call if that has said nothing of others.
func (c *config) counts(n int) {
	size := c.size
	if size == 0 {
		size = n
		c.gauge.total, c.gauge.all = n, n
	}
	c.gauge.begin(size, n)
}

// within is heeds for a call that ends with ctx.
func (c *config) within(ctx context.Context, code uintptr, opts []Option) {
	c.ctx = ctx
	c.heeds(code, opts)
}

// ends is finished, or else left.
func (c *config) ends(n int, all bool) bool {
	if all {
		c.finished(n)
	} else {
		c.left()
	}
	return all
}

// finished reports that all n elements are done.
func (c *config) finished(n int) {
	if c.gauge != nil && c.size == 0 {
		c.gauge.finish(n)
	}
}

// left is finished for a call that has its result before all elements are done.
func (c *config) left() {
	if c.gauge != nil {
		c.gauge.release()
	}
}

// uncounted returns c for a stream: it does not know how many elements there are, and counts its
// results by itself.
func (c config) uncounted() config {
	c.left()
	c.gauge = nil
	return c
}

// workers is how many workers the call may have.
func (c *config) workers() int {
	if c.pool == nil {
		return pool.Default().Workers()
	}
	return c.pool.Workers()
}

// further returns the config of a further loop of the call: it goes on when the context has ended.
func (c config) further() config {
	c.ctx, c.limit = nil, 0
	return c
}

// over returns the config of a loop over so many elements.
func (c config) over(size int) config {
	c.size = max(size, 1)
	return c
}

// nested returns the config of a loop in an element of another loop of the call, which counts.
func (c config) nested() config {
	c = c.further()
	c.worker, c.loop, c.gauge = nil, nil, nil
	return c
}

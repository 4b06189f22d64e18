package par

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// brief is up to how much work a call is better done alone, summed over all goroutines: to
// wake a worker costs a good part of that, on both sides.
const brief = 100 * time.Microsecond

// parts does a range of the indices of a loop.
type parts interface {
	// run does the elements lo to hi-1, in order, until one fails.
	run(lo, hi int) error
}

// elements is parts for a loop that calls a function of the user's for each element. Each may take
// any time, so others can call back elements that have not begun.
type elements interface {
	// run does the elements lo to hi-1, in order, until one fails, or stop is set. It looks
	// after each element, or after each four, and never before the first. at is the first one
	// that has not begun, if none has failed.
	run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error)
}

// never is for ranges that nobody can call back.
var never struct {
	_    [64]byte
	stop prim.Bool
	_    [64]byte
}

// A body is one or the other.
type body struct {
	parts    parts
	elements elements
}

func (b body) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	if b.elements != nil {
		return b.elements.run(ctx, lo, hi, stop)
	}
	return hi, b.parts.run(lo, hi)
}

// A loop is one call of this package that is shared. Each goroutine that works at it owns a
// slot, which holds its piece of the loop. An owner whose piece is done becomes a thief: it
// takes half of another piece, without its owner, which may be at an element. It does the first
// element of that next, which nobody can take from it: so a loop of n elements has at most n thefts.
//
// A call for help is a job of the pool that has an idle worker join the loop. As long as a
// slot has something to take, a call is out, or the flag is up. A worker that takes a call
// raises the flag; so does a thief that finds nothing. An owner looks at the flag: if it is
// up, the owner puts back the elements of its range that it has not begun, and if any slot has
// something for others, it lowers the flag and calls.
//
// Pairs: a thief that leaves raises the flag, then looks at all slots. An owner puts back, and
// a thief stores what it has taken, and then looks at the flag. So one of the two finds the
// other.
//
// Pairs: the caller's context ends, and then its function raises the flag, which stops all owners.
// An owner lowers the flag only if the context has not ended, and then looks at the context again:
// if that has ended it raises the flag. So when the context has ended, an owner misses the flag at one
// look at most.
type loop struct {
	config
	body
	n     int
	scope *pool.Scope
	help  func(*pool.Worker) // made once, because a method value allocates
	// base is where the present stretch begins, next where the one after that does. Slots
	// count from base. Nobody else works as they change.
	next, base int
	// recorded is the loop's number in a recording of the pool, or 0.
	recorded uint32
	// beside says that the helpers are goroutines of their own, which gone counts, and not
	// workers of the pool.
	beside bool
	gone   prim.WaitGroup

	// failed is the lowest index of a range that has failed, or was left out because ctx
	// has ended, or math.MaxInt. Nothing above it begins any more.
	//
	// Writers: an owner that fails, with mu.
	// Readers: everybody, before each range.
	// Pairs:   with the context of a slot, see there. Else none: a worker that reads an old
	// value does some work more.
	failed  prim.Int64
	mu      prim.Mutex
	failure failure // of the range at failed; guarded by mu

	_ [72]byte // the fields below are written now and then, and begin with a cache line
	// wanted is the flag.
	//
	// Writers: see above.
	// Pairs:   see above.
	wanted prim.Bool
	// over is the flag for owners that cannot share. It says that the caller's context has
	// ended, or that an element has failed, which the other flag says, too.
	//
	// Writers: an owner that fails, after failed; the end of the context.
	// Readers: owners.
	// Pairs:   the owner then looks at failed and at the context.
	over prim.Bool
	// scarce says that somebody has found nothing: then nobody keeps short ranges from
	// others.
	//
	// Writers: thieves that find nothing.
	// Readers: owners. It is a hint.
	scarce prim.Bool
	// calls counts the calls for help that no worker has taken, working the owners.
	//
	// Writers: calls: the owner that calls, the worker that takes the call. working: each
	// owner, when it begins and when it leaves.
	// Pairs:   calls: the worker raises the flag after it. working: with a limit, an owner
	// that leaves is counted out, then raises the flag, then looks at all slots; one that
	// answers lowers the flag, then looks how many work. So the one that answers counts
	// right, or finds the flag up again.
	calls, working prim.Int32
	// timed counts the elements done while ranges are of one element each, in a loop whose
	// ranges the user sees.
	timed prim.Int32
	// worked is how long all owners have worked that have left, in ns.
	worked prim.Int64
	_      [32]byte
	first  slot // it ends so that a loop begins with a cache line
}

// A failure is how a range has ended that did not do all its elements: with an error, by a
// panic, or by Goexit if there is neither.
type failure struct {
	err      error
	panicked *pool.PanicError
}

// do runs the body over 0 to n-1.
func do(n int, p parts, c config) error { return c.do(n, p) }

// do and each need no copy of the config: goroutines with small stacks call them.
func (c *config) do(n int, p parts) error      { return c.run(n, body{parts: p}, kindOf(&p)) }
func (c *config) each(n int, e elements) error { return c.run(n, body{elements: e}, kindOf(&e)) }

// run does the body over 0 to n-1. If n is 0, a context that has ended leaves nothing out.
// The caller does a call alone if it is known to be short. It shares others before their
// first element begins, since nobody knows how long that is.
func (c *config) run(n int, b body, kind uintptr) error {
	if b.elements == nil && !c.whole {
		c.limit = 0
	}
	switch {
	case n == 0:
		c.finished(0)
		return nil
	case c.isOver():
		return endOf(c.ctx)
	case c.gauge != nil:
		c.counts(n)
	}
	if n == 1 && c.limit == 0 { // no clock is needed
		if _, err := b.run(c.ctx, 0, 1, &never.stop); err != nil {
			return err
		}
		if c.gauge != nil {
			c.gauge.did(1, prim.Now())
		}
		c.finished(1)
		return nil
	}
	if w := loops.Measured(); w != nil {
		return c.measured(w, n, b, kind)
	}
	p := c.pool
	if p == nil {
		p = loops.LastDefault() // for the notes: a call that is short needs no workers
	}
	key := uint64(c.code)*31 + uint64(kind) + uint64(bits.Len(uint(n)))<<48
	lo, took := 0, time.Duration(0)
	if c.limit == 0 && loops.Brief(p, key) {
		var err error
		if lo, took, err = c.alone(n, b); err != nil {
			return err
		}
		if lo == n {
			if took >= brief {
				loops.Note(p, key, false)
			}
			c.finished(n)
			return nil
		}
	}
	return c.share(n, b, lo, took, key)
}

// share is run from element lo on, of a call that has taken so long by then.
//
//go:noinline
func (c *config) share(n int, b body, lo int, took time.Duration, key uint64) error {
	if c.pool == nil {
		c.pool = pool.Default()
	}
	l := c.shared(n, b)
	err := l.share(lo)
	if c.limit == 0 {
		loops.Note(c.pool, key, took+time.Duration(l.worked.Load()) < brief)
	}
	return err
}

// shared returns a loop: the one that the call has had before, or a new one.
func (c *config) shared(n int, b body) *loop {
	var l *loop
	if c.loop != nil {
		l = *c.loop
	}
	if l == nil {
		l = new(loop)
		prim.Declare(l)
		if c.loop != nil {
			*c.loop = l
		}
	}
	help := l.help
	*l = loop{}
	l.config, l.body, l.n, l.help = *c, b, n, help
	l.failed.Store(math.MaxInt)
	l.first.next.Store(&l.first)
	return l
}

// alone does elements until brief is over. It allocates nothing and wakes nobody.
func (c *config) alone(n int, b body) (lo int, took time.Duration, err error) {
	begun, length := c.since, n
	if begun == 0 {
		begun, length = prim.Now(), 1
	}
	p := pacedFrom(begun)
	for p.length = length; ; {
		m := min(p.length, n-lo)
		if c.gauge != nil && b.elements != nil {
			m = 1
		} else if n-lo-m == 1 { // there is nothing to share then
			m++
		}
		if _, err := b.run(c.ctx, lo, lo+m, &never.stop); err != nil {
			return lo, took, err
		}
		lo += m
		now := prim.Now()
		took = now - begun
		if c.gauge != nil {
			c.gauge.did(m, now)
		}
		if lo == n && took < brief {
			c.ended = now
		}
		if lo == n || took >= brief || p.look(now, m) {
			return lo, took, nil
		}
		if c.isOver() {
			return lo, took, endOf(c.ctx)
		}
	}
}

// share does the loop from lo on, with the workers that come to help.
func (l *loop) share(lo int) error {
	l.next = lo
	l.beside = l.limit > l.pool.Workers()
	if l.ctx != nil && l.ctx.Done() != nil {
		defer l.heed()()
	}
	if l.worker != nil {
		l.work(l.worker)
	} else if closed := loops.Run(l.pool, l); closed != nil {
		l.work(nil)
	}
	return l.err()
}

// isOver reports whether the caller's context has ended.
func (c *config) isOver() bool { return c.ctx != nil && c.ctx.Err() != nil }

// heed has the end of the caller's context end ranges that have begun. The caller calls forget
// at the end of the loop.
func (l *loop) heed() (forget func()) {
	var told prim.WaitGroup
	told.Add(1)
	stop := prim.AfterFunc(l.ctx, func() {
		l.stop()
		told.Done()
	})
	return func() {
		if !stop() {
			told.Wait() // it is about to use the loop
		}
	}
}

// Run is work as a job of the pool.
func (l *loop) Run(w *pool.Worker) { l.work(w) }

// err returns the error of a loop that has ended, or ends the caller as an element has ended.
func (l *loop) err() error {
	switch {
	case l.failed.Load() == math.MaxInt:
		l.finished(l.n)
	case l.failure.err == nil:
		runtime.Goexit()
	}
	return l.failure.err
}

// call has the body do a range, and notes a failure. Singly, each element is a range of its own
// for the body, so nothing is held up by it; and the range ends when somebody has come to help
// since it began, for it was made for fewer owners. A panic is kept for the caller of the loop, which
// raises it when all has ended, if no lower index has failed. at is the first index that has not
// begun; after a failure there is none.
func (l *loop) call(ctx context.Context, w *pool.Worker, lo, hi int, singly bool, stop *prim.Bool) (at int, ok bool) {
	returned := false
	defer func() {
		if !returned {
			l.fail(lo, failure{panicked: loops.Caught(recover())})
		}
	}()
	end, within, owners := hi, stop, int32(0)
	if singly {
		end, within = lo+1, &never.stop
		if end < hi {
			owners = l.working.Load()
		}
	}
	for {
		at, err := l.runAs(ctx, w, lo, end, within)
		if l.gauge != nil && err == nil {
			begin := lo
			lo = -1 // a report that panics ends the call, whatever the elements do
			l.gauge.did(at-begin, prim.Now())
			lo = begin
		}
		if err != nil {
			returned = true
			l.fail(lo, failure{err: err})
			return at, false
		}
		if at == hi || !singly || stop.Load() || l.working.Load() != owners || l.isOver() {
			returned = true
			return at, true
		}
		lo, end = at, at+1
	}
}

// runAs has the body do a range on a goroutine that runs as w, or without a worker if that is nil.
func (l *loop) runAs(ctx context.Context, w *pool.Worker, lo, hi int, stop *prim.Bool) (at int, err error) {
	if j, ok := l.elements.(*jobs); ok {
		return j.runAs(ctx, w, lo, hi, stop)
	}
	return l.body.run(ctx, lo, hi, stop)
}

// fail notes how a range that begins at lo has ended. The part that it may not have begun
// yet counts, too. Owners of ranges above are stopped by the flag.
func (l *loop) fail(lo int, f failure) {
	l.mu.Lock()
	if int64(lo) < l.failed.Load() {
		l.failed.Store(int64(lo))
		l.failure = f
	}
	l.mu.Unlock()
	l.stop()
	l.endAbove(int64(lo))
}

// stop has all owners look whether they should go on.
func (l *loop) stop() {
	l.over.Store(true)
	l.want()
}

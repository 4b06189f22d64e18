package par

import (
	"context"
	"math"
	"math/bits"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// quantum is what a call does alone before it asks for help, and how long it works
// between two looks at whether others want work, at most, but for one element. It is a
// variable for BenchmarkQuantum alone, which it was chosen by.
var quantum = 10 * time.Microsecond

const (
	// stretch is the time between two looks that a loop aims at as it begins, and after
	// each split: some 60 times what the clock costs. It doubles up to the quantum while
	// nobody wants work.
	stretch = 2500 * time.Nanosecond
	// steady is for how many ranges the clock is not looked at then. That waits for all
	// that the processor reads from memory: in a loop over long slices, half a microsecond.
	steady = 8
	// little is the time that seems to be left of a call that goes on alone, for as long
	// at most: it takes longer than that until a worker that sleeps has begun.
	little = 20 * time.Microsecond
)

// A body is what a loop does with a range of its indices.
type body interface {
	// run does the elements lo to hi-1, in order, until one fails.
	run(lo, hi int) error
}

// A loop is one call of this package: a body and how far it got.
type loop struct {
	config
	body body
	n    int

	// failed is the lowest index of a range that has failed, or was left out because ctx
	// has ended, or math.MaxInt. What lies above is not begun any more.
	//
	// Writers: whoever fails, with mu.
	// Readers: everybody, before each range.
	// Pairs:   none. A worker that reads an old value does some work more.
	failed prim.Int64
	mu     prim.Mutex
	err    error // of the element at failed, or nil if that panicked; guarded by mu
	gauge  gauge
}

// A piece is a range of a loop that one worker does.
type piece struct {
	loop   *loop
	lo, hi int
	// length is how many elements to do between two looks.
	length int
	// still is how many looks in a row have found the clock where it was.
	still int
	// halvings is how often the piece is to be halved before its next element begins,
	// because one took longer than a quantum: nobody looks during an element.
	halvings int
}

// do runs the body over 0 to n-1. Of nothing, a context that has ended leaves nothing out.
func do(n int, b body, c config) error {
	if c.ctx != nil && n > 0 && c.ctx.Err() != nil {
		return endOf(c.ctx)
	}
	p := piece{hi: n, length: 1}
	if c.atOnce && n > 1 {
		p.halvings = manyHalvings
	} else if err := p.alone(c.ctx, b); err != nil {
		return err
	}
	if p.lo == p.hi {
		c.finished(n)
		return nil
	}
	l := c.loop
	if l == nil {
		l = new(loop)
	}
	*l = loop{config: c, body: b, n: n}
	l.failed.Store(math.MaxInt)
	if l.gauge.done = p.lo; l.report != nil {
		l.gauge.last = prim.Now()
	}
	p.loop = l
	return l.share(p)
}

// alone does the first elements, until the quantum is over: most calls end here. It
// allocates nothing and wakes nobody.
func (p *piece) alone(ctx context.Context, b body) error {
	switch p.hi {
	case 0:
		return nil
	case 1: // no clock is needed
		p.lo = 1
		return b.run(0, 1)
	}
	begun := prim.Now()
	for last := begun; ; {
		n := min(p.length, p.hi-p.lo)
		if err := b.run(p.lo, p.lo+n); err != nil {
			return err
		}
		if p.lo += n; p.lo == p.hi {
			return nil
		}
		if ctx != nil && ctx.Err() != nil {
			return endOf(ctx)
		}
		now := prim.Now()
		p.adapt(n, now-last, stretch)
		enough := quantum
		if left := float64(now-last) / float64(n) * float64(p.hi-p.lo); left < float64(little) {
			enough += little
		}
		if now-begun >= enough || p.still == patience {
			return nil
		}
		last = now
	}
}

// next returns how many elements to do before the next look: no more than an eighth of
// what is left, for an element may take longer than those before.
func (p *piece) next() int {
	left := p.hi - p.lo
	return min(p.length, max(left/8, few), left)
}

// adapt sets the length to what takes as long as aim, by how long n elements have just taken.
func (p *piece) adapt(n int, took, aim time.Duration) {
	if n == 1 && took > quantum {
		p.halvings = manyHalvings
	}
	if took > 0 {
		p.still = 0
	} else if p.still++; p.still%patience != 0 {
		return
	}
	fits := time.Duration(n) * aim / max(took, tick)
	p.length = max(1, min(int(fits), p.length*most, longest))
}

// patience is how many looks in a row may find the clock where it was. It may be a coarse
// one, or that of a synctest bubble, which stands still while anything runs: loops must be
// shared there, too.
const patience = 16

const (
	// tick is the least time that a range is taken to have lasted: what the clock costs.
	tick = 40 * time.Nanosecond
	// most is by how much the length grows from one range to the next. That the first
	// elements are quick does not say that all are.
	most = 8
	// manyHalvings make more pieces than there are workers.
	manyHalvings = 64
	// few is how many elements are done without a look, if those before were quick.
	few = 8
	// longest is the largest number of elements between two looks. At 0.3 ns each they
	// take a quantum.
	longest = 1 << 15
)

// share does the rest of the loop, with whoever comes to help.
func (l *loop) share(p piece) (err error) {
	returned := false
	defer func() {
		if !returned && l.err != nil { // an error at a lower index than the panic
			recover()
			err = l.err
		}
	}()
	if l.worker != nil {
		// The scope is for what a panic leaves behind.
		l.worker.Scope(func(*pool.Scope) { work(l.worker, p) })
	} else {
		if l.pool == nil {
			l.pool = pool.Default()
		}
		if _, closed := pool.RunHere(l.pool, work, p); closed != nil {
			work(nil, p)
		}
	}
	returned = true
	if l.failed.Load() != math.MaxInt {
		return l.err
	}
	l.finished(l.n)
	return nil
}

// work does a piece, by splitting it as often as others want work: lazy binary splitting
// (Tzannes, Caragea, Barua and Vishkin, 2010), where the pool's own flag says that there is
// demand. Without a worker, because the pool is closed, it does all.
func work(w *pool.Worker, p piece) (none struct{}) {
	l := p.loop
	last, aim, unread, enough := prim.Now(), stretch, 0, 0
	for p.lo < p.hi && int64(p.lo) < l.failed.Load() {
		if p.splits(w) {
			p.length = max(1, p.length*int(stretch)/int(aim))
			p.split(w)
			return
		}
		if l.ctx != nil && l.ctx.Err() != nil {
			l.fail(p.lo, endOf(l.ctx))
			return
		}
		n := p.next()
		if !l.run(p.lo, p.lo+n) {
			return
		}
		p.lo += n
		if unread += n; unread >= enough || n < p.length {
			now := prim.Now()
			p.adapt(unread, now-last, aim)
			last, unread, enough = now, 0, 0
			switch {
			case p.length < n/2:
				aim = stretch
			case aim < quantum:
				aim = min(2*aim, quantum)
			case p.length > 1:
				enough = steady * p.length
			}
		}
		l.gauge.add(l, n)
		if w != nil {
			w.Yield()
		}
	}
	return
}

// splits reports whether to split the piece now. While no worker sleeps, a caller that is
// none of them does not: what it forks would wait in the queue.
func (p *piece) splits(w *pool.Worker) bool {
	if left := p.hi - p.lo; w == nil || left < 2 || p.halvings == 0 && left <= p.length {
		return false
	}
	if !w.CanShare() {
		p.halvings = 0
		return false
	}
	return p.halvings > 0 || w.Wanted()
}

// split forks the upper half of the piece and does the lower one. An element that has taken
// long is taken for a sign that others do: there are pieces for all workers then before the
// next one begins.
func (p piece) split(w *pool.Worker) {
	long := p.halvings > 0
	p.halvings = max(0, min(p.halvings, bits.Len(uint(w.Pool().Workers())))-1)
	lower, upper := p, p
	lower.hi -= (p.hi - p.lo) / 2
	upper.lo = lower.hi
	f := pool.Fork(w, work, upper)
	if long {
		w.Publish()
	}
	work(w, lower)
	f.Join(w)
}

// run has the body do a range. It notes a failure, and reports whether there was none.
func (l *loop) run(lo, hi int) (ok bool) {
	returned := false
	defer func() {
		if !returned {
			l.fail(lo, nil)
		}
	}()
	err := l.body.run(lo, hi)
	returned = true
	if err != nil {
		l.fail(lo, err)
	}
	return err == nil
}

// fail notes that an element from lo on has failed or was left out, with an error, or
// without one if a panic or a Goexit passes.
func (l *loop) fail(lo int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(lo) < l.failed.Load() {
		l.failed.Store(int64(lo))
		l.err = err
	}
}

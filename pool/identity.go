package pool

import (
	"context"
	"fmt"
	"slices"
	"weak"

	"github.com/rouse-go/rouse/api/prim"
)

// NewContext returns a copy of ctx that carries w, for code that has no
// parameter for a worker. Deadline, cancellation and values are those of ctx. It
// carries one worker: that of the last NewContext, of whatever pool. A nil w
// hides the one that ctx carries. A nil ctx panics. It allocates three words.
//
// A [Run] of the same pool which the context reaches in a job of w, on the
// same goroutine, goes on as the worker of that job, even if a seat is free.
// Run does not take the context's word for it, but looks at the stack. Anywhere
// else it does what it does with ctx: on another goroutine, after the job has
// ended, and with a worker of another pool.
//
// The context keeps the pool in memory, but does not keep it open.
func NewContext(ctx context.Context, w *Worker) context.Context {
	if ctx == nil {
		panic("pool: NewContext with a nil context: use context.Background")
	}
	return &carrier{ctx, w}
}

// FromContext returns the worker that ctx carries, and whether there is one. A
// nil ctx panics. It costs what [context.Context.Value] does.
//
// Nothing checks that the caller may use the worker: only the goroutine of the
// job that was handed it may, and only until the job ends. So a context that goes
// to another goroutine, or is kept, should carry none: see [NewContext].
func FromContext(ctx context.Context) (*Worker, bool) {
	if ctx == nil {
		panic("pool: FromContext with a nil context: use context.Background")
	}
	w, _ := ctx.Value(workerKey{}).(*Worker)
	return w, w != nil
}

type workerKey struct{}

// A carrier is a context that carries a worker.
type carrier struct {
	context.Context
	worker *Worker
}

func (c *carrier) Value(key any) any {
	if key == (workerKey{}) {
		return c.worker
	}
	return c.Context.Value(key)
}

// String is for those who print a context, as those of package context are printed.
func (c *carrier) String() string { return fmt.Sprint(c.Context, ".WithWorker") }

// A function that is called without a worker looks for those of its goroutine. They lie one
// above the other when jobs call Run, and have their numbers spelt on the stack: see spell.

// workerHere returns the innermost worker of the calling goroutine, or nil: most goroutines have
// none. It looks at the stack, which takes a microsecond or two, and more only if the next worker
// lies deep, or there is none.
func workerHere() *Worker {
	for number := range spelt {
		if w := enlisted.get(number); w != nil {
			return w
		}
	}
	return nil
}

// isHere reports whether the pool waits for the calling goroutine before it ends: a job of the
// pool is on its stack, or the pool's panic handler, on a goroutine of its own.
func (p *Pool) isHere() bool {
	for number := range spelt {
		if enlisted.pool(number) == p {
			return true
		}
	}
	return false
}

// workers are those of a goroutine, innermost first. Only the first of them runs; the others
// are beneath it.
type workers []*Worker

// workersHere returns all that the stack of the calling goroutine spells. It takes longer the
// deeper that is.
func workersHere() workers {
	var all workers
	for number := range spelt {
		if w := enlisted.get(number); w != nil && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// know tells each of the workers which ones are beneath it.
func (ws workers) know() {
	for i, w := range ws {
		if !w.known {
			w.known, w.beneath = true, ws[i+1:]
		}
	}
}

// in returns the innermost worker of the pool, or nil.
func (ws workers) in(p *Pool) *Worker {
	for _, w := range ws {
		if w.pool == p {
			return w
		}
	}
	return nil
}

// below returns the workers beneath w on its goroutine, which is the caller's. It looks for them
// once a Run.
func (w *Worker) below() workers {
	if !w.known {
		workersHere().know()
	}
	return w.beneath
}

// in returns the innermost worker of the pool on the goroutine of w, which is the innermost one
// there, or nil.
func (w *Worker) in(p *Pool) *Worker {
	if w == nil || w.pool == p {
		return w
	}
	return w.below().in(p)
}

// but returns w and the workers below without one of those.
func (w *Worker) but(one *Worker) workers {
	return slices.DeleteFunc(append(workers{w}, w.below()...), func(w *Worker) bool { return w == one })
}

// enlisted knows the workers of all pools by number, but keeps none of them in memory: a
// pool that is forgotten, at rest and without a goroutine, goes; and one that has
// goroutines shows as what it is in a profile of leaks, which are goroutines that nothing
// can wake any more.
var enlisted register

type register struct {
	mu prim.Mutex
	// all has the place of each number, and none for those that are free or lost. There is no
	// number 0.
	all  []place
	used int // how many have a place
	free numbers
	// enough is how many numbers there may be in use before somebody looks for those of
	// pools that are gone.
	enough int
}

// A place is where a worker is found: in the roll of its pool.
type place struct {
	pool weak.Pointer[Pool]
	slot int
}

// A roll has the workers of one pool that have a number, some of them twice, and nil for a
// goroutine that reports a panic. A weak pointer to each would cost New a third of its time.
// The lock of the register guards it.
type roll struct {
	self  weak.Pointer[Pool]
	slots []*Worker
	free  []int
}

// add gives w a number. It is not 0, so that it has a digit, and not in use: the smallest
// that was dropped, or a new one.
func (r *register) add(w *Worker) uint32 { return r.enlist(w.pool, w) }

// enlist gives a number to w, or to a goroutine of the pool that is no worker, if w is nil.
func (r *register) enlist(p *Pool, w *Worker) uint32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used >= r.enough {
		r.prune()
	}
	var number uint32
	if len(r.free) > 0 {
		number = r.free.take()
	} else {
		number = uint32(len(r.all))
		r.all = append(r.all, place{})
	}
	r.used++
	r.all[number] = p.roll.add(w)
	return number
}

// prune drops the numbers of pools that are gone and that nobody has closed. There are
// at most about as many of these as others.
func (r *register) prune() {
	if r.all == nil {
		r.all = make([]place, 1)
	}
	for number, at := range r.all {
		if at != (place{}) && at.pool.Value() == nil {
			r.strike(uint32(number))
			r.free.add(uint32(number))
		}
	}
	r.enough = max(fewNumbers, 2*r.used)
}

// fewNumbers is how many there may be without a look at them.
const fewNumbers = 1024

// drop makes the number stand for nothing, until it is given out again: no stack spells it
// any more.
func (r *register) drop(number uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.strike(number)
	r.free.add(number)
}

// A lostNumber stands for nothing, but a stack spells it, and whoever finds it there must not
// take it for a worker's. That stack refers to the lostNumber: see spelled. So once that is
// garbage, the number can be given out again.
//
// It has a pointer, which nobody reads: what has none, and is so small, may share its memory
// with other values, and is garbage only when they are.
type lostNumber struct{ by *register }

// lose is drop for a number that a stack still spells, and may for long. The caller has
// that stack refer to what is returned.
func (r *register) lose(number uint32) *lostNumber {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.strike(number)
	l := &lostNumber{r}
	prim.AddCleanup(l, r.find, number)
	return l
}

// find gives a number back that was lost.
func (r *register) find(number uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free.add(number)
}

// strike makes the number stand for nothing.
func (r *register) strike(number uint32) {
	at := r.all[number]
	if p := at.pool.Value(); p != nil {
		p.roll.drop(at.slot)
	}
	r.all[number] = place{}
	r.used--
}

func (r *register) get(number uint32) *Worker {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.at(number)
	if p := at.pool.Value(); p != nil {
		return p.roll.slots[at.slot]
	}
	return nil
}

// pool returns the pool that the number belongs to, or nil.
func (r *register) pool(number uint32) *Pool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at(number).pool.Value()
}

// at returns the place of what a stack spells, which may be no number at all.
func (r *register) at(number uint32) (at place) {
	if int64(number) < int64(len(r.all)) {
		at = r.all[number]
	}
	return at
}

func (l *roll) add(w *Worker) place {
	n := len(l.free)
	if n == 0 {
		l.slots = append(l.slots, w)
		return place{l.self, len(l.slots) - 1}
	}
	slot := l.free[n-1]
	l.free = l.free[:n-1]
	l.slots[slot] = w
	return place{l.self, slot}
}

func (l *roll) drop(slot int) {
	l.slots[slot] = nil
	l.free = append(l.free, slot)
}

// numbers are those that may be given out again, the smallest first: the slice is a heap.
// So no more numbers are in use than there ever were workers at once, and neither are
// there more stacks that a profiler sees, which has a number spelt on each.
type numbers []uint32

func (n *numbers) add(number uint32) {
	h := append(*n, number)
	for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	*n = h
}

// take returns the smallest number. There is one.
func (n *numbers) take() uint32 {
	h := *n
	smallest := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child] < h[least] {
				least = child
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*n = h
	return smallest
}

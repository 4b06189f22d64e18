package pool

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// An occupancy is a stretch of a goroutine's stack on which it is a certain
// worker: the worker's own goroutine from its root, a Run, a guest, or a
// substitute. A goroutine may be in several, one above the other, when jobs
// call Run; it acts in the innermost one. Its record belongs to that goroutine.
//
// A goroutine that blocks in one would keep the seats of the others from being
// used, and if what it waits for needs one of those seats, for ever. So before
// it blocks it puts a substitute on each: another goroutine, which serves as
// that worker, above what is suspended on its stack, until control returns to
// where the worker was left.
type occupancy struct {
	// number is what is spelt on the stack.
	number uint32
	worker *Worker
	// nested says that other occupancies may lie beneath on this goroutine.
	nested bool
	// known says that outer is known, at this occupancy and all beneath.
	known bool
	outer *occupancy
	// substitute serves as the worker while this goroutine acts elsewhere.
	substitute *substitute
}

// occupy runs t as the worker w, on this goroutine.
func (w *Worker) occupy(nested bool, t task) {
	if w.level == len(w.occupancies) {
		w.occupancies = append(w.occupancies, newOccupancy(w))
	}
	o := w.occupancies[w.level]
	w.level++
	o.nested, o.known, o.outer = nested, false, nil
	returned := false
	defer func() {
		w.level--
		if !returned {
			// Neither a panic nor a Goexit unwinds the stack at once: the
			// deferred calls of the caller of Run still find this occupancy
			// spelt there.
			o.renumber()
		}
	}()
	spell(w, o.number, t)
	returned = true
}

// occupancies returns those of the calling goroutine, innermost first. Most
// goroutines have none.
func occupancies() []*occupancy {
	var all []*occupancy
	for _, number := range spelt() {
		if o := enlisted.get(number); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// occupant returns the innermost of the calling goroutine's occupancies in p,
// or nil.
func (p *Pool) occupant() *occupancy {
	for _, o := range occupancies() {
		if o.worker.pool == p {
			return o
		}
	}
	return nil
}

// substituteOthers puts substitutes on all seats that the calling goroutine
// holds but the one that it acts on, w. It is called before w blocks, and
// looks at the stack once an occupancy.
func (w *Worker) substituteOthers() {
	o := w.occupancies[w.level-1]
	if !o.nested || o.known {
		return
	}
	all := occupancies()
	for i, o := range all {
		o.known = true
		if i+1 < len(all) {
			o.outer = all[i+1]
		}
	}
	for o := o.outer; o != nil; o = o.outer {
		if o.worker != w && o.substitute == nil && o.isInnermost(all) {
			o.substitute = newSubstitute(o.worker)
		}
	}
}

// isInnermost reports whether no occupancy before o in the list has the same
// worker.
func (o *occupancy) isInnermost(all []*occupancy) bool {
	for _, p := range all {
		if p.worker == o.worker {
			return p == o
		}
	}
	return false
}

// resume takes the seat to which control is about to return back from its
// substitute. left is the occupancy that has ended, outer the one beneath.
func resume(left *Worker, outer *occupancy) {
	if outer == nil || outer.substitute == nil {
		return
	}
	// While this goroutine waits for the substitute, the worker that it has
	// just acted as is to be served too, if it holds that one further down.
	for o := outer.outer; o != nil; o = o.outer {
		if o.worker == left {
			if o.substitute == nil {
				o.substitute = newSubstitute(left)
			}
			break
		}
	}
	outer.substitute.end()
	outer.substitute = nil
}

// A substitute is a goroutine that serves as a worker in place of one that has
// the seat but acts elsewhere.
type substitute struct {
	worker *Worker
	latch  latch.Core
	ended  latch.Outside
}

func newSubstitute(w *Worker) *substitute {
	s := &substitute{worker: w}
	prim.Go(s.main)
	return s
}

func (s *substitute) main() {
	returned := false
	defer func() {
		if returned {
			s.ended.Set()
		} else { // a job has called runtime.Goexit
			prim.Go(s.main)
		}
	}()
	s.worker.occupy(false, s)
	returned = true
}

func (s *substitute) run(w *Worker) { w.wait(&s.latch) }

func (s *substitute) done(*Worker, *failure) {}

// end makes the substitute leave the seat when it has ended the job it is at.
func (s *substitute) end() {
	w := s.worker
	if s.latch.Set() {
		w.pool.sleep.Wake(w.index)
	}
	// The background never ends, so neither does the wait fail.
	_ = s.ended.Wait(context.Background())
}

// enlisted holds the occupancies of all pools that are not closed, by number.
var enlisted register

type register struct {
	mu   prim.Mutex
	last uint32
	all  map[uint32]*occupancy
}

func newOccupancy(w *Worker) *occupancy {
	r := &enlisted
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = make(map[uint32]*occupancy)
	}
	o := &occupancy{worker: w}
	r.add(o)
	return o
}

// add gives o a number. They are not 0, so that each has a digit, and not in
// use: after 2^32 of them they come again.
func (r *register) add(o *occupancy) {
	r.last++ // a number that was given up is not soon used again
	for r.last == 0 || r.all[r.last] != nil {
		r.last++
	}
	o.number = r.last
	r.all[o.number] = o
}

// renumber gives o another number, so that the present one stands for nothing.
func (o *occupancy) renumber() {
	r := &enlisted
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, o.number)
	r.add(o)
}

func (r *register) get(number uint32) *occupancy {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[number]
}

// delist forgets the occupancies of a worker that has ended.
func (w *Worker) delist() {
	enlisted.mu.Lock()
	defer enlisted.mu.Unlock()
	for _, o := range w.occupancies {
		delete(enlisted.all, o.number)
	}
}

var lastID prim.Uint32

// nextID returns an id for a worker's stack positions.
func nextID() uint32 { return lastID.Add(1) }

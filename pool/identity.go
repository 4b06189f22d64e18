package pool

import (
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// Who am I? A function that is called without a worker may be called by a job,
// and then must not wait for a seat while its own goroutine holds one. The
// workers that are in use on a goroutine, one above the other when jobs call Run,
// have their numbers spelt on its stack: see spell.

// workers are those of the calling goroutine, innermost first. Most goroutines
// have none. Only the first of them runs; the others are beneath it.
type workers []*Worker

// workersHere looks at the stack. That takes microseconds, and more the deeper the
// stack is.
func workersHere() workers {
	var all workers
	for _, number := range spelt() {
		if w := enlisted.get(number); w != nil && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
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

// but returns the workers without one of them.
func (ws workers) but(one *Worker) workers {
	return slices.DeleteFunc(slices.Clone(ws), func(w *Worker) bool { return w == one })
}

// know tells each of the workers which ones are beneath it.
func (ws workers) know() {
	for i, w := range ws {
		if !w.known {
			w.known, w.beneath = true, ws[i+1:]
		}
	}
}

// vacate gives up the seats of all.
func (ws workers) vacate() {
	for _, w := range ws {
		w.vacate()
	}
}

// vacateBeneath gives up the seats of the jobs that wait beneath w on its
// goroutine, because that is about to block. It looks at the stack once a Run.
func (w *Worker) vacateBeneath() {
	if !w.known {
		workersHere().know()
	}
	w.beneath.vacate()
}

// enlisted holds the workers of all pools that are not closed, by number.
var enlisted register

type register struct {
	mu   prim.Mutex
	last uint32
	all  map[uint32]*Worker
}

// add gives w a number. It is not 0, so that it has a digit, and not in use: after
// 2^32 of them they come again, but one that was given up not soon.
func (r *register) add(w *Worker) uint32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = make(map[uint32]*Worker)
	}
	r.last++
	for r.last == 0 || r.all[r.last] != nil {
		r.last++
	}
	r.all[r.last] = w
	return r.last
}

// drop makes the number stand for nothing.
func (r *register) drop(number uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, number)
}

func (r *register) get(number uint32) *Worker {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[number]
}
